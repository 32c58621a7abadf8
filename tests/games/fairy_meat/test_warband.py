"""Choosing warbands: within the points, in secret, and nothing told by the questions."""

from __future__ import annotations

import numpy as np
import pytest

from fm_env.engine import engine_of
from fm_env.errors import SetupError
from fm_env.games.fairy_meat.constants import FAIRY_NAMES, WEAPON_NAMES
from fm_env.games.fairy_meat.kernel import KERNEL
from fm_env.games.fairy_meat.presets import PRESET_NAMES
from fm_env.games.fairy_meat.warband import cost_so_far
from fm_env.records import as_record, new_states, rows_of
from fm_env.rng import row_for
from tests.games.fairy_meat.play import game, rule
from tests.games.fairy_meat.table_play import legal

EMPTY = {"size": 48}
NONE = ["arm no more", "arm no more"]
CHOICES = 18


def choosing(points=75, **options):
    options = {"terrain": EMPTY, "warbands": "choose", "combat": "fast_play", **options}
    return game().new_match(scenario="skirmish", points=points, seed=1, **options)


def chooses(m, seat, *texts):
    for text in texts:
        m.play(seat, text)
    return m


def finishes(m, seat):
    """The rest of a seat's choices: nobody and nothing more."""
    n = 0
    while m.state.built[seat] < CHOICES and m.state.n_fairies == 0:
        options = m.legal(seat)
        m.play(seat, options[0])
        n += 1
    return n


# -------------------------------------------------------------------------------------- points
@rule("F-70", "F-54")
def test_fairies_cost_points_and_their_magic_costs_none():
    m = choosing(points=30)
    everyone = {f"recruit {kind} {magic}" for kind in FAIRY_NAMES for magic in ("sweet", "mean")}
    assert set(m.legal(0)) == everyone, "a warband has somebody"
    for magic in ("sweet", "mean"):
        for kind, cost in (("wild", 14), ("glitter", 11), ("seasoned", 17)):
            one = chooses(m.clone(), 0, f"recruit {kind} {magic}")
            assert cost_so_far(one.state, 0) == cost
    chooses(m, 0, "recruit seasoned mean", *NONE)
    assert set(m.legal(0)) == {"recruit nobody", "recruit glitter sweet", "recruit glitter mean"}, (
        "13 are left"
    )


@rule("F-70", "F-87")
def test_weapons_cost_points_and_two_are_the_most():
    m = chooses(choosing(points=25), 0, "recruit seasoned sweet")
    cheap = {"fairy_shot_bow", "brownie_bow", "fairy_knife", "moon_dagger", "ripper", "sprite_carver"}
    assert set(m.legal(0)) == {"arm no more"} | {f"arm {name}" for name in cheap}, "8 points are left"
    chooses(m, 0, "arm moon_dagger")
    assert set(m.legal(0)) == {"arm no more", "arm ripper", "arm sprite_carver"}, "in the table's order"
    chooses(m, 0, "arm sprite_carver")
    assert cost_so_far(m.state, 0) == 25
    assert set(m.legal(0)) == {"recruit nobody"}


@rule("F-87")
def test_after_one_weapon_refused_no_other_comes():
    m = chooses(choosing(), 0, "recruit wild sweet", "arm no more")
    assert m.legal(0) == ("arm no more",)


@rule("F-87", "U-36")
@pytest.mark.parametrize(("combat", "has"), [("fast_play", False), ("unclevl", True)])
def test_the_vibro_master_is_for_unclevls_combat(combat, has):
    m = chooses(choosing(combat=combat), 0, "recruit wild sweet")
    assert ("arm vibro_master" in m.legal(0)) == has


@rule("F-85")
def test_six_fairies_are_the_most():
    m = choosing(points=300)
    for _ in range(6):
        assert "recruit wild sweet" in m.legal(0)
        chooses(m, 0, "recruit wild sweet", *NONE)
    assert 0 not in m.pending and m.state.built[0] == CHOICES
    with pytest.raises(SetupError, match="expected 1 to 6 fairies, got 7"):
        game().scenario("skirmish", points=300, warbands=[[{"type": "wild"}] * 7] * 2)


@rule("F-85")
def test_smaller_games_have_smaller_warbands():
    for scenario, band in (("skirmish-1v1", 1), ("skirmish-2v2", 2)):
        m = game().new_match(scenario=scenario, points=300, warbands="choose", seed=1)
        for k in range(6):
            assert ("recruit wild sweet" in m.legal(0)) == (k < band)
            chooses(m, 0, m.legal(0)[-1], *NONE)


@rule("F-87")
@pytest.mark.parametrize(
    ("band", "message"),
    [
        ([{"type": "wild", "weapons": ["ripper", "moon_dagger", "fairy_knife"]}], "at most 2"),
        ([{"type": "wild", "weapons": ["ripper", "ripper"]}], "each weapon once"),
        ([{"type": "seasoned"}] * 5, "expected at most 75 points, got 85"),
        ([], "expected 1 to 6 fairies, got 0"),
    ],
)
def test_given_warbands_keep_the_same_limits(band, message):
    with pytest.raises(SetupError, match=message):
        game().scenario("skirmish", warbands=[band, "swarm"])


