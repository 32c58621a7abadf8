"""The soak finds what is broken, and keeps what it played."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from evaluation.soak import append_result, soak
from fm_env.errors import LoadError
from fm_env.match import load
from tests import kuhn


def broken_kuhn(**functions):
    """Kuhn poker with some of its functions replaced."""
    game = SimpleNamespace(**{name: getattr(kuhn.GAME, name) for name in dir(kuhn.GAME) if name[0] != "_"})
    parts = {name: getattr(kuhn.GAME.kernel, name) for name in vars(kuhn.GAME.kernel)}
    game.kernel = type(kuhn.GAME.kernel)(**(parts | functions))
    game.name = "broken_kuhn_" + "_".join(functions)
    return SimpleNamespace(game=game)


def always_broken(s):
    return 4


def no_mask(s, seat, out):
    out[:] = False
    return 0


def free_returns(s, out):
    out[0] = 1.0
    out[1] = 1.0


def test_a_sound_game_is_played_on():
    scenario = kuhn.GAME.scenario("kuhn")
    result = soak(SimpleNamespace(game=kuhn.GAME), scenario, 2000, every=1)
    assert result.failure == ""
    assert result.decisions >= 2000
    assert 0 < result.longest <= scenario.spec.max_decisions
    assert result.games * 2 == result.chance_events  # two cards a game


@pytest.mark.parametrize(
    ("functions", "words"),
    [
        ({"faults": always_broken}, "an invariant is broken (fault bits 4)"),
        ({"legal_mask": no_mask}, "a mask is empty"),
        ({"returns": free_returns}, "returns out of bounds or with a wrong sum"),
    ],
)
def test_a_broken_game_is_found(functions, words):
    from fm_env.compiled import rule

    handle = broken_kuhn(**{name: rule(f) for name, f in functions.items()})
    result = soak(handle, kuhn.GAME.scenario("kuhn"), 100)
    assert words in result.failure
    assert "game 0 (seed" in result.failure


@pytest.mark.parametrize(("scenario", "options"), [("duel", {}), ("skirmish-2v2", {"warbands": "choose"})])
def test_fairy_meat_is_sound_for_a_while(scenario, options):
    game = load("fairy_meat")
    assert soak(game, game.scenario(scenario, **options), 20_000, every=5).failure == ""


def test_results_replace_earlier_ones_of_the_same_case(tmp_path: Path):
    game = load("fairy_meat")
    file = tmp_path / "soak.json"
    for decisions in (100, 200):
        append_result(file, soak(game, game.scenario("clash"), decisions))
    append_result(file, soak(game, game.scenario("clash", a=2), 100))
    rows = json.loads(file.read_text())
    assert [row["decisions"] >= 200 for row in rows] == [True, False]
    assert len({row["rules"] for row in rows}) == 1
    file.write_text("{")
    with pytest.raises(LoadError, match=r"soak\.json"):
        append_result(file, soak(game, game.scenario("clash"), 100))
