"""HUNT, OPEN and CLOSE: what they touch, in which order, and who chooses (T:66-75)."""

from __future__ import annotations

from typing import Any

from fm_env.engine import engine_of
from fm_env.games.fairy_tale.constants import NO_CARD
from fm_env.records import rows_of
from fm_env.rng import row_for
from tests.games.fairy_tale.play import FILL, down, round_of, rule, step, up


def odd_deck() -> dict[str, Any]:
    """Effects that the standard deck doesn't have."""
    shadow = {"race": "shadow", "kind": "character", "points": 1}
    wood = {"race": "fairywood", "kind": "character", "points": 1}
    return {
        "name": "odd",
        "card": [
            {"name": "Bard", **wood, "copies": 12},
            {"name": "Elf", **wood, "copies": 12},
            {"name": "Stalker", **shadow, "copies": 3, "effect": {"do": "hunt", "race": "shadow"}},
            {"name": "Waker", **wood, "copies": 3, "effect": {"do": "open", "who": "all", "race": "shadow"}},
            {"name": "Ghost", **shadow, "copies": 3, "effect": {"do": "close", "who": "all", "race": "any"}},
            {
                "name": "Storm",
                **wood,
                "copies": 3,
                "effect": {"do": "close", "who": "you", "race": "fairywood", "count": 2},
            },
        ],
    }


def odd(*hands: list[str], **options: Any) -> Any:
    return round_of(
        *([*hand, "Bard", "Bard", "Elf", "Elf", "Elf"][:5] for hand in hands), deck=odd_deck(), **options
    )


@rule("T-01")
def test_opening_comes_before_closing_whoever_leads():
    m = round_of(["Eclipse"], ["Dawn"], seats=[{"down": ["Bard"]}, {}])
    step(m, "Eclipse", "Dawn")
    # Seat 0 leads with the CLOSE, yet Dawn has opened Bard already.
    assert m.legal(0) == ("close Bard", "close Eclipse")


@rule("T-01", "T-03")
def test_hunting_comes_before_everything():
    m = round_of(["Eclipse"], ["Dragon Hunter"])
    step(m, "Eclipse", "Dragon Hunter")
    assert down(m, 0) == ["Eclipse"]
    assert up(m, 1) == ["Dragon Hunter"]
    assert m.legal(1)[0].startswith("play")


@rule("T-02")
def test_a_card_opened_later_does_nothing_again():
    m = round_of(["Shadow Herald"], ["Bard"], seats=[{"down": ["Eclipse"]}, {}])
    step(m, "Shadow Herald", "Bard")
    assert up(m, 0) == ["Shadow Herald", "Eclipse"]
    assert up(m, 1) == ["Bard"]


@rule("T-03")
def test_a_card_closed_by_another_close_has_fired_all_the_same():
    m = round_of(["Eclipse"], ["Demon of the Valley"], seats=[{"up": ["Sky Dance Dragon"]}, {}])
    step(m, "Eclipse", "Demon of the Valley")
    m.play(0, "close Eclipse")
    assert down(m, 1) == ["Demon of the Valley"]
    assert down(m, 0) == ["Sky Dance Dragon", "Eclipse"]


@rule("T-03")
def test_all_hunts_happen_together():
    m = odd(["Stalker"], ["Stalker"])
    step(m, "Stalker", "Stalker")
    assert [down(m, 0), down(m, 1)] == [["Stalker"], ["Stalker"]]


@rule("T-04")
def test_a_hunt_takes_every_match_of_the_step_and_nothing_older():
    old = {"up": ["Shadow Wanderer"]}
    m = round_of(["Imperial Hunter"], ["Shadow Keep"], ["Demon of the Valley"], seats=[{}, old, {}])
    step(m, "Imperial Hunter", "Shadow Keep", "Demon of the Valley")
    assert [down(m, 1), down(m, 2)] == [["Shadow Keep"], ["Demon of the Valley"]]
    assert up(m, 1) == ["Shadow Wanderer"]


@rule("T-04")
def test_a_hunt_takes_the_hunter_if_she_matches():
    m = odd(["Stalker"], ["Bard"])
    step(m, "Stalker", "Bard")
    assert down(m, 0) == ["Stalker"]


@rule("T-05")
def test_a_hunted_card_may_be_opened_in_the_same_step_and_stays_without_effect():
    m = odd(["Waker"], ["Ghost"], ["Stalker"])
    step(m, "Waker", "Ghost", "Stalker")
    assert [up(m, 1), up(m, 2)] == [["Ghost"], ["Stalker"]]
    assert m.legal(0)[0].startswith("play")  # no CLOSE by Ghost


@rule("T-06")
def test_each_owner_picks_her_own_card_and_all_means_all():
    two = {"up": ["Sky Dance Dragon", "Valley Village"]}
    m = round_of(["Demon of the Valley"], ["Bard"], ["Bard"], seats=[two, two, {}])
    step(m, "Demon of the Valley", "Bard", "Bard")
    assert m.pending == (0, 1)
    assert m.legal(1) == ("close Sky Dance Dragon", "close Valley Village")
    m.play(1, "close Valley Village")
    m.play(0, "close Sky Dance Dragon")
    assert [down(m, k) for k in range(3)] == [["Sky Dance Dragon"], ["Valley Village"], []]


@rule("T-06")
def test_you_means_the_player_alone():
    two = {"up": ["Sky Dance Dragon", "Valley Village"]}
    m = round_of(["Dragon's Cave"], ["Bard"], seats=[two, two])
    step(m, "Dragon's Cave", "Bard")
    assert m.pending == (0,)


