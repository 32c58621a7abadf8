"""The four spells on the whole table."""

from __future__ import annotations

import pytest

from tests.games.fairy_meat.play import rule
from tests.games.fairy_meat.table_play import act, box, does, fight, hands, legal, named, place, turn

A = {"x": 10, "y": 24}
B = {"x": 11, "y": 24}
FAR = {"x": 40, "y": 40}
SWEET = {**A, "magic": "sweet", "twinkle": 3}
MEAN = {**A, "magic": "mean", "twinkle": 3}
BLOW = "attack bare-handed"
ALL = "as far as she can"
SPELLS = {"cast wind-up", "cast shimmer", "cast wing bind", "cast rose prick"}


def cast(m, spell, caster, target, extra=0):
    """With so many extra points, where she is asked for them."""
    does(m, f"cast {spell}")
    if "0 extra points" in legal(m):
        does(m, f"{extra} extra points")
    if legal(m) & {named(m, caster, target)} and m.state.phase == 4:
        does(m, named(m, caster, target))
    return m


def twinkle(m, f=0):
    return int(m.state.twinkle[f]), int(m.state.used_twinkle[f])


def flown(m, mode="frolic", heading="W"):
    """How far the fairy in turn flies."""
    f = int(m.state.turn)
    x = int(m.state.pos[f, 0])
    does(m, mode, f"head {heading}", ALL, "halt")
    return abs(int(m.state.pos[f, 0]) - x) / 1000


# ----------------------------------------------------------------------------------- in general
@rule("F-54")
@pytest.mark.parametrize(
    ("magic", "points", "spells"),
    [
        ("sweet", 3, {"cast wind-up", "cast shimmer"}),
        ("mean", 3, {"cast wing bind", "cast rose prick"}),
        ("sweet", 1, {"cast wind-up"}),
        ("mean", 1, {"cast wing bind"}),
        ("mean", 0, set()),
    ],
)
def test_a_fairy_casts_the_spells_of_her_side_that_she_can_pay(magic, points, spells):
    m = turn({**A, "magic": magic, "twinkle": points}, FAR)
    assert legal(m) & SPELLS == spells


@rule("F-54", "F-55")
def test_spells_cost_twinkle_and_may_be_cast_as_often_as_it_lasts():
    m = cast(turn(SWEET, FAR), "wind-up", "A", "A")
    assert twinkle(m) == (2, 1)
    cast(m, "shimmer", "A", "A")
    assert twinkle(m) == (0, 3) and not legal(m) & SPELLS


@rule("F-55")
@pytest.mark.parametrize(("extra", "inches"), [(0, 4), (1, 6), (2, 8)])
def test_extra_points_wind_up_further(extra, inches):
    m = does(turn(SWEET, FAR), "cast wind-up")
    assert legal(m) == {"0 extra points", "1 extra points", "2 extra points"}
    does(m, f"{extra} extra points", named(m, "A", "A"))
    assert twinkle(m) == (2 - extra, 1 + extra) and m.state.wind_up[0] == 1000 * inches


@rule("F-54")
def test_spells_need_sight_and_no_range_and_no_kill():
    wall = box(25, 32, 1, 8, 9)
    m = turn({**MEAN, "kill": 0}, FAR, {"x": 10, "y": 47, "seat": 1}, pieces=(wall,))
    assert m.state.sees[0, 1] == 0
    assert "cast rose prick" in legal(m)
    does(m, "cast wing bind")
    assert legal(m) == {named(m, "A", "A"), named(m, "A", "C")}
    m = turn({**MEAN, "kill": 0}, FAR, pieces=(wall,))
    assert "cast rose prick" not in legal(m) and "cast wing bind" in legal(m)


@rule("F-34", "F-79")
def test_spells_may_be_cast_at_oneself_but_no_thorn():
    m = does(turn(MEAN, FAR, {"x": 10, "y": 47, "seat": 1}), "cast rose prick", "0 extra points")
    assert legal(m) == {named(m, "A", "B"), named(m, "A", "C")}
    m = does(turn(SWEET, FAR), "cast shimmer", "0 extra points")
    assert named(m, "A", "A") in legal(m)


# -------------------------------------------------------------------------------------- wind-up
@rule("F-31", "F-30")
def test_wind_up_lengthens_one_move_and_is_spent():
    m = cast(turn(SWEET, FAR), "wind-up", "A", "A", extra=2)
    assert flown(m, "pounce", "E") == 11
    assert m.state.wind_up[0] == 0


@rule("F-30")
@pytest.mark.parametrize(("height", "lands"), [(7, True), (7.1, False)])
def test_wind_up_lifts_her_too(height, lands):
    m = cast(turn(SWEET, FAR, pieces=(box(14, 24, 4, 4, height),)), "wind-up", "A", "A")
    does(m, "flutter", "head E", '4"', "halt")
    assert (place(m, "A")[2] == height) == lands


