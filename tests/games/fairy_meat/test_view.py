"""The words: nothing hidden in them, nothing left unsaid."""

from __future__ import annotations

import random

import pytest

from fm_env.engine import engine_of
from fm_env.games.fairy_meat import narration
from fm_env.games.fairy_meat.constants import FIRST_CHANCE, Phase
from fm_env.records import rows_of
from fm_env.rng import row_for
from tests.games.fairy_meat.play import attack, clash, duel, game, play, scuffle, words

TABLES = [
    ("clash", {}),
    ("clash", {"combat": "fast_play"}),
    ("clash", {"kind": "rose_prick", "deck": {"X": 6, "9r": 4, "8b": 4, "Jr": 4, "Kb": 4}}),
    ("clash", {"kind": "wrestle", "a": 6, "d": 1}),
    ("duel", {"types": ["glitter", "wild"], "attacks": [3, None], "rounds": 3}),
    ("duel", {"combat": "fast_play", "weapons": ["ripper", "black_wand"], "rounds": 3}),
    ("scuffle", {"rounds": 2}),
    ("scuffle", {"num_players": 2, "combat": "fast_play", "rounds": 2}),
]


def random_match(scenario, options, seed):
    """A finished random game that likes to fight."""
    m = game().new_match(scenario=scenario, seed=seed, **options)
    luck = random.Random(seed)
    positions = [m.clone()]
    while not m.is_over:
        seat = luck.choice(m.pending)
        legal = m.legal(seat)
        fights = [text for text in legal if text.startswith(("attack", "wrestle", "fairy"))]
        m.play(seat, luck.choice(fights or legal))
        positions.append(m.clone())
    return m, positions


@pytest.mark.parametrize(("scenario", "options"), TABLES)
def test_every_event_has_words_and_they_end_where_the_state_does(scenario, options):
    for seed in range(3):
        m, positions = random_match(scenario, options, seed)
        assert all(event.words.endswith(".") for event in m.log)
        for before in positions[:40]:
            for seat in before.pending:
                for action in before.legal_ids(seat)[:4]:
                    after = before.clone()
                    after._happen(seat, action)
                    assert (
                        list(narration.walk(before.state, seat, action))[-1].tobytes()
                        == after.state.tobytes()
                    )


@pytest.mark.parametrize(("scenario", "options"), TABLES)
def test_the_text_of_a_seat_stays_when_what_it_cannot_see_changes(scenario, options):
    """Whatever is dealt anew over the cards and choices that a seat can't see, its text is the same."""
    engine, rng = engine_of(game().game), row_for(5)
    changed = 0
    for seed in range(2):
        _, positions = random_match(scenario, options, seed)
        for m in positions:
            for seat in range(m.spec.num_seats):
                states = rows_of(m.state)
                engine.resample(states, 0, seat, rng)
                changed += states[0].tobytes() != m.state.tobytes()
                assert m.game.state_text(states[0], seat) == m.text(seat)
    assert changed > 10


def test_a_seat_is_not_told_whether_others_have_chosen_yet():
    m = duel({}, {}, "5r 9b")
    waiting = m.text(1)
    m.play(0, "hold")
    assert m.text(1) == waiting
    assert m.text(0).endswith("Others may have yet to plan when to act.")
    assert m.text().endswith("B (seat 1) is to plan when to act.")


def test_hands_order_cards_and_trumps_face_down_are_shown_to_their_owner_only():
    m = attack("9r 8r Jb", "5r 4r Qr", a={"live": 5})
    play(m, "A: add  B: subtract  A: trumps b1  B: trumps none")
    mine, hers, all_seeing = m.text(0), m.text(1), m.text()
    assert "A holds 8r 9r, declared add; on the table: 1 trump face down (Jb)" in mine
    assert "B holds 3 cards, declared subtract" in mine and "1 Order Card" in mine
    assert "A holds 2 cards, declared add; on the table: 1 trump face down\n" in hers
    assert "B holds 4r 5r Qr" in hers and "Order Cards Kb" in hers
    assert (
        "A holds 8r 9r" in all_seeing and "B holds 4r 5r Qr" in all_seeing and "Order Cards Kb" in all_seeing
    )