@rule("T-07")
def test_all_pick_in_secret_and_turn_together():
    two = {"up": ["Sky Dance Dragon", "Valley Village"]}
    m = round_of(["Demon of the Valley"], ["Bard"], seats=[two, two])
    step(m, "Demon of the Valley", "Bard")
    before = m.observation(1).tobytes(), m.text(1)
    m.play(0, "close Valley Village")
    assert down(m, 0) == []
    assert (m.observation(1).tobytes(), m.text(1)) == before
    m.play(1, "close Valley Village")
    assert [down(m, 0), down(m, 1)] == [["Valley Village"], ["Valley Village"]]


@rule("T-07")
def test_guesses_of_what_another_has_picked_are_what_she_may_pick():
    two = {"up": ["Sky Dance Dragon", "Valley Village"]}
    m = round_of(["Demon of the Valley"], ["Bard"], seats=[two, two])
    step(m, "Demon of the Valley", "Bard")
    engine, found = engine_of(m.game), {}
    for picks, seeds in ((0, 2), (1, 12)):
        guesses = set()
        for seed in range(seeds):
            guess = rows_of(m.state)
            engine.resample(guess, 0, 1, row_for(seed))
            assert engine.faults(guess, 0) == 0
            assert guess["n_turned"][0].tolist()[:2] == [picks, 0]
            guesses.add(int(guess["turned"][0, 0, 0]))
        found[picks] = guesses
        if not picks:
            m.play(0, "close Valley Village")
    assert found[0] == {NO_CARD}
    assert len(found[1]) == 2
    assert int(m.state.turned[0, 0]) in found[1]


@rule("T-07")
def test_two_closes_take_two_cards():
    three = {"up": ["Sky Dance Dragon", "Valley Village", "Bronze Dragon"]}
    m = round_of(["Demon of the Valley"], ["Demon of the Valley"], seats=[three, {}])
    step(m, "Demon of the Valley", "Demon of the Valley")
    m.play(0, "close Valley Village")
    assert m.legal(0) == ("close Sky Dance Dragon", "close Bronze Dragon")


@rule("T-07")
def test_effects_go_in_seat_order_from_the_leading_seat():
    mine = {"up": ["Sky Dance Dragon", "Valley Village", "Imperial Village", "Homesteader"]}
    hands = (["Demon of the Valley"], ["Demon of the Empire"])
    for first, expected in ((0, "close Sky Dance Dragon"), (1, "close Homesteader")):
        m = round_of(*hands, seats=[mine, {}], first_seat=first)
        step(m, "Demon of the Valley", "Demon of the Empire")
        assert expected in m.legal(0)
        assert len(m.legal(0)) == 2


@rule("T-07")
def test_the_lead_moves_on_each_round():
    m = round_of([], [], rounds=2, seed=1)
    assert "seat 0 leads" in str(m)
    for card in FILL[:3]:
        step(m, card, card)
    assert "round 2 of 2, seat 1 leads" in str(m)


@rule("T-08")
def test_a_close_turns_its_own_card_if_there_is_no_other():
    m = round_of(["Dragon's Cave"], ["Bard"])
    step(m, "Dragon's Cave", "Bard")
    assert down(m, 0) == ["Dragon's Cave"]


@rule("T-08")
def test_the_card_just_played_may_be_chosen():
    m = round_of(["Dragon's Cave"], ["Bard"], seats=[{"up": ["Sky Dance Dragon"]}, {}])
    step(m, "Dragon's Cave", "Bard")
    assert m.legal(0) == ("close Dragon's Cave", "close Sky Dance Dragon")


@rule("T-08")
def test_without_a_target_nothing_happens():
    m = round_of(["Valley Herald"], ["Demon of the Forest"], seats=[{"down": ["Homesteader"]}, {}])
    step(m, "Valley Herald", "Demon of the Forest")
    assert down(m, 0) == ["Homesteader"]
    assert m.legal(0)[0].startswith("play")


@rule("T-09")
def test_one_is_about_a_race_and_any_about_all():
    mine = {"up": ["Sky Dance Dragon", "Homesteader"]}
    m = round_of(["Dragon's Cave"], ["Bard"], seats=[mine, {}])
    step(m, "Dragon's Cave", "Bard")
    assert m.legal(0) == ("close Dragon's Cave", "close Sky Dance Dragon")
    m = round_of(["Shadow Keep"], ["Bard"], seats=[mine, {}])
    step(m, "Shadow Keep", "Bard")
    assert m.legal(0) == ("close Sky Dance Dragon", "close Homesteader", "close Shadow Keep")


@rule("T-09")
def test_an_effect_may_turn_several_cards():
    m = odd(["Storm"], ["Bard"], seats=[{"up": ["Bard", "Elf", "Elf"]}, {}])
    step(m, "Storm", "Bard")
    m.play(0, "close Bard")
    assert m.legal(0) == ("close Elf", "close Storm")  # the only Bard is chosen
    assert down(m, 0) == []
    m.play(0, "close Elf")
    assert down(m, 0) == ["Bard", "Elf"]


@rule("T-24")
def test_who_has_no_choice_is_not_asked():
    alike = {"up": ["Sky Dance Dragon", "Sky Dance Dragon"]}
    m = round_of(["Demon of the Valley"], ["Bard"], ["Bard"], seats=[{}, alike, {"up": ["Bronze Dragon"]}])
    step(m, "Demon of the Valley", "Bard", "Bard")
    assert [down(m, 1), down(m, 2)] == [["Sky Dance Dragon"], ["Bronze Dragon"]]
    m = odd(["Storm"], ["Bard"], seats=[{"up": ["Bard"]}, {}])
    step(m, "Storm", "Bard")
    assert down(m, 0) == ["Bard", "Storm"]