@rule("F-31")
def test_wind_up_waits_for_the_next_move_even_in_a_later_round():
    m = cast(turn(SWEET, {**FAR, "seat": 0}, {"x": 47, "y": 2, "seat": 1}), "wind-up", "A", "B")
    cast(m, "wind-up", "A", "B")
    does(m, "end turn")
    while m.state.round_number == 1:
        seat = m.pending[0]
        options = m.legal(seat)
        m.play(seat, "end turn" if "end turn" in options else options[0])
    act(m, "B")
    assert flown(m) == 14, "two of them add up"
    assert m.state.wind_up[1] == 0


# -------------------------------------------------------------------------------------- shimmer
@rule("F-56", "F-55")
@pytest.mark.parametrize(("extra", "cards"), [(0, 4), (1, 5)])
def test_shimmer_adds_cards_to_blows_shots_and_thorns(extra, cards):
    """B has Live 1, her Order Card and the shimmer."""
    b = {**B, "live": 1}
    witch = {"x": 10, "y": 30, "seat": 1, "magic": "sweet", "twinkle": 3}
    for a, attack in (
        (A, (BLOW, "frolic")),
        ({**A, "weapons": ["brownie_bow"]}, ("attack with weapon 1", "frolic")),
        ({**MEAN, "twinkle": 2}, ("cast rose prick",)),
    ):
        m = turn(a, b, witch, who="C", draws="2r 2b 3r 3b 4r 4b 5r 5b 6r")
        cast(m, "shimmer", "C", "B", extra)
        assert m.state.shimmer[1] == 2 + extra
        act(m, "A")
        does(m, *attack)
        if m.state.defender < 0:
            does(m, named(m, "A", "B"))
        assert m.state.defender == 1 and hands(m)[1] == cards


@rule("F-56", "F-35")
def test_shimmer_comes_before_the_clamp():
    """Live 0, a sprite carver (-2) and shimmer 2 make 0; then the Order Card."""
    witch = {"x": 10, "y": 30, "seat": 1, "magic": "sweet", "twinkle": 2}
    m = turn({**A, "weapons": ["sprite_carver"]}, {**B, "live": 0}, witch, who="C")
    cast(m, "shimmer", "C", "B")
    act(m, "A")
    assert hands(does(m, "attack with weapon 1", "frolic"))[1] == 1


@rule("F-56")
def test_shimmer_is_for_live_and_not_for_wrestling():
    m = turn(A, {**B, "kill": 2}, {"x": 10, "y": 30, "seat": 1, "magic": "sweet", "twinkle": 2}, who="C",
             combat="unclevl")  # fmt: skip
    cast(m, "shimmer", "C", "B")
    act(m, "A")
    does(m, "wrestle", "frolic", "add")
    assert m.state.n_hand[1] == 3, "Kill 2 and her Order Card"


@rule("F-56")
def test_shimmers_add_up_and_end_when_her_next_turn_starts():
    m = turn({**SWEET, "twinkle": 4}, {**B, "seat": 0}, {**FAR, "seat": 1})
    cast(m, "shimmer", "A", "B")
    cast(m, "shimmer", "A", "B")
    assert m.state.shimmer[1] == 4
    cast_on_herself = cast(turn(SWEET, FAR), "shimmer", "A", "A")
    assert act(cast_on_herself, "B").state.shimmer[0] == 2, "through the rest of her own turn and on"
    assert act(m, "B").state.shimmer[1] == 0


@rule("F-91")
def test_shimmer_is_at_most_twenty_four():
    fairies = [{**SWEET, "y": 2 + 3 * k, "seat": 0, "twinkle": 8} for k in range(5)]
    m = turn(*fairies, {**FAR, "seat": 1})
    for who in "ABCD":
        act(m, who)
        cast(m, "shimmer", who, "E", extra=6)
    assert m.state.shimmer[4] == 24


# ------------------------------------------------------------------------------------ wing bind
@rule("F-31", "F-30")
def test_wing_bind_halves_length_and_height_of_her_next_turn_and_does_not_stack():
    m = turn(MEAN, {"x": 20, "y": 24}, pieces=(box(24, 24, 4, 4, 3.1),))
    cast(m, "wing bind", "A", "B")
    cast(m, "wing bind", "A", "B")
    act(m, "B")
    assert flown(m, "frolic", "E") == 1.5, "the box is 3.1 inches high"
    m = cast(cast(turn(MEAN, {"x": 20, "y": 24}), "wing bind", "A", "B"), "wing bind", "A", "B")
    assert flown(act(m, "B"), "frolic", "E") == 3


@rule("F-31")
@pytest.mark.parametrize("moves", [True, False])
def test_wing_bind_ends_with_that_turn_moved_or_not(moves):
    m = cast(turn(MEAN, {"x": 20, "y": 24}), "wing bind", "A", "B")
    act(m, "B")
    if moves:
        flown(m, "pounce", "E")
    assert m.state.bound[1] == 1
    does(m, "end turn")
    assert m.state.bound[1] == 0


