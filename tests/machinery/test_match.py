"""What users are told when they use a match in a way that can't work."""

from __future__ import annotations

import pytest

import fm_env
from fm_env.errors import FmEnvError, IllegalActionError, LoadError, SetupError, UnknownNameError

fm_env.register("kuhn", "tests.kuhn:GAME")
KUHN = fm_env.load("kuhn")


def test_scripted_draws_and_positions() -> None:
    match = KUHN.new_match(chance=["K", "J"])
    assert str(match).startswith("cards K J")
    assert match.text(1).startswith("cards ? J")
    assert KUHN.new_match(setup={"cards": ["Q", "K"]}).log == ()
    mixed = KUHN.new_match(chance=["K"], seed=1)
    assert mixed.log[0].text == "K"
    assert len(mixed.log) == 2


def test_impossible_or_missing_draws_are_named() -> None:
    with pytest.raises(SetupError, match="draw 2 can't be 'K'; possible: J, Q"):
        KUHN.new_match(chance=["K", "K"])
    with pytest.raises(SetupError, match="draw 2 is not in the script"):
        KUHN.new_match(chance=["K"])


def test_illegal_actions_show_action_and_position() -> None:
    match = KUHN.new_match(chance=["K", "J"])
    with pytest.raises(IllegalActionError, match=r"seat 1: 'bet'.*owe a choice: \[0\]"):
        match.play(1, "bet")
    with pytest.raises(IllegalActionError, match="did you mean 'bet'"):
        match.play(0, "bett")
    with pytest.raises(IllegalActionError, match="no action 9"):
        match.play(0, 9)
    with pytest.raises(IllegalActionError, match="seat: expected 0 to 1, got 2"):
        match.play(2, "bet")
    match.play(0, "bet")
    match.play(1, "pass")
    with pytest.raises(IllegalActionError, match="the game is over"):
        match.play(0, "bet")
    assert match.is_over
    assert match.pending == ()
    assert match.returns() == (1.0, -1.0)


def test_unknown_names_have_suggestions() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'kuhn'"):
        fm_env.load("khun")
    with pytest.raises(UnknownNameError, match="known: kuhn"):
        KUHN.new_match("poker")
    with pytest.raises(SetupError, match="module:ATTRIBUTE"):
        fm_env.register("x", "no_colon")
    assert issubclass(UnknownNameError, FmEnvError)


def test_options_can_t_be_added_to_a_made_scenario() -> None:
    with pytest.raises(SetupError, match="first"):
        KUHN.new_match(KUHN.scenario(), first=1)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": 1}', '{"schema": 99}'])
def test_other_files_are_not_matches(text: str) -> None:
    with pytest.raises(LoadError):
        fm_env.Match.from_json(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"kuhn"', '"chess"'),
        ('{"scenario": "kuhn"}', '{"scenario": "kuhn", "first": 5}'),
        ('{"scenario": "kuhn"}', "7"),
        ('[0, "bet"]', '[1, "bet"]'),
        ('[0, "bet"]', '[0, "bet", 3]'),
    ],
)
def test_changed_matches_are_refused(old: str, new: str) -> None:
    match = KUHN.new_match(seed=2)
    match.play(0, "bet")
    text = match.to_json()
    assert fm_env.Match.from_json(text).to_json() == text
    with pytest.raises(LoadError):
        fm_env.Match.from_json(text.replace(old, new, 1))


def test_changed_luck_is_refused() -> None:
    text = KUHN.new_match(seed=2).to_json()
    for card in "JQK":
        other = "Q" if card == "J" else "J"
        if f'[["chance", "{card}"]' in text:
            with pytest.raises(LoadError, match="event 0 came out as"):
                fm_env.Match.from_json(text.replace(f'[["chance", "{card}"]', f'[["chance", "{other}"]'))


def test_names_and_handles() -> None:
    assert {"fairy_meat", "kuhn"} <= set(fm_env.names())
    assert "kuhn" in repr(KUHN)
    assert KUHN.action_text(KUHN.spec(), 1) == "bet"
    with pytest.raises(AttributeError):
        fm_env.no_such_thing  # noqa: B018
    with pytest.raises(AttributeError):
        KUHN.no_such_thing  # noqa: B018
