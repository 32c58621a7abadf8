"""Who may attack and how many cards both draw."""

from __future__ import annotations

import pytest

from tests.games.fairy_meat.play import asks, attack, clash, duel, life, play, rule, scuffle


def hands(a=None, b=None, act="attack bare-handed", b_acted=False, **options):
    """Sizes of the hands when A attacks B, who still has her Order Card unless `b_acted`."""
    m = duel(a, b, "Kr Kb", seed=5, **options)
    if b_acted:
        play(m, f"A: hold  B: act at K down  B: end turn  A: {act}")
    else:
        play(m, f"A: act at K down  B: hold  A: {act}")
    if options.get("combat") != "fast_play":
        play(m, "A: add")
    return int(m.state.n_hand[0]), int(m.state.n_hand[1])


FAST = {"combat": "fast_play"}
CARVER = {"weapons": ["sprite_carver"]}


# ------------------------------------------------------------------------------- One Card (section 6)
@rule("F-35")
@pytest.mark.parametrize(("live", "cards"), [(1, 1), (3, 2)])
def test_the_order_card_comes_after_the_clamp(live, cards):
    """A Sprite Carver takes two cards away; with the Order Card held one comes back."""
    assert hands(CARVER, {"live": live}, "attack with weapon 1", **FAST)[1] == cards


@rule("F-35", "F-13")
def test_without_an_order_card_left_no_card_comes_back():
    assert hands({**CARVER, "kill": 4}, {"live": 1}, "attack with weapon 1", b_acted=True, **FAST)[1] == 0
    assert hands({}, {"live": 3}, b_acted=True, **FAST)[1] == 3


@rule("U-04")
def test_the_defender_draws_the_same_in_unclevls_combat():
    assert hands(CARVER, {"live": 1}, "attack with weapon 1")[1] == 1
    assert hands({}, {"live": 3})[1] == 4
    assert hands({}, {"live": 3}, b_acted=True)[1] == 3


@rule("F-13")
def test_several_order_cards_give_one_card_only():
    m = duel({"kill": 1}, {"live": 2, "twinkle": 2}, "Kr Kb 2b 3b", seed=5)
    play(m, "B: think 2  A: act at K down  B: hold  A: attack bare-handed  A: add")
    assert m.state.n_hand[1] == 3


@rule("F-13")
def test_a_joker_is_an_order_card_too():
    m = duel({"kill": 1}, {"live": 2}, "Kr X", seed=5)
    play(m, "A: act at K down  B: hold  A: attack bare-handed  A: add")
    assert m.state.n_hand[1] == 3


@rule("F-13", "F-12")
def test_a_fairy_who_waits_in_a_tie_still_has_her_order_card():
    m = duel({"kill": 1}, {"live": 2}, "Kr Kb  9r 2r", seed=5)
    play(m, "A: act at K down  B: act at K down  A: attack bare-handed  A: add")
    assert m.state.n_hand[1] == 3


# ---------------------------------------------------------------------------------- the attacker
@rule("F-36")
def test_fast_play_gives_no_card_for_attacking():
    assert hands({"kill": 3}, **FAST)[0] == 3
    assert hands({"kill": 3}, attacker_bonus=1, **FAST)[0] == 4


@rule("U-03")
def test_unclevls_attacker_gets_a_card():
    assert hands({"kill": 3})[0] == 4
    assert hands({"kill": 3}, attacker_bonus=0)[0] == 3


@rule("F-25")
@pytest.mark.parametrize(("stance", "cards"), [("pose", 4), ("pounce", 3), ("frolic", 3), ("flutter", 2)])
def test_the_stance_changes_the_attackers_hand(stance, cards):
    assert hands({"kill": 3, "stance": stance}, {"live": 2, "stance": stance}, **FAST) == (cards, 3)


@rule("F-48")
@pytest.mark.parametrize(
    ("weapon", "cards"),
    [("fairy_knife", (4, 3)), ("moon_dagger", (5, 3)), ("ripper", (5, 2)), ("vibro_master", (4, 2))],
)
def test_weapons_change_both_hands(weapon, cards):
    assert hands({"kill": 3, "weapons": [weapon]}, {"live": 2}, "attack with weapon 1", **FAST) == cards


@rule("F-48")
def test_one_of_several_weapons_is_used_or_none():
    a = {"kill": 3, "weapons": ["ripper", "fairy_knife"]}
    assert hands(a, {"live": 2}, "attack bare-handed", **FAST) == (3, 3)
    assert hands(a, {"live": 2}, "attack with weapon 2", **FAST) == (4, 3)


