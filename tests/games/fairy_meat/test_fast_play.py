"""The Fast Play fight: a main card, supports, wild trumps, jokers, nasty hits."""

from __future__ import annotations

import pytest

from fm_env.compiled import python_of
from fm_env.games.fairy_meat.damage import nasty_hits
from tests.games.fairy_meat.play import asks, attack, clash, duel, life, meat, play, points, rule, scuffle

FAST = {"combat": "fast_play"}


def fight(a_hand, b_hand, draws="", **options):
    return clash(a_hand, b_hand, draws, **FAST, **options)


# -------------------------------------------------------------------------------- worked numbers
@rule("F-44")
def test_margins():
    """Section 6: 0 -> 0, 1 -> 1, 4 -> 1, 5 -> 2, 8 -> 2, 9 -> 3, 14 -> 3."""
    margins = {0: 0, 1: 1, 4: 1, 5: 2, 8: 2, 9: 3, 14: 3, -1: 0, -9: 0}
    assert {margin: python_of(nasty_hits)(margin) for margin in margins} == margins


@rule("F-44")
@pytest.mark.parametrize(
    ("a", "supports", "b", "damage"),
    [("6r", 0, "6b", 0), ("7r", 0, "6r", 1), ("Tr", 0, "6r", 1), ("Tr", 1, "6r", 2), ("Tr", 0, "2r", 2),
     ("Tr", 1, "2r", 3), ("Tr", 6, "2r", 3), ("2r", 0, "9r", 0)],
)  # fmt: skip
def test_margins_in_play(a, supports, b, damage):
    m = fight(f"{a} " + " ".join(["Jr", "Jb", "Qr", "Qb", "Kr", "Kb"][:supports]), b)
    play(m, f"A: {a}  A: supports {supports}" if supports else "")
    assert points(m) == damage


@rule("F-40")
def test_a_wild_trump_counts_every_trump_under_it():
    """K as main, Q as support; J, then 6 drawn: 9."""
    for low, damage in (("8r", 1), ("9r", 0)):
        m = fight("Kr Qb", low, "Jr 6r")
        assert points(play(m, "A: wild r  A: supports 1")) == damage


# ----------------------------------------------------------------------------------- main, supports
@rule("F-39")
def test_any_card_may_be_the_main_card():
    m = fight("9r 4b Kr Qb X", "5r")
    assert m.legal(0) == ("4b", "9r", "joker", "wild r", "wild b")


@rule("F-39")
@pytest.mark.parametrize(("main", "most"), [("9r", 3), ("wild r", 2), ("joker", 3)])
def test_supports_are_trumps_of_any_colour_left_beside_the_main_card(main, most):
    m = fight("9r 4b Kr Qb Ab X", "5r 6r")
    m.play(0, main)
    m.play(1, "5r")
    assert m.legal(0) == tuple(f"supports {n}" for n in range(most + 1))


@rule("F-39")
def test_main_and_supports_are_laid_in_secret_and_shown_together():
    m = fight("9r 4b Kr", "5r 6r Kb")
    m.play(0, "9r")
    assert "on the table" not in m.text(1) and m.pending == (1,)
    m.play(1, "6r")
    m.play(0, "supports 1")
    assert "on the table" not in m.text(1)
    m.play(1, "supports 1")
    assert m.is_over and "seen there: 6r 9r Kr Kb" in m.text(1)


@rule("F-78")
def test_red_supports_leave_the_hand_before_black_ones_low_before_high():
    m = fight("9r Ar Jr Qb", "5r 6r")
    play(m, "A: 9r  B: 5r  A: supports 2")
    assert "seen there: 5r 9r Jr Ar" in m.text(1)


@rule("F-41")
def test_the_attacker_finishes_her_wild_trump_first():
    m = fight("Kr", "Kb", "Jr 4r 9r")
    play(m, "")
    assert [e.words[0] for e in m.log if e.seat == -1] == ["A", "A", "B"]
    assert points(m) == 0  # 4 + 2 v 9 + 1


@rule("F-42")
def test_a_joker_drawn_for_a_wild_trump_becomes_the_main_card():
    m = attack("Kr Qr", "9r 8r", "X", **FAST)
    play(m, "A: wild r  B: 9r  A: supports 0")
    assert asks(m) == "A: joker hurts, joker heals"


@rule("F-03")
def test_a_wild_trump_without_a_card_left_counts_its_trumps():
    pack = {"Kr": 1, "Qb": 1, "Jr": 1, "2r": 1}
    m = fight("Kr Qb", "2r", "Jr", deck=pack)
    assert points(play(m, "A: wild r  A: supports 1")) == 1  # 0 + 3 v 2


@rule("F-43")
def test_a_tie_leaves_the_defender_unharmed():
    assert points(play(fight("9r", "9b"), "")) == 0


@rule("F-43")
def test_a_defender_who_is_higher_wins_nothing():
    m = attack("2r 3r", "9r 8r", **FAST)
    play(m, "A: 2r  B: 9r")
    assert (life(m, 0), life(m, 1)) == ((3, 2), (1, 3)) and m.state.bank.sum() == 0


@rule("F-44")
def test_each_point_is_the_owners_choice_of_live_or_kill():
    m = attack("Tr Kr", "5r 4r", **FAST, b={"live": 1, "kill": 3})
    play(m, "A: Tr  B: 5r  A: supports 1")
    assert asks(m) == "B: lose live, lose kill"
    play(m, "B: lose kill")
    assert asks(m) == "B: lose live, lose kill"
    play(m, "B: lose live")
    assert (life(m, 1), meat(m, 1)) == ((0, 2), (1, 1))