@rule("F-31")
def test_wing_bind_on_who_has_acted_waits_for_the_next_round():
    m = turn(MEAN, {"x": 20, "y": 24}, who="B")
    does(m, "end turn")
    act(m, "A")
    cast(m, "wing bind", "A", "B")
    does(m, "end turn")
    assert m.state.bound[1] == 1 and m.state.round_number == 2
    act(m, "B")
    assert flown(m, "frolic", "E") == 3


@rule("F-90")
def test_wing_bind_on_oneself_starts_with_ones_next_turn():
    m = cast(turn(MEAN, FAR), "wing bind", "A", "A")
    assert flown(m, "frolic", "E") == 6, "not this turn"
    does(m, "end turn")
    assert m.state.bound[0] == 1


@rule("F-90")
def test_binding_oneself_does_not_loosen_what_binds_her_now():
    witch = {"x": 20, "y": 24, "magic": "mean", "twinkle": 1}
    m = cast(turn(MEAN, witch, who="B"), "wing bind", "B", "A")
    act(m, "A")
    cast(m, "wing bind", "A", "A")
    assert flown(m, "frolic", "W") == 3
    does(m, "end turn")
    assert m.state.bound[0] == 1, "and the next turn too"


# ----------------------------------------------------------------------------------- rose prick
@rule("F-57", "F-55")
@pytest.mark.parametrize(("extra", "cards"), [(0, 1), (2, 3)])
def test_a_thorn_draws_by_its_points_and_the_target_by_live_and_order_card(extra, cards):
    a = {**MEAN, "twinkle": 4, "weapons": ["ripper"]}
    m = turn(a, {"x": 20, "y": 24, "live": 2}, draws="2r 2b 3r 3b 4r 4b 5r")
    m = cast(m, "rose prick", "A", "B", extra)
    assert twinkle(m) == (2 - extra, 2 + extra)
    assert hands(m) == (cards, 3)


@rule("F-57")
def test_a_thorn_is_not_her_attack_and_asks_for_no_mode():
    m = turn({**MEAN, "twinkle": 2}, {**B, "live": 2}, draws="2r 9r 9b 8r")
    cast(m, "rose prick", "A", "B")
    fight(m, "keep trumps")
    assert m.state.turn == 0 and {BLOW, "pounce"} <= legal(m)
    m = turn({**MEAN, "twinkle": 2}, {**B, "live": 2}, draws="2r 2b 3r 9r 9b 8r 8b 7r 7b 3b")
    fight(does(m, BLOW, "flutter"), "keep trumps")
    assert "cast rose prick" in legal(m)
    cast(m, "rose prick", "A", "B")
    fight(m, "keep trumps")
    assert BLOW not in legal(m)


@rule("F-57", "F-52")
def test_a_thorn_does_not_mangle_and_hits_nastily():
    a = {**MEAN, "twinkle": 2, "weapons": ["ripper"]}
    m = turn(a, {"x": 20, "y": 24, "live": 3, "kill": 0}, draws="9r 2r 2b 3r 3b")
    fight(cast(m, "rose prick", "A", "B"), "keep trumps", "2r")
    s = m.state
    assert (s.live[1], s.meat_live[1]) == (1, 2)


@rule("F-58")
def test_a_joker_hands_the_thorn_to_the_targets_player_within_the_targets_sight():
    """B sees A and C, not D behind the wall; friend or foe, but not herself."""
    wall = box(25, 10, 1, 4, 9)
    m = turn(
        {"x": 20, "y": 40, "magic": "mean", "twinkle": 2}, {"x": 20, "y": 10}, {"x": 20, "y": 20, "seat": 1},
        {"x": 30, "y": 10, "seat": 0}, pieces=(wall,), draws="X",
    )  # fmt: skip
    assert m.state.sees[1, 3] == 0 and m.state.sees[0, 1] > 0
    cast(m, "rose prick", "A", "B")
    assert legal(m) == {"decline", named(m, "B", "A"), named(m, "B", "C")}
    assert m.pending == (1,)
    does(m, "decline")
    assert m.state.turn == 0 and m.state.attacker == -1 and twinkle(m) == (0, 2)


@rule("F-58")
def test_the_thorn_keeps_its_strength_when_it_is_cast_anew():
    m = turn({**MEAN, "twinkle": 4}, {"x": 20, "y": 24, "live": 1}, draws="2r X 2b 3r 3b 4r 4b 5r")
    cast(m, "rose prick", "A", "B", extra=2)
    does(m, named(m, "B", "A"))
    assert m.state.attacker == 1 and m.state.defender == 0 and hands(m)[0] == 3


@rule("F-58", "F-57")
def test_a_fairy_without_points_or_magic_of_that_side_casts_it_anew():
    m = turn({**MEAN, "twinkle": 2}, {"x": 20, "y": 24, "magic": "sweet"}, draws="X 9r 2r 2b 3r")
    cast(m, "rose prick", "A", "B")
    does(m, named(m, "B", "A"))
    assert twinkle(m, 1) == (0, 0) and m.state.attacker == 1
