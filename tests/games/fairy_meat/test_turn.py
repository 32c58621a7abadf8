"""What a fairy may do in her turn on the whole table, and in which order."""

from __future__ import annotations

import pytest

from fm_env.games.fairy_meat.constants import Mode
from tests.games.fairy_meat.play import rule
from tests.games.fairy_meat.table_play import act, box, corpse, does, fight, hands, legal, named, place, turn

A = {"x": 10, "y": 24}
B = {"x": 11, "y": 24}
FAR = {"x": 40, "y": 40}
MODES = {"pose", "pounce", "frolic", "flutter"}
BLOW = "attack bare-handed"
# A blow by one Kill Point at one Live Point: 2 for the attacker, who is beaten, so that her turn goes on.
MISS = "2r 9r 9b"
WEAK = {"kill": 1, "live": 3}


@rule("F-25")
@pytest.mark.parametrize(("mode", "cards"), [("pose", 4), ("pounce", 3), ("frolic", 3), ("flutter", 2)])
def test_who_attacks_first_declares_her_mode_and_draws_by_it(mode, cards):
    m = does(turn({**A, "kill": 3}, B), BLOW)
    assert legal(m) == MODES
    assert hands(does(m, mode))[0] == cards


@rule("F-25")
@pytest.mark.parametrize("mode", sorted(MODES))
def test_the_declared_mode_binds_her(mode):
    m = fight(does(turn({**A, **WEAK, "kill": 2}, {**B, "live": 1}, draws="2r 3r 9r 9b"), BLOW, mode))
    assert legal(m) & MODES == (set() if mode == "pose" else {mode})
    assert BLOW not in legal(m), "one attack a turn"


@rule("F-25", "F-49")
@pytest.mark.parametrize(("mode", "cards"), [("pounce", 3), ("frolic", 3), ("flutter", 2)])
def test_who_moved_first_draws_by_how_she_moved(mode, cards):
    m = does(turn({**A, "kill": 3}, {"x": 13, "y": 24}), mode, "go to", BLOW)
    assert hands(m)[0] == cards, "no question: she has moved"


@rule("F-25", "F-49")
def test_the_mode_counts_for_shots():
    bow = {**A, "weapons": ["brownie_bow"]}
    for mode, cards in (("pose", 3), ("frolic", 2), ("flutter", 1)):
        assert hands(does(turn(bow, FAR), "attack with weapon 1", mode))[0] == cards


@rule("F-25")
def test_last_turns_mode_says_nothing_about_this_one():
    m = turn({**A, "kill": 3}, {**B, "kill": 3}, draws="2r 2b 3r 3b 4r 9r 9b 8r")
    fight(does(m, BLOW, "flutter"))
    does(m, "end turn")
    while m.state.round_number == 1 or m.state.turn != 0:
        seat = m.pending[0]
        options = m.legal(seat)
        choice = next(
            (t for t in options if t in ("end turn", "think 0") or t.startswith("act at")), options[0]
        )
        m.play(seat, choice)
    does(m, BLOW)
    assert legal(m) == MODES and m.state.stance[0] == 0


@rule("F-38")
def test_without_kill_there_is_no_attack():
    m = turn({**A, "kill": 0, "weapons": ["brownie_bow"]}, B)
    assert not {text for text in legal(m) if text.startswith("attack")}


@rule("F-48", "F-50")
def test_any_weapon_may_be_used_a_bow_in_contact_too():
    m = turn({**A, "weapons": ["moon_dagger", "fairy_shot_bow"]}, B)
    assert {BLOW, "attack with weapon 1", "attack with weapon 2"} <= legal(m)
    does(m, "attack with weapon 2", "frolic")
    assert hands(m) == (1, 4)
    m = turn({**A, "weapons": ["moon_dagger", "fairy_shot_bow"]}, {"x": 13, "y": 24})
    assert legal(m) & {BLOW, "attack with weapon 1", "attack with weapon 2"} == {"attack with weapon 2"}


@rule("F-53")
def test_a_friend_in_contact_may_be_attacked():
    m = turn(A, FAR, {**B, "seat": 0})
    does(m, BLOW, "frolic")
    assert m.state.defender == 2


@rule("U-33")
def test_a_wrestle_is_for_unclevls_combat_and_needs_contact():
    assert "wrestle" in legal(turn(A, B, combat="unclevl"))
    assert "wrestle" not in legal(turn(A, {"x": 13, "y": 24}, combat="unclevl"))
    assert "wrestle" not in legal(turn(A, B))


