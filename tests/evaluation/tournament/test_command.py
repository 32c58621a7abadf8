"""The commands `fm-env tournament` and `fm-env ratings`."""

import io
import json
import sys

import pytest
from rich.console import Console
from typer.testing import CliRunner

from evaluation.tournament.command import Cluster, ratings_command, tournament_command
from evaluation.tournament.files import load_results
from fm_env.cli import app
from fm_env.errors import FmEnvError, SetupError, UnknownNameError

BOTS = ("passive", "eager", "mixed:bluff=0.3,call=0.3")


@pytest.fixture
def console():
    return Console(width=80, file=io.StringIO())


def run(console, path, *specs, **changes):
    asked = {"game": "kuhn", "scenario": None, "options": {}, "games": 100, "out": path, "seed": 2} | changes
    return tournament_command(specs or BOTS, console=console, **asked)


def test_it_prints_all_tables_and_prints_them_again_from_the_file(console, tmp_path):
    path = tmp_path / "t.jsonl"
    found = run(console, path, json=tmp_path / "t.json")
    text = console.file.getvalue()
    assert max(map(len, text.splitlines())) <= 80
    for words in ("kuhn kuhn: 300 games", "Bradley-Terry", "a-rank", "Nash", "Seats", "told apart", "Luck:"):
        assert words in text
    again = Console(width=80, file=io.StringIO())
    ratings_command(path, console=again)
    assert text.startswith(again.file.getvalue())
    report = json.loads((tmp_path / "t.json").read_text())
    assert [r["agent"] for r in report["ratings"]] == [found.header.names[k] for k in found.ranking]
    assert report["tournament"]["agents"][1]["spec"] == "eager"


def test_without_a_number_of_games_as_many_are_played_as_the_plan_says(console, tmp_path):
    found = run(console, tmp_path / "t.jsonl", "passive", "eager", games=None)
    assert found.header.rounds == 450
    assert found.results.games == 900


def test_games_are_rounded_up_to_whole_blocks(console, tmp_path):
    assert run(console, tmp_path / "t.jsonl", games=7).header.rounds == 4


def test_until_stops_early(console, tmp_path):
    found = run(console, tmp_path / "t.jsonl", games=20_000, until="best")
    assert found.header.question.kind == "best"
    assert found.results.games < 60_000
    assert "Asked for the best: eager" in console.file.getvalue()


def test_until_a_pair_is_told_apart(console, tmp_path):
    found = run(console, tmp_path / "t.jsonl", games=4000, until=" mixed:bluff=0.3,call=0.3 > eager")
    assert found.header.question.of == (2, 1)
    assert "Asked: mixed:bluff=0.3,call=0.3 is worse than eager" in " ".join(console.file.getvalue().split())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"until": "worst"}, "until: expected all, best or 'A>B'"),
        ({"until": "eager>nobody"}, "until: 'nobody' is none of the agents"),
        ({"until": "eager>eager"}, "the same agent"),
        ({"games": 0}, "games: expected at least 1, got 0"),
        ({"error": 1.5}, "error: expected a number between 0 and 1, got 1.5"),
        ({"json": "/proc/no/such/place.json"}, "can't write"),
        ({"out": "/proc/no/such/place.jsonl"}, "can't write"),
    ],
)
def test_mistakes_are_told_before_a_game_is_played(console, tmp_path, changes, words):
    from pathlib import Path

    changes = {key: Path(value) if key in ("json", "out") else value for key, value in changes.items()}
    with pytest.raises(SetupError, match=words):
        run(console, tmp_path / "t.jsonl", **changes)
    assert not (tmp_path / "t.jsonl").exists()


def test_an_unknown_agent_is_told(console, tmp_path):
    with pytest.raises(UnknownNameError, match="did you mean 'eager'"):
        run(console, tmp_path / "t.jsonl", "eagre", "passive")


def test_without_ray_its_option_says_what_to_install(console, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SetupError, match=r"needs Ray; install it with: pip install 'fm-env\[scale\]'"):
        run(console, tmp_path / "t.jsonl", cluster=Cluster(ray=True))


def test_a_tournament_that_barely_began_is_told(console, tmp_path):
    path = tmp_path / "t.jsonl"
    run(console, path)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    with pytest.raises(SetupError, match="not every group of agents has played yet"):
        ratings_command(path, console=console)


def test_the_command_line(tmp_path):
    path = tmp_path / "t.jsonl"
    words = ["tournament", *BOTS, "--game", "kuhn", "--games", "40", "--out", str(path), "--seed", "5"]
    words += ["--move-seconds", "5", "--on-fault", "fallback", "--until", "all", "--error", "0.1"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    header = load_results(path).header
    assert (header.seed, header.limits.move_seconds, header.limits.on_fault) == (5, 5.0, "fallback")
    assert (header.question.kind, header.question.error, header.question.looks) == ("all", 0.1, (20,))
    assert CliRunner().invoke(app, ["ratings", str(path)]).exit_code == 0
    failed = CliRunner().invoke(app, [*words[:-1], "0.2"])
    assert isinstance(failed.exception, FmEnvError)
