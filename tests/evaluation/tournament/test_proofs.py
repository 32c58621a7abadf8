"""The promises of `evaluation.tournament.proofs` on fewer and shorter tournaments."""

import json
from pathlib import Path

import pytest

from evaluation.tournament.proofs import (
    COVERAGES,
    EQUALS,
    MOST_WRONG,
    POWERS,
    SCHEMA,
    TOURNAMENTS,
    Case,
    main,
    proof_table,
    prove_coverage,
    prove_equals,
    prove_power,
)

RESULTS = Path(__file__).parents[3] / "evaluation" / "results" / "tournament_proofs.json"


@pytest.mark.parametrize(
    "case",
    [
        Case(2, rounds=100),
        Case(5, rounds=100),
        Case(10, rounds=60),
        Case(2, sequential=True, rounds=320),
        Case(5, sequential=True, rounds=160),
        Case(5, sequential=True, kind="best", rounds=160, shared_luck=1.0),
        Case(4, seats=3, rounds=40),
    ],
    ids=str,
)
def test_equals_are_not_told_apart(case):
    """Of 100 tournaments 5 may; more than 10 would in one of 90 tests."""
    assert prove_equals(case, 100, seed=5, most_wrong=10).is_kept


def test_without_care_they_would_be():
    """The same tournaments, looked at as if each pair were the only one: the test above can fail."""
    import numpy as np

    from evaluation.stats import mean_interval, verdict
    from evaluation.tournament.proofs import header_of, simulate
    from evaluation.tournament.stopping import pair_values

    wrong = 0
    for k in range(40):
        results = simulate(header_of(Case(5, rounds=100), k), np.zeros(5), 0.0)
        wrong += any(
            verdict(mean_interval(pair_values(g, p.returns, g.agents), 0.0, 1.0)) != "undecided"
            for g, p in zip(results.header.groups, results.played, strict=True)
        )
    assert wrong > 8


@pytest.mark.parametrize("case", [Case(2), Case(2, sequential=True), Case(5, sequential=True)], ids=str)
def test_55_is_told_from_45_at_the_planned_size(case):
    assert prove_power(case, 100, seed=5).found >= 0.77  # 85 % planned, 3 to 4 % of sampling error


def test_rating_intervals_hold_the_truth():
    assert prove_coverage(Case(4, rounds=50), 40, seed=5).is_kept


def test_the_committed_proofs_cover_all_cases_and_are_kept():
    report = json.loads(RESULTS.read_text())
    assert report["schema"] == SCHEMA
    proofs = report["proofs"]
    assert len(proofs) == len(EQUALS) + len(POWERS) + len(COVERAGES)
    assert all(proof["is_kept"] for proof in proofs)
    equals = [proof for proof in proofs if proof["promise"] == "equals told apart"]
    assert {proof["tournaments"] for proof in equals} == {TOURNAMENTS}
    assert max(proof["found"] for proof in equals) <= MOST_WRONG


def test_the_command_writes_and_tells_by_its_exit_code(tmp_path, monkeypatch, capsys):
    from evaluation.tournament import proofs

    monkeypatch.setattr(proofs, "EQUALS", (Case(2, rounds=30),))
    monkeypatch.setattr(proofs, "POWERS", (Case(2, rounds=5),))  # far too few
    monkeypatch.setattr(proofs, "COVERAGES", ())
    assert main(["--tournaments", "20", "--json", str(tmp_path / "p.json")]) == 1
    kept = [proof["is_kept"] for proof in json.loads((tmp_path / "p.json").read_text())["proofs"]]
    assert kept == [True, False]
    assert "BROKEN" in capsys.readouterr().out


def test_the_table_has_a_row_for_each_proof():
    assert (
        proof_table([prove_equals(Case(2, rounds=20), 5, 1), prove_power(Case(2, rounds=20), 5, 1)]).row_count
        == 2
    )