def test_text_of_a_position():
    m = attack("2r 8r", "6r 5r 4r", a={"attacks": 2, "stance": "pose", "kill": 1}, seed=2)
    assert m.text().splitlines()[:2] == [
        "Round 1 of 8 (UnclEvl's combat), countdown at K down",
        "A (seat 0, seasoned, unarmed, posing): Live 3 Kill 1 Twinkle 0; meat 0+0, used Twinkle 0; has acted",
    ]
    assert m.text(0).endswith("A (seat 0) is to declare add or subtract.")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            "A: trumps b2  B: trumps r1",
            "B lays 1 red trump face down. A shows Jb Qb. B shows Kr.",
        ),
        (
            "A: trumps b2  B: trumps none",
            "B chooses to lay no trumps. A's 2 trumps stay face down. B says None.",
        ),
        (
            "A: trumps b2  B: trumps r1  A: 9r  B: 6r",
            "B lays 6r face down. A shows 9r. B shows 6r. A is caught with 2 black trumps on a red number.",
        ),
        (
            "A: trumps b2  B: trumps r1  A: 9r  B: 6r  B: cheat own+ hers-",
            "B uses the caught trumps: +2 on her own number and -2 on A's. "
            "A 7 against B 9, one colour, high wins: B wins 1 point.",
        ),
        (
            "A: trumps none  B: trumps none  A: 9r  B: 6r",
            "B lays 6r face down. A shows 9r. B shows 6r. "
            "A 9 against B 6, one colour, high wins: A wins 2 points.",
        ),
        (
            "A: trumps none  B: trumps none  A: 8r  B: 8b",
            "B lays 8b face down. A shows 8r. B shows 8b. "
            "A 8 against B 8, two colours, low wins: they are equal, and nothing happens. Nobody scores.",
        ),
    ],
)
def test_what_a_clash_says(table, said):
    m = play(clash("9r 8r Jb Qb", "6r 5r 8b Kr"), "A: add  B: add " + table)
    assert words(m) == said


def test_what_a_duel_says():
    m = duel(
        {"kill": 2, "weapons": ["ripper"]}, {"live": 3, "kill": 1}, "Kr Kb 9r 8r 7b 4b 3b  5r 4r 3r", seed=1
    )
    play(
        m,
        "A: act at K down  B: hold  A: attack with weapon 1  A: subtract  B: add  "
        "A: 9r  B: 5r  B: lose live  B: lose kill",
    )
    said = [event.words for event in m.log]
    for sentence in (
        "A plans in secret to act at K down.",
        "B plans in secret to hold as long as she may. A turns up Kr at K down.",
        "A attacks with her ripper.",
        "A declares that her trumps subtract.",
        "B lays 5r face down. A shows 9r. B shows 5r. "
        "A 9 against B 5, one colour, high wins: B takes 2 damage.",
        "B gives a Live Point. B has Live 2, Kill 1 (mangled).",
    ):
        assert sentence in said


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ("8b", "A wins 1 point, too late to use them this round."),
        ("9b", "they are equal, and nothing happens."),
    ],
)
def test_points_that_come_too_late_are_called_so(number, said):
    """A has had her turn when B attacks: what she wins in defence is of no use to her (U-25)."""
    m = duel({}, {"kill": 1}, "Kr 2b 9r 8r 8b 9b 7b", seed=1)
    play(m, "A: act at K down  B: hold  A: end turn  B: act at 2 down  B: attack bare-handed  B: add  A: add")
    play(m, f"B: 9r  A: {number}")
    assert any(said in event.words for event in m.log)


def test_points_in_time_are_cards_to_come():
    m = play(attack("5r 4r", "2b"), "A: add  B: add  A: 4r  B: 2b")
    assert any("B wins 1 point. B will draw 1 extra card against A." in event.words for event in m.log)


def test_a_shot_that_is_sent_on():
    m = scuffle(
        3,
        [{"weapons": ["fairy_shot_bow"], "kill": 1}, {"live": 1}, {}],
        "Kr 2b 3b X 9r 5r 4r",
        decks=1,
        seed=1,
    )
    play(
        m,
        "A: act at K down  B: hold  C: hold  A: attack with weapon 1  A: fairy 1  "
        "A: add  B: add  A: joker  B: 5r",
    )
    play(m, "B: fairy 1")
    assert words(m) == "B's player sends the shot at C."


def test_a_plan_is_told_again_only_if_it_changes_or_in_a_new_round():
    tell = narration.Briefly()
    plan, other = "A plans in secret to act at T down.", "A plans in secret to hold as long as she may."
    assert tell(plan) == plan and tell(plan.replace("A", "B")) == plan.replace("A", "B")
    assert tell(plan) == "" and tell(f"{plan} B turns up Kb at K down.") == "B turns up Kb at K down."
    assert tell(other) == other and tell(other) == "" and tell(plan) == plan
    assert tell("A ends her turn. Round 2 begins.") == "A ends her turn. Round 2 begins."
    assert tell(plan) == plan
    assert tell("A keeps her trumps.") == tell("A keeps her trumps.") == "A keeps her trumps."


def test_phases_are_named_in_words():
    """Every decision phase has a task and words for its choices (a warband's belong to no fairy)."""
    from fm_env.games.fairy_meat.view import TASKS

    decisions = {phase for phase in Phase if phase < FIRST_CHANCE}
    assert set(TASKS) == decisions == {*narration.CHOICE_WORDS, Phase.BUILD}