# ------------------------------------------------------------------------------------- secrecy
@rule("F-87")
def test_everyone_makes_as_many_choices():
    m = choosing(num_players=3)
    counts = [0, 0, 0]
    plans = [["recruit glitter sweet", "arm fairy_knife"], ["recruit seasoned mean"], []]
    for seat, plan in enumerate(plans):
        chooses(m, seat, *plan)
        counts[seat] = len(plan) + finishes(m, seat)
    assert counts == [CHOICES] * 3 and m.state.n_fairies > 0


def told(m, seat):
    return m.observation(seat).tobytes(), m.mask(seat).tobytes()


@rule("F-70", "F-87")
def test_nobody_learns_what_another_chooses_or_how_far_she_is():
    """Seat 1 sees and is asked the same whatever seat 0 did, until all have chosen."""
    idle, busy, other = choosing(), choosing(), choosing()
    for k in range(CHOICES):
        chooses(busy, 0, busy.legal(0)[-1])
        chooses(other, 0, other.legal(0)[min(k % 3, len(other.legal(0)) - 1)])
        assert told(busy, 1) == told(other, 1) == told(idle, 1)
    for k in range(CHOICES - 1):
        text = busy.legal(1)[0] if k else "recruit wild mean"
        for m in (busy, other, idle):
            chooses(m, 1, text)
        assert told(busy, 1) == told(other, 1) == told(idle, 1)
        assert busy.state.n_fairies == 0
    own = idle.observation(1)
    assert not np.array_equal(own, choosing().observation(1)), "her own choices she sees"


@rule("F-70")
def test_all_warbands_are_open_once_all_have_chosen():
    def after(first):
        m = chooses(choosing(), 0, *first)
        finishes(m, 0)
        finishes(m, 1)
        return m

    plain = after(["recruit wild sweet"])
    for first in (["recruit wild mean"], ["recruit glitter sweet"], ["recruit wild sweet", "arm ripper"]):
        m = after(first)
        assert m.observation(1).tobytes() != plain.observation(1).tobytes()
    s = after(["recruit glitter mean", "arm fairy_knife", "arm ripper"]).state
    assert (s.owner[0], s.fairy_type[0], s.magic[0]) == (0, FAIRY_NAMES.index("glitter"), 2)
    assert (s.live[0], s.kill[0], s.twinkle[0]) == (2, 2, 4)
    assert s.weapon[0].tolist() == [0, WEAPON_NAMES.index("fairy_knife"), WEAPON_NAMES.index("ripper"), -1]


@rule("F-70")
def test_given_and_drawn_warbands_ask_nothing():
    m = choosing(warbands=["choose", [{"type": "wild"}]])
    assert m.pending == (0,)
    m = game().new_match(
        scenario="skirmish", terrain=EMPTY, warbands=["any", "swarm"], seed=1, chance=["warband archers"]
    )
    assert m.state.n_fairies > 2 and any(text.startswith(("fairy", "column")) for text in legal(m))
    archers = game().new_match(scenario="skirmish", terrain=EMPTY, warbands=["archers", "swarm"], seed=1)
    n = int(m.state.n_fairies)
    assert m.state.weapon[:n].tolist() == archers.state.weapon[:n].tolist()


@rule("F-97")
def test_any_warband_and_any_table_is_as_likely_as_another():
    scenario = game().scenario("skirmish-1v1", warbands="any", terrain="meadow", tables=4)
    engine, states = engine_of(game().game), new_states(scenario.spec, 1)
    engine.reset(states, 0, scenario.setup)
    weights = np.zeros(scenario.spec.num_chance_outcomes, np.int64)
    drawn = []
    for _ in range(3):
        total = KERNEL.chance_weights(as_record(states, 0), weights)
        drawn.append([game().game.outcome_text(scenario.spec, k) for k in np.flatnonzero(weights)])
        assert total == len(drawn[-1]) and set(weights[weights > 0]) == {1}
        engine.apply_chance(states, 0, int(np.flatnonzero(weights)[-1]))
    tables = [f"table {k}" for k in range(4)]
    bands = [f"warband {name}" for name in PRESET_NAMES]
    assert drawn == [tables, bands, bands]


def test_guesses_of_a_warband_chosen_in_secret_are_warbands_that_could_be():
    m = chooses(choosing(), 1, "recruit seasoned mean", *NONE, "recruit wild sweet")
    engine, found = engine_of(m.game), set()
    mask = np.zeros(m.spec.num_actions, np.bool_)
    for seat in range(2):
        assert engine.legal_mask(rows_of(m.state), 0, seat, mask) == mask.sum() > 1
    for seed in range(25):
        guess = rows_of(m.state)
        engine.resample(guess, 0, 0, row_for(seed))
        assert engine.faults(guess, 0) == 0
        assert guess["built"][0].tolist() == m.state.built.tolist()
        assert cost_so_far(as_record(guess, 0), 1) <= 75
        assert guess["recruit"][0, 0].tolist() == m.state.recruit[0].tolist()
        found.add(guess["recruit"][0, 1].tobytes() + guess["arms"][0, 1].tobytes())
    assert len(found) > 10
