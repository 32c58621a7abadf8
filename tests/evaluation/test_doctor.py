"""`fm-env doctor`: it looks at what is there, and what is wrong ends in advice and exit code 1."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evaluation import doctor
from evaluation.doctor import NEEDED, Finding
from fm_env.cli import app
from fm_env.extras import EXTRAS

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]


def named(requirements: list[str]) -> set[str]:
    return {text.split(">")[0].split("[")[0].split("=")[0].strip() for text in requirements}


def test_it_knows_the_projects_own_requirements() -> None:
    assert set(NEEDED) <= named(PROJECT["dependencies"])
    for extra, brings in EXTRAS.items():
        assert set(brings.values()) <= named(PROJECT["optional-dependencies"][extra])


def test_a_sound_installation_is_called_so() -> None:
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == 0, result.output
    assert "all sound" in result.output and "games alike" in result.output and "all well" in result.output


def test_plain_rules_that_disagree_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_trace_elsewhere", lambda: "another hash")
    last = list(doctor._self_test())[-1]
    assert last.state == "wrong" and "another hash" in last.advice


def test_what_is_wrong_ends_in_advice_and_an_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def examine() -> Iterator[Finding]:
        yield Finding("disk", "3 MB free", "wrong", "free some space")

    monkeypatch.setattr(doctor, "examine", examine)
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == 1
    assert "disk: free some space" in result.output and "1 thing wrong" in result.output


def test_a_full_disk_and_an_empty_cache_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FM_ENV_CACHE_DIR", raising=False)
    empty, disk = doctor._cache(tmp_path)
    assert empty.state == "note" and "fm-env compile" in empty.advice
    assert disk.state == "ok"
    monkeypatch.setattr(doctor, "LOW_DISK", 2**62)
    assert [finding.state for finding in doctor._cache(tmp_path)] == ["note", "wrong"]


def test_a_cache_folder_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FM_ENV_CACHE_DIR", "/nowhere/at/all")
    (tmp_path / "x").write_text("x")
    note, _ = doctor._cache(tmp_path)
    assert note.state == "note" and "/nowhere/at/all" in note.advice


def test_a_missing_extra_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_version", lambda name: None if name in EXTRAS["train"].values() else "1.0")
    found = {finding.about: finding for finding in doctor._packages()}
    assert found["extra train"].state == "note" and "fm-env[train]" in found["extra train"].advice
    monkeypatch.setattr(doctor, "_version", lambda name: None)
    assert {f.about: f.state for f in doctor._packages()}["packages"] == "wrong"
