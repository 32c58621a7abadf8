"""The bots' promises are counted as they are stated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation import table_bots
from evaluation.course import course
from fm_env.match import load

RESULTS = Path(__file__).parents[2] / "evaluation" / "results"


def test_random_players_waste_more_than_a_bot():
    assert table_bots.wasted_share("brawler", 3, seed=1) < 0.05 < table_bots.wasted_share("random", 3, seed=1)


def test_scores_of_two_warbands_add_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(table_bots, "PRESET_NAMES", ("heavies", "swarm"))
    matrix = table_bots.warband_matrix(4, seed=1)
    assert matrix["heavies"]["swarm"] + matrix["swarm"]["heavies"] == 1
    assert table_bots.warband_score("swarm", "swarm", 40, seed=1) == pytest.approx(0.5, abs=0.3)


def test_brawler_kills_random_players_early():
    assert table_bots.early_kills("random", 20, seed=1) > 0.5


def test_the_committed_figures_keep_the_promises():
    found = json.loads((RESULTS / "table_bots.json").read_text(encoding="utf-8"))
    assert all(found["wasted"][bot] < 0.05 for bot in table_bots.BOTS)
    assert all(share > 0.5 for share in found["brawler_kills_by_round_5"].values())
    assert len(found["warbands"]) >= 6
    assert all(0.35 <= score <= 0.65 for score in found["warbands_overall"].values())


def test_a_course_counts_choices_and_their_width():
    row = course(load("fairy_meat"), "clash:a=2,d=2", 50, seed=1)
    assert row.games == 50 and row.scenario == "clash:a=2,d=2"
    assert 2 <= row.choices <= 8 and row.legal_actions >= 2 and 0 < row.drawn < 1
    assert row.chance_events >= 4  # four cards are dealt
