"""Difficulty levels: from their file to agents of rising strength."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import agents
from agents.levels import FILE, Ladder, ladders, levels_of
from evaluation.levels import WANTED
from fm_env.errors import LoadError, SetupError, UnknownNameError
from fm_env.match import load

RESULTS = Path(__file__).parents[2] / "evaluation" / "results" / "levels.json"


@pytest.mark.parametrize("scenario", ["duel", "skirmish", "skirmish-1v1", "skirmish-2v2"])
def test_duel_and_skirmish_have_five_levels_or_more(scenario: str) -> None:
    levels = levels_of("fairy_meat", scenario)
    assert len(levels) >= 5 and len({level.name for level in levels}) == len(levels)
    for level in levels:
        agent = agents.make(f"level:{level.name}", "fairy_meat", scenario)
        agent.check(load("fairy_meat").spec(scenario))
        assert agent.name == level.name and agent.spec == f"level:{level.name}"


def test_each_level_was_measured_to_win_enough_against_the_one_below() -> None:
    rungs = json.loads(RESULTS.read_text("utf-8"))["rungs"]
    measured = {(rung["game"], rung["scenario"], rung["below"], rung["level"]): rung for rung in rungs}
    for ladder in ladders():
        names = [level.name for level in ladder.levels]
        entries = {level.name: level.model_dump() for level in ladder.levels}
        for low, high in pairwise(names):
            rung = measured[ladder.game, ladder.scenarios[0], low, high]
            assert rung["games"] >= 4_000 and rung["wins"] / rung["games"] >= WANTED
            assert rung["entries"] == [entries[high], entries[low]], (
                "the level has changed: run `make levels`"
            )


def test_a_level_slips_as_often_as_it_says() -> None:
    match = load("fairy_meat").new_match("duel", seed=5)
    seat = match.pending[0]
    observation, mask = match.observation(seat)[None], match.mask(seat)[None]
    novice = agents.make("level:novice", "fairy_meat", match.scenario)
    plain = agents.make("plain", "fairy_meat", match.scenario)
    many = 4_000
    chosen = novice.act_batch(
        np.repeat(observation, many, 0), np.repeat(mask, many, 0), np.random.default_rng(1)
    )
    expected = novice.probabilities(observation, mask)[0]
    assert expected.sum() == pytest.approx(1.0) and expected[~mask[0]].sum() == 0
    assert np.bincount(chosen, minlength=len(expected)) / many == pytest.approx(expected, abs=0.03)
    assert expected[plain.act(observation[0], mask[0])] > 0.6


def test_equal_seeds_give_equal_choices_one_by_one() -> None:
    match = load("fairy_meat").new_match("duel", seed=5)
    seat = match.pending[0]
    lines = []
    for _ in range(2):
        novice = agents.make("level:novice", "fairy_meat", match.scenario).spawn()
        novice.reset(match.spec, seat, 9)
        lines.append([novice.act(match.observation(seat), match.mask(seat)) for _ in range(30)])
    assert lines[0] == lines[1]


def test_mistakes_are_explained() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'novice'"):
        agents.make("level:novic", "fairy_meat", "duel")
    with pytest.raises(SetupError, match="has no levels"):
        agents.make("level:novice", "fairy_meat", "scuffle")


def test_a_file_of_levels_that_is_wrong_says_where(tmp_path: Path) -> None:
    file = tmp_path / "levels.toml"
    file.write_text(FILE.read_text("utf-8").replace("slips = 0.35", "slips = 35"))
    with pytest.raises(LoadError, match=r"levels.toml: levels.1.slips"):
        ladders(file)
    assert all(isinstance(ladder, Ladder) for ladder in ladders())