@rule("F-47")
def test_a_sword_helps_against_a_fairy_who_carries_none():
    swords = {"weapons": ["fairy_knife", "sprite_carver"]}
    assert hands({**CARVER, "kill": 3}, {}, "attack with weapon 1", **FAST)[0] == 4
    assert hands({**CARVER, "kill": 3}, swords, "attack with weapon 1", **FAST)[0] == 3


@rule("U-15", "F-47")
def test_the_sword_card_holds_in_unclevls_combat_too():
    assert hands({**CARVER, "kill": 3}, {}, "attack with weapon 1")[0] == 5


@rule("F-49", "F-50", "U-03")
@pytest.mark.parametrize(("stance", "cards"), [("pose", 3), ("frolic", 2), ("flutter", 1)])
def test_a_shot_draws_by_strength_and_stance_even_in_contact(stance, cards):
    a = {"kill": 9, "weapons": ["brownie_bow"], "stance": stance}
    assert hands(a, {"live": 2}, "attack with weapon 1", **FAST) == (cards, 3)
    assert hands(a, {"live": 2}, "attack with weapon 1")[0] == cards + 1


@rule("F-38")
@pytest.mark.parametrize("weapons", [[], ["fairy_knife"], ["brownie_bow"]])
def test_without_kill_no_attack(weapons):
    m = play(
        duel({"kill": 0, "weapons": weapons, "used_twinkle": 1}, draws="Kr Kb"), "A: act at K down  B: hold"
    )
    assert m.legal(0) == ("rest", "end turn")


@rule("F-37")
def test_an_attack_with_an_empty_hand_fails_and_is_used_up():
    m = duel({"kill": 1, "stance": "flutter"}, {}, "Kr Kb", **FAST)
    play(m, "A: act at K down  B: hold  A: attack bare-handed")
    assert m.state.acted[0] and m.state.turn == 1 and m.state.n_deck == 52


@rule("F-37")
def test_a_defender_with_an_empty_hand_totals_zero():
    m = duel({"kill": 2, **CARVER}, {"live": 2}, "Kr Kb  9r 8r 7r", **FAST)
    play(m, "A: hold  B: act at K down  B: end turn  A: attack with weapon 1  A: 9r  A: supports 0")
    assert m.state.damage[1] == 3


@rule("F-05")
def test_the_attacker_draws_her_whole_hand_first():
    m = attack("9r 8r", "5r 4r", combat="fast_play")
    draws = [event.words for event in m.log if event.seat == -1][2:]
    assert [text[0] for text in draws] == ["A", "A", "B", "B"]


@rule("F-53", "F-84")
def test_friends_may_be_attacked():
    m = friendly()
    assert asks(m) == "A: fairy 1, fairy 2, fairy 3"  # B is fairy 2 for seat 0: own fairies come first
    play(m, "A: fairy 1  A: add  C: add")
    assert m.state.defender == 2 and m.state.owner[2] == 0


@rule("F-53", "U-24")
def test_a_friend_who_defends_keeps_no_points():
    m = friendly()
    play(m, "A: fairy 1  A: add  C: add  A: 2r  C: 9r")
    assert (
        m.state.attacks_left == 1
        and m.state.bank.sum() == m.state.boost.sum() == m.state.prev_points.sum() == 0
    )


@rule("F-53", "F-45")
def test_a_joker_heals_no_friend():
    m = friendly("X 8r 7r", meat_live=2)
    play(m, "A: fairy 1  A: add  C: add  A: joker  C: 9r")
    assert asks(m) == "A: joker hurts, joker heals"
    play(m, "A: joker heals")
    assert life(m, 2) == (1, 3)


@rule("F-53", "F-59")
def test_trumps_bring_no_twinkle_in_a_friendly_fight():
    m = friendly("Kr 8r 7r", used_twinkle=1)
    m.play(0, "fairy 1")
    assert m.legal(0) == ("add", "subtract")


def friendly(a_hand="2r 8r 7r", **c):
    """Two players, two fairies each: A and C are friends, A (two attacks) is to name a target."""
    roster = [
        {"kill": 2, "attacks": 2, "used_twinkle": c.get("used_twinkle", 0)},
        {},
        {"live": 1, "kill": 3, **c},
        {},
    ]
    # Seat 0's fairies A and C are dealt first, then B and D.
    m = scuffle(2, roster, f"Kr Qb 2b 3b  {a_hand}  9r 5r", decks=1)
    return play(m, "A: act at K down  C: hold  B: hold  D: hold  A: attack bare-handed")


@rule("U-23")
def test_a_hand_has_room_for_24_cards():
    m = clash(
        " ".join(["Jr"] * 8 + ["Jb"] * 8 + ["9r"] * 2 + ["8r"] * 2 + ["7r"] * 2 + ["6r"] * 2),
        "5r",
        deck="clash",
    )
    assert m.state.n_hand[0] == 24
