"""What the bots promise, seen in whole games."""

from __future__ import annotations

import numpy as np
import pytest

from agents.angry_miniatures import BOTS, dispatch
from agents.registry import make
from fm_env.batch import Batch
from fm_env.games.angry_miniatures import actions as act
from tests.games.angry_miniatures.play import aims, battle, game, play, sheet, square

ARCHER = sheet("range", perk="defence_melee")


def score(one, other, games=300, **options):
    """Share of points of `one`, half of the games from each seat."""
    total = 0.0
    for seats in ((one, other), (other, one)):
        batch = Batch(game().game, game().scenario(**options), games // 2, seed=1, bots=dispatch)
        batch.controllers[:] = [BOTS[name].bot_id for name in seats]
        batch.reset()
        batch.advance()
        assert batch.over.all()
        total += (batch.returns[:, seats.index(one)] + 1).sum() / 2
    return total / games


@pytest.mark.parametrize("bot", ["rusher", "kiter", "focus-fire"])
@pytest.mark.parametrize("options", [{}, {"teams": "build", "board": "thicket"}], ids=["preset", "built"])
def test_every_bot_beats_random_play(bot, options):
    assert score(bot, "random", **options) > 0.9


def test_focus_fire_beats_the_other_two():
    assert score("focus-fire", "kiter") > 0.7
    assert score("focus-fire", "rusher") > 0.5


def choice(bot, m):
    """What the bot does for the seat that is asked."""
    seat = m.pending[0]
    agent = make(bot, "angry_miniatures")
    agent.reset(m.spec, seat, 0)
    action = agent.act(m.observation(seat), m.mask(seat))
    assert m.mask(seat)[action]
    return m.game.action_text(m.spec, action)


def test_the_rusher_walks_up_to_its_enemy():
    m = battle([(sheet(), "a1")], [(sheet(), "a6")])
    m.play(0, "own 1")
    assert choice("rusher", m) in ("a5", "b5")
    m = battle([(sheet(), "a1")], [(sheet(), "a2")])
    m.play(0, "own 1")
    assert choice("rusher", m) == "enemy 1"


def test_the_kiter_shoots_from_afar_and_steps_back():
    m = battle([(ARCHER, "c3")], [(sheet(), "c10")], "K -")
    m.play(0, "own 1")
    move = choice("kiter", m)
    m.play(0, move)
    assert square(m, "A1")[1:] == "4", "as far as the arrow flies: six squares"
    m = battle([(ARCHER, "c5")], [(sheet(), "c9")], "K -")
    play(m, "A1 at B1")
    move = choice("kiter", m)
    assert move[1:] == "1"


def test_focus_fire_picks_the_weakest_in_reach():
    enemies = [(sheet(), "c1"), (sheet(), "b3", {"health": 1}), (sheet(), "a3", {"health": 2})]
    m = battle([(sheet(), "b2"), (sheet(), "j1")], enemies)
    m.play(0, "own 1")
    assert aims(m) == {"B1", "B2", "B3"}
    assert choice("focus-fire", m) == "enemy 2"
    assert choice("rusher", m) in ("enemy 1", "enemy 2", "enemy 3")


def test_no_bot_attacks_its_own_side():
    """Next to a friend only, whatever else it does."""
    for bot in ("rusher", "kiter", "focus-fire"):
        m = battle([(sheet(), "a1"), (sheet(), "a2")], [(sheet(), "j10")])
        m.play(0, "own 1")
        assert not choice(bot, m).startswith("own")


def test_bots_fill_in_whole_sheets():
    m = game().new_match(teams="build", seed=1)
    for seat in (0, 1):
        while seat in m.pending and m.state.phase == 0:
            agent = make("rusher", "angry_miniatures")
            agent.reset(m.spec, seat, 0)
            m.play(seat, agent.act(m.observation(seat), m.mask(seat)))
    assert m.state.attack_type.tolist() == [0, 1, 2, 0, 1, 2]
    assert np.all(m.state.attack >= 4) and act.BODY > act.END
