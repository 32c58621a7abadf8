"""`fm-env play` and `fm-env replay` as a person uses them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agents import terminal
from agents.replay_command import says_something
from agents.sitting import best_agent
from fm_env.cli import app
from fm_env.match import load as load_game
from fm_env.replay import Alternative, Thought, load
from fm_env.replay_check import verify

DUEL = ["--scenario", "duel", "--set", "rounds=1"]
GAMES = [
    ["--scenario", "clash"],
    DUEL,
    ["--game", "sword_and_shield"],
    ["--game", "angry_miniatures"],
    ["--game", "fairy_tale"],
]


def played(arguments: list[str], typed: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["play", *arguments], input=typed)
    assert result.exit_code == code, (result.output, result.exception)
    return result.output


@pytest.mark.parametrize("game", GAMES, ids=" ".join)
def test_every_game_can_be_played_to_its_end(game: list[str], tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    said = played([*game, "--seed", "3", "--save", str(file)], "1\n" * 600)
    assert "Returns: " in said
    assert verify(load(file)).is_over


def test_garbage_is_answered_and_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    typed = "0\n99\n-1\nrm -rf\n\n\x00\n²\n?\nhint\nshow\nlog\n" + "add\n"
    said = played(["--scenario", "clash", "--seed", "1", "--save", str(file)], typed)
    assert said.count("Not one of the choices") == 6
    assert "fm-env games" in said
    assert "%  Trumps add" in said or "%  Trumps subtract" in said
    assert "A declares that her trumps add." in said
    assert "--resume" in said


def test_a_game_left_by_the_end_of_input_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    played([*DUEL, "--seed", "5", "--save", str(file)], "1\n1\nquit\n")
    kept = verify(load(file))
    assert not kept.is_over
    assert "Returns" in played(["--resume", str(file)], "1\n" * 300)
    assert verify(load(file)).texts[: len(kept.texts)] == kept.texts
    whole = tmp_path / "whole.json"
    played([*DUEL, "--seed", "5", "--save", str(whole)], "1\n" * 300)
    assert load(whole).match == load(file).match, "a break changed the game"


def test_an_interrupt_keeps_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(terminal.Table, "_answer", interrupt)
    file = tmp_path / "game.json"
    assert "Left." in played([*DUEL, "--seed", "5", "--save", str(file)], "")
    assert not verify(load(file)).is_over


def test_nothing_is_told_that_the_seat_may_not_know(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    said = played(["--scenario", "clash", "--seed", "2", "--save", str(file)], "1\nquit\n")
    hidden = [text for who, text in load(file).match["events"] if who == "chance"]
    assert "B draws 3 cards." in said
    own, others = hidden[:4], hidden[4:]
    assert f"A draws {' '.join(own)}." in said
    for card in set(others) - set(own):
        assert card not in said


def test_mistakes_are_explained(tmp_path: Path) -> None:
    for arguments in (["--seat", "7"], ["--agent", "nobody"], ["--resume", str(tmp_path / "none.json")]):
        result = CliRunner().invoke(app, ["play", *arguments])
        assert result.exit_code != 0
        assert result.exception is not None
        assert str(result.exception)


def test_thoughts_are_shown_where_they_tell_more_than_the_choice() -> None:
    sure = Alternative(text="add", probability=1.0)
    torn = [Alternative(text="add", probability=0.7), Alternative(text="subtract", probability=0.3)]
    assert not says_something(Thought(event=0, seat=0, alternatives=[sure]))
    assert says_something(Thought(event=0, seat=0, alternatives=torn))
    assert says_something(Thought(event=0, seat=0, alternatives=[sure], win_estimate=0.5))


def test_record_show_and_verify(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    arguments = ["replay", "record", str(file), "--scenario", "clash", "--agents", "policy:clash,bluffer"]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    shown = CliRunner().invoke(app, ["replay", "show", str(file)])
    assert "seat 0 weighs" in shown.output and "policy:clash" in shown.output
    assert "9r is the red nine" in shown.output
    own = CliRunner().invoke(app, ["replay", "show", str(file), "--seat", "1"])
    assert "A draws a card." in own.output and "seat 0 weighs" not in own.output
    assert CliRunner().invoke(app, ["replay", "verify", str(file)]).exit_code == 0
    data = json.loads(file.read_text())
    data["match"]["events"][-1][1] = "2r"
    file.write_text(json.dumps(data))
    bad = CliRunner().invoke(app, ["replay", "verify", str(file)])
    assert bad.exit_code == 1 and f"step {len(data['match']['events']) - 1}" in bad.output
    assert CliRunner().invoke(app, ["replay", "show", str(file), "--seat", "9"]).exit_code != 0


def test_best_agents_can_play_what_they_are_named_for() -> None:
    expected = {"clash": "equilibrium", "duel": "policy:duel"}
    handle = load_game("fairy_meat")
    for scenario, spec in expected.items():
        assert best_agent(handle.game, handle.scenario(scenario)) == spec
    tale = load_game("fairy_tale")
    assert best_agent(tale.game, tale.scenario("expert")) == "policy:tale"