@rule("F-44")
def test_damage_beyond_the_last_point_is_lost():
    m = attack("Tr Kr", "2r 3r", **FAST, b={"live": 1, "kill": 0})
    play(m, "A: Tr  B: 2r  A: supports 1")
    assert m.is_over and meat(m, 1) == (1, 0)


@rule("F-76")
def test_one_attack_a_turn_in_fast_play():
    m = attack("9r 8r", "5r 4r", **FAST, a={"attacks": 3})
    play(m, "A: 9r  B: 5r  B: lose live")
    assert m.state.acted[0] and m.state.attacker == -1


# ----------------------------------------------------------------------------------------- jokers
@rule("F-45")
def test_who_laid_a_joker_chooses_between_hurting_the_attacker_and_healing_the_defender():
    for main_a, main_b, who in (("joker", "9r", "A"), ("9r", "joker", "B")):
        m = joker_fight("X 9r" if who == "A" else "9r 8r", "9r 8r" if who == "A" else "X 8r")
        play(m, f"A: {main_a}  B: {main_b}")
        assert asks(m) == f"{who}: joker hurts, joker heals"
        hurt = play(m.clone(), f"{who}: joker hurts  A: lose kill")
        assert life(hurt, 0) == (3, 1) and life(hurt, 1) == (1, 3)
        healed = play(m.clone(), f"{who}: joker heals")
        assert asks(healed) == "B: heal live, heal kill"
        assert life(play(healed, "B: heal live"), 1) == (2, 3)


@rule("F-45")
def test_a_joker_replaces_the_comparison():
    m = joker_fight("X Kr", "2r 8r")
    play(m, "A: joker  B: 2r  A: supports 1  A: joker heals  B: heal kill")
    assert life(m, 1) == (1, 4)


@rule("F-45")
def test_two_jokers_are_resolved_the_attackers_first():
    m = joker_fight("X 9r", "X 8r")
    play(m, "A: joker  B: joker")
    assert asks(m) == "A: joker hurts, joker heals"
    play(m, "A: joker heals  B: heal live")
    assert asks(m) == "B: joker hurts, joker heals"
    play(m, "B: joker hurts  A: lose live")
    assert (life(m, 0), life(m, 1)) == ((2, 2), (2, 3))


@rule("F-45")
def test_a_joker_heals_nothing_where_there_is_no_meat_or_no_room():
    for b in ({"live": 1, "kill": 3}, {"live": 1, "kill": 11, "meat_live": 1}):
        m = attack("X 9r", "5r 8r", **FAST, b=b, seed=1)
        play(m, "A: joker  B: 5r  A: joker heals")
        assert life(m, 1) == (b["live"], b["kill"])


@rule("F-45", "F-52")
def test_a_jokers_damage_is_never_mangled():
    m = duel({"kill": 1, "weapons": ["ripper"]}, {"live": 2}, "Kr Kb  9r 8r 7r  X 5r", **FAST)
    play(
        m, "A: act at K down  B: hold  A: attack with weapon 1  A: 9r  B: joker  B: joker hurts  A: lose live"
    )
    assert meat(m, 0) == (1, 0)


@rule("F-46")
def test_a_joker_at_range_lets_the_defending_player_miss_or_hit_another():
    m = shot("X", "5r 4r")
    play(m, "A: joker  B: 5r")
    assert asks(m) == "B: decline, fairy 1, fairy 2"  # C and D, as B sees them; not herself, not A
    missed = play(m.clone(), "B: decline")
    assert missed.state.damage.sum() == 0 and missed.state.acted[0]


@rule("F-46")
def test_the_redirected_shot_deals_exactly_one_point_without_a_draw():
    m = shot("X", "5r 4r")
    assert asks(play(m, "A: joker  B: 5r  B: fairy 1")) == "C: lose live, lose kill"
    play(m, "C: lose kill")
    assert life(m, 2) == (3, 3) and meat(m, 2) == (0, 1)


@rule("F-46", "F-52")
def test_a_redirected_mangler_mangles():
    m = shot("X 9r", "5r 4r", weapon="black_wand")
    play(m, "A: joker  B: 5r  B: fairy 1  C: lose kill")
    assert life(m, 2) == (3, 3) and meat(m, 2) == (0, 0)


@rule("F-46")
def test_whoever_laid_it_and_two_jokers_make_one_choice():
    for a_hand, mains in (("9r", "A: 9r  B: joker"), ("X", "A: joker  B: joker")):
        m = shot(a_hand, "X 4r")
        play(m, mains)
        assert asks(m).startswith("B: decline, fairy")
        play(m, "B: decline")
        assert m.state.acted[0] and m.state.attacker == -1


@rule("F-46")
def test_with_two_figures_a_joker_is_a_miss():
    m = duel({"weapons": ["fairy_shot_bow"]}, {"live": 2}, "Kr Kb  X 5r 4r 3r", **FAST)
    play(m, "A: act at K down  B: hold  A: attack with weapon 1  A: joker  B: 5r")
    assert m.state.acted[0] and life(m, 1) == (2, 4)


def joker_fight(a_hand, b_hand):
    return attack(a_hand, b_hand, **FAST, b={"live": 1, "meat_live": 1, "meat_kill": 1}, decks=2, seed=1)


def shot(a_hand, b_hand, weapon="fairy_shot_bow"):
    """A shoots at B with C and D looking on, one fairy each; both hold these hands."""
    m = scuffle(
        4,
        [{"weapons": [weapon]}, {"live": 1}, {}, {}],
        f"Kr 2b 3b 4b {a_hand} {b_hand}",
        decks=2,
        seed=1,
        **FAST,
    )
    play(m, "A: act at K down  B: hold  C: hold  D: hold  A: attack with weapon 1")
    return play(m, "A: fairy 1")
