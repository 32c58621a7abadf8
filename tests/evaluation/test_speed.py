"""The published speeds: complete, in the README as they were measured, and as good as promised."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from evaluation import speed
from fm_env.errors import LoadError, SetupError

ROOT = Path(__file__).parents[2]
COMMITTED = ROOT / "evaluation" / "results" / "bench.json"


@dataclass
class Measured:
    """What the rows need of a `BenchResult`."""

    game: str
    scenario: str
    options: dict[str, Any]
    decision_rate: float = 300_000.0
    bare_rate: float = 400_000.0
    raw_env_rate: float = 9_000.0
    connect_four_rate: float = 3_000.0
    backgammon_rate: float = 40_000.0
    second_process_seconds: float = 1.25
    asked: dict[str, Any] = field(default_factory=dict)


def test_one_run_writes_the_file_and_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(game: Any, scenario: str, options: dict[str, Any], **asked: Any) -> Measured:
        return Measured(game.name, scenario, options, asked=asked)

    monkeypatch.setattr(speed, "measure", measure)
    page, file = tmp_path / "page.md", tmp_path / "bench.json"
    page.write_text(f"above\n{speed.START}\nold\n{speed.END}\nbelow\n", encoding="utf-8")
    speed.main(["--seed", "7", "--seconds", "0.5", "--json", str(file), "--readme", str(page)])
    report = json.loads(file.read_text(encoding="utf-8"))
    assert report["schema"] == speed.SCHEMA and report["command"].startswith(
        "python -m evaluation.speed --seed 7"
    )
    assert (report["seed"], report["seconds"]) == (7, 0.5) and "numba" in report["versions"]
    assert [row["options"] for row in report["rows"]] == [{}, {}, {}, {"num_players": 6}]
    assert report["rows"][3]["asked"] == {"num_games": 256, "seconds": 0.5, "seed": 7}
    text = page.read_text(encoding="utf-8")
    assert text.startswith("above\n") and text.endswith("\nbelow\n") and "old" not in text
    assert "two players, choices a second | 300,000 | 40,000, OpenSpiel's `backgammon`" in text
    assert "first step 1.2 seconds" in text
    speed.main(["--show", str(file), "--readme", str(page)])
    assert page.read_text(encoding="utf-8") == text


def test_what_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lone = Measured("fairy_meat", "clash", {}, backgammon_rate=0.0)
    monkeypatch.setattr(speed, "measure", lambda *_, **__: lone)
    with pytest.raises(SetupError, match="needs both yardsticks"):
        speed.main([])
    file = tmp_path / "x.json"
    for text, words in (
        ("[", "expected a result of"),
        ("[]", "schema: "),
        ('{"schema": 1}', "got 1"),
    ):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(LoadError, match=words):
            speed.main(["--show", str(file)])
    with pytest.raises(LoadError, match="expected the comments"):
        speed.into_page(file, {})


def test_the_readme_shows_what_was_measured() -> None:
    assert speed.markdown(speed.read(COMMITTED)) in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_table_is_as_fast_beside_backgammon_as_promised() -> None:
    """Five times with two players, no worse than half of that with six, in one run."""
    two, six = speed.read(COMMITTED)["rows"][2:]
    assert (two["scenario"], two["options"], two["num_games"]) == ("skirmish", {}, 256)
    assert (six["scenario"], six["options"], six["num_games"]) == ("skirmish", {"num_players": 6}, 256)
    assert two["decision_rate"] >= 5 * two["backgammon_rate"]
    assert six["decision_rate"] >= 2.5 * six["backgammon_rate"]
