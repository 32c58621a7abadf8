"""The tool itself: mutants are what they say, samples grow, a change gets into the rules and out again."""

from __future__ import annotations

import importlib

import pytest

pytest.importorskip("cosmic_ray", reason="an extra of developers")

from tests.mutation.mutants import places_of, rule_files, sample, swap, text_of
from tests.mutation.report import report

FILE = "fm_env/games/fairy_tale/draft.py"


def test_every_game_has_rule_files():
    games = {file.split("/")[2] for file in rule_files()}
    assert games == {"angry_miniatures", "fairy_meat", "fairy_tale", "sword_and_shield"}
    assert FILE in rule_files()


def test_a_larger_sample_begins_with_the_smaller_and_another_seed_draws_another():
    drawn = sample(FILE, 6, seed=1)
    assert len({mutant.id for mutant in drawn}) == 6
    assert sample(FILE, 3, seed=1) == drawn[:3]
    assert sample(FILE, 6, seed=2) != drawn
    assert len(sample(FILE, 10_000, seed=1)) <= len(places_of(FILE))


def test_a_mutant_differs_in_the_lines_it_names():
    for mutant in sample(FILE, 6, seed=1):
        changed = zip(text_of(FILE).splitlines(), mutant.source().splitlines(), strict=True)
        numbers = [k for k, (before, after) in enumerate(changed, 1) if before != after]
        assert numbers
        assert set(numbers) <= set(mutant.lines)
        assert mutant.before != mutant.after


def test_types_and_decorators_are_left_alone():
    for file in rule_files()[:3]:
        lines = text_of(file).splitlines()
        for place in places_of(file):
            for operator, _, line, _ in place:
                assert "RemoveDecorator" not in operator
                assert not lines[line - 1].startswith("@")


def test_a_change_gets_into_a_loaded_file_and_out_again():
    importlib.import_module("fm_env.games.fairy_tale.draft")
    mutant = next(mutant for mutant in sample(FILE, 6, seed=1) if mutant.inside)
    assert swap(FILE, text_of(FILE)) == 0
    try:
        assert swap(FILE, mutant.source()) == 1
    finally:
        assert swap(FILE, text_of(FILE)) == 1


def test_a_report_counts_timeouts_as_killed_and_names_survivors():
    drawn = sample(FILE, 4, seed=1)
    outcomes = ["killed", "timeout", "survived"]  # the fourth wasn't tried
    results = {m.id: {"outcome": o, "by": "", "tests": 1} for m, o in zip(drawn, outcomes, strict=False)}
    made = report(drawn, results, "command", 1)
    assert made["all"]["mutants"] == 3
    assert (made["all"]["killed_by_a_test"], made["all"]["timeouts"], made["all"]["survived"]) == (1, 1, 1)
    assert made["all"]["rate"] == pytest.approx(2 / 3, abs=1e-4)
    assert made["all"]["low"] < 2 / 3 < made["all"]["high"]
    assert (made["all"]["equivalent"], made["all"]["score"]) == (0, made["all"]["rate"])
    assert [row["id"] for row in made["survivors"]] == [drawn[2].id]
    assert made["survivors"][0]["kind"] == "open"


def test_mutants_that_no_game_can_tell_do_not_count(tmp_path, monkeypatch):
    drawn = sample(FILE, 4, seed=1)
    reasons = tmp_path / "survivors.toml"
    reasons.write_text(f'[{drawn[1].id}]\nkind = "equivalent"\nreason = "the same"\n')
    monkeypatch.setattr("tests.mutation.report.REASONS", reasons)
    results = {
        m.id: {"outcome": "killed" if k else "survived", "by": "", "tests": 1} for k, m in enumerate(drawn)
    }
    results[drawn[1].id]["outcome"] = "survived"
    made = report(drawn, results, "command", 1)["all"]
    assert (made["survived"], made["equivalent"]) == (2, 1)
    assert made["rate"] == 0.5
    assert made["score"] == pytest.approx(2 / 3, abs=1e-4)
