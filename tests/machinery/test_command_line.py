"""`fm-env`: what it lists, measures and says about mistakes."""

from __future__ import annotations

import errno
import json

import pytest
from typer.testing import CliRunner

import fm_env
from fm_env import bench
from fm_env.cli import app, main, parse_options
from fm_env.errors import SetupError

fm_env.register("kuhn", "tests.kuhn:GAME")
fm_env.register("sealed", "tests.views.sealed:GAME")


def test_games_lists_every_scenario() -> None:
    result = CliRunner().invoke(app, ["games"])
    assert result.exit_code == 0
    for scenario in fm_env.load("fairy_meat").scenario_names():
        assert scenario in result.output
    assert "kuhn" in result.output


def test_bench_measures_all_it_promises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_second_process", lambda *_: 0.5)
    arguments = ["bench", "--game", "kuhn", "--games", "64", "--seconds", "0.05", "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert (data["schema"], data["seed"], data["seconds"]) == (bench.SCHEMA, 1, 0.05)
    assert data["command"].startswith("fm-env") and {"python", "numpy", "numba"} <= set(data["versions"])
    assert min(data["decision_rate"], data["bare_rate"], data["raw_env_rate"], data["chance_rate"]) > 0
    assert data["ratio"] == pytest.approx(data["decision_rate"] / data["bare_rate"])
    table = CliRunner().invoke(app, [*arguments[:-1]])
    assert "ratio" in table.output


def test_bench_without_a_game_measures_every_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_second_process", lambda *_: 0.5)
    monkeypatch.setattr(bench, "names", lambda: ("kuhn", "sealed"))
    arguments = ["bench", "--games", "64", "--seconds", "0.02"]
    result = CliRunner().invoke(app, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    assert [json.loads(line)["game"] for line in result.stdout.splitlines()] == ["kuhn", "sealed"]
    table = CliRunner().invoke(app, arguments, env={"COLUMNS": "140"})
    assert "kuhn kuhn (2, 10)" in table.output and "sealed" in table.output


def test_options_are_read_from_texts() -> None:
    given = ["a=4", "combat=fast_play", "jokers=false", "deck=[1, 2]", "x=a=b"]
    expected = {"a": 4, "combat": "fast_play", "jokers": False, "deck": [1, 2], "x": "a=b"}
    assert parse_options(given) == expected
    with pytest.raises(SetupError, match="KEY=VALUE"):
        parse_options(["a"])


def test_mistakes_end_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["fm-env", "bench", "--game", "khun"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    said = capsys.readouterr().err.strip()
    known = ", ".join(fm_env.names())  # other tests of the same process may have registered more games
    assert said == f"fm-env: unknown game 'khun': did you mean 'kuhn'? known: {known}"
    assert "\n" not in said


@pytest.mark.drill(
    done="a command meets a full disk",
    expected="one line that names the file and the reason, exit code 2, no traceback",
)
def test_a_full_disk_ends_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full() -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "runs/duel/config.json")

    monkeypatch.setattr("fm_env.cli.app", full)
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "runs/duel/config.json" in said and "No space left" in said


def test_other_troubles_with_files_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("fm_env.cli.app", broken)
    with pytest.raises(OSError, match="Input/output"):
        main()