@rule("F-53")
def test_with_several_in_reach_she_names_one():
    m = turn(A, B, {"x": 9, "y": 24, "seat": 1}, {"x": 10, "y": 26, "seat": 1})
    does(m, BLOW, "frolic")
    assert legal(m) == {named(m, "A", "B"), named(m, "A", "C")}
    assert does(m, named(m, "A", "C")).state.defender == 2


@rule("F-60")
def test_the_attack_may_be_given_up_for_one_twinkle_point():
    spent = {**A, "twinkle": 1, "used_twinkle": 2, "magic": "sweet"}
    m = turn(spent, B, corpse(9, 24, seat=1))
    does(m, "rest")
    s = m.state
    assert (s.twinkle[0], s.used_twinkle[0]) == (2, 1) and s.turn == 0, "her turn goes on"
    assert not legal(m) & {"rest", BLOW, "eat live instead of attacking"}
    assert {"frolic", "cast wind-up", "eat live instead of moving"} <= legal(m)
    assert "rest" not in legal(turn({**A, "twinkle": 1}, B)), "nothing to regain"


@rule("F-60")
def test_no_rest_after_an_attack_or_a_bite_in_its_place():
    spent = {**A, "used_twinkle": 2}
    m = fight(does(turn({**spent, **WEAK}, {**B, "live": 1}, draws=MISS), BLOW, "frolic", "keep trumps"))
    assert "rest" not in legal(m)
    m = does(turn(spent, B, corpse(9, 24, seat=1)), "eat live instead of attacking")
    assert "rest" not in legal(m) and BLOW not in legal(m)


@rule("F-60", "F-25")
def test_move_attack_and_twinkle_come_in_any_order():
    """Twinkle, attack, Twinkle, move, Twinkle, and then nothing but the end is left."""
    m = turn({**A, **WEAK, "twinkle": 3, "magic": "sweet"}, {**B, "live": 1}, draws=MISS)
    me = named(m, "A", "A")
    does(m, "cast wind-up", "0 extra points", me, BLOW, "frolic")
    fight(m)
    does(m, "cast wind-up", "0 extra points", me, "frolic", "head W", "as far as she can", "halt")
    assert place(m, "A")[0] == 0.5 and "end turn" in legal(m)
    does(m, "cast wind-up", me)
    assert legal(m) == {"end turn"} and m.state.wind_up[0] == 4000


@rule("F-30")
def test_one_move_a_turn_and_it_may_be_none():
    m = does(turn(A, FAR), "end turn")
    assert m.state.turn != 0 and place(m, "A") == (10, 24, 0)
    m = does(turn(A, FAR), "frolic", "head E", '1"', "halt")
    assert not legal(m) & MODES and m.state.mode == Mode.FROLIC


@rule("U-36")
def test_a_vibro_master_strikes_twice_under_unclevls_rules_only():
    m = turn({**A, "weapons": ["vibro_master"]}, B, combat="unclevl")
    does(m, "attack with weapon 1", "frolic")
    assert m.state.attacks_left == 2


@rule("F-73")
def test_corpses_are_no_target_of_attacks():
    m = turn(A, FAR, corpse(11, 24, seat=1))
    assert BLOW not in legal(m)


@rule("F-66")
def test_the_battle_ends_after_the_turn_in_which_only_one_side_is_left():
    """The killer may still move and eat first."""
    m = turn({**A, "kill": 1}, {**B, "live": 0, "kill": 1, "seat": 1}, draws="9r 2r")
    fight(does(m, BLOW, "frolic"))
    assert not m.is_over and m.state.alive[1] == 0 and "eat kill instead of moving" in legal(m)
    does(m, "eat kill instead of moving", "end turn")
    assert m.is_over and m.returns() == (1, -1)


@rule("F-13")
def test_her_order_card_is_gone_when_her_turn_starts():
    """B acts, then A attacks B: no card for an Order Card any more."""
    m = turn({**A, "kill": 1}, {**B, "kill": 1, "live": 2}, who="B")
    does(m, "end turn")
    act(m, "A")
    assert hands(does(m, BLOW, "frolic")) == (1, 2)


@rule("F-22")
def test_a_fairy_on_top_of_a_box_starts_there():
    assert place(turn(A, FAR, pieces=(box(10, 24, 4, 4, 2),)), "A") == (10, 24, 2)
