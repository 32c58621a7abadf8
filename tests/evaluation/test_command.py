"""Tables, plot, report and the command that makes them."""

import io
import json

import numpy as np
import pytest
from rich.console import Console

import fm_env
from evaluation.command import agents_command, evaluate_command, parse_agents
from evaluation.plot import save_plot, win_rate_figure
from evaluation.report import SCHEMA, versions, write_report
from evaluation.table import matchup_table, seat_table
from fm_env.errors import FmEnvError, SetupError, UnknownNameError
from fm_env.games.conduct import Conduct, Habit


@pytest.fixture(autouse=True)
def registered():
    fm_env.register("kuhn", "tests.kuhn:GAME")


@pytest.fixture
def console():
    return Console(width=80, file=io.StringIO())


def run(console, **changes):
    asked = {
        "agent": "mixed:bluff=0.3",
        "against": ["random", "passive", "mixed:bluff=1,call=0.5"],
        "game": "kuhn",
        "scenario": "kuhn",
        "options": {},
        "games": 400,
        "seed": 6,
    }
    asked |= changes
    return evaluate_command(asked.pop("agent"), asked.pop("against"), console=console, **asked)


def test_the_tables_fit_80_columns_and_say_what_was_found(console):
    matchups = run(console, mirror=True)
    text = console.file.getvalue()
    assert max(map(len, text.splitlines())) <= 80
    for words in (
        "mixed:bluff=0.3 in kuhn (kuhn)",
        "random",
        "400",
        "95 %",
        "verdict",
        "gain [95 %]",
        "role",
    ):
        assert words in text
    for m in matchups:
        assert m.verdict in text
        assert f"{100 * m.score.mean:.1f} [{100 * m.score.low:.1f}, {100 * m.score.high:.1f}]" in text


def test_habits_are_told_where_a_game_defines_them(console, tmp_path, monkeypatch):
    def choices(spec, observations, masks, actions):
        return {"bets": ((actions == 1).astype(float), np.ones(len(actions)))}

    run(console, habits=True)
    assert "How they play" not in console.file.getvalue()
    conduct = Conduct({"bets": Habit("bets, or calls")}, choices)
    monkeypatch.setattr("tests.kuhn.Kuhn.conduct", conduct, raising=False)
    path = tmp_path / "report.json"
    run(console, agent="eager", against=["passive", "random"], habits=True, json=path)
    assert "How they play" in console.file.getvalue()
    told = json.loads(path.read_text())["behaviour"]
    assert told["eager"]["bets"]["rate"] == 1.0
    assert told["passive"]["bets"]["rate"] == 0.0
    assert told["passive"]["bets"]["n"] == 600  # asked twice when it speaks first
    assert told["random"]["bets"]["low"] < 0.5 < told["random"]["bets"]["high"]


def test_big_numbers_still_fit(console):
    matchups = run(console)
    huge = [type(m)(**{**vars(m), "games": 12_345_678, "opponent": "x" * 30}) for m in matchups]
    console.print(matchup_table("t", huge), seat_table(huge))
    assert max(map(len, console.file.getvalue().splitlines())) <= 80
    assert "…" not in console.file.getvalue()


def test_the_report_holds_all_that_is_needed_to_repeat_it(console, tmp_path):
    path = tmp_path / "new" / "report.json"
    matchups = run(console, json=path, mirror=True)
    report = json.loads(path.read_text())
    assert report["schema"] == SCHEMA
    assert report["seed"] == 6
    assert report["game"] == {
        "name": "kuhn", "scenario": "kuhn", "options": {"scenario": "kuhn"}, "rules_version": 1,
        "observation_version": 1,
    }  # fmt: skip
    assert [entry["spec"] for entry in report["agents"]][:2] == ["mixed:bluff=0.3", "random"]
    assert len({entry["fingerprint"] for entry in report["agents"]}) == 4
    assert {"python", "numpy", "numba", "fm-env"} <= set(report["versions"])
    assert len(report["matchups"]) == 3
    first = report["matchups"][0]
    assert first["games"] == 400
    assert first["score"]["low"] == matchups[0].score.low
    assert first["verdict"] == matchups[0].verdict
    assert len(report["role_gains"]) == 6
    assert [file.name for file in path.parent.iterdir()] == ["report.json"]  # nothing half-written left
    again = run(console)
    assert again == matchups


def test_a_report_that_cannot_be_written_leaves_the_old_one(tmp_path):
    path = tmp_path / "report.json"
    write_report(path, {"a": 1})
    with pytest.raises(ValueError, match="JSON"):
        write_report(path, {"a": float("nan")})
    assert json.loads(path.read_text()) == {"a": 1}


def test_the_plot_is_a_png_that_shows_every_opponent(console, tmp_path):
    path = tmp_path / "new" / "plot.png"
    matchups = run(console, plot=path)
    assert path.read_bytes().startswith(b"\x89PNG")
    axes = win_rate_figure("title", matchups).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == [m.opponent for m in matchups]
    low, high = axes.get_xlim()
    assert all(low <= 100 * m.score.low and 100 * m.score.high <= high for m in matchups)
    assert "win rate" in axes.get_xlabel()
    assert "400 games" in axes.get_title(loc="left")
    save_plot(path, win_rate_figure("title", matchups[:1]))


def test_a_git_revision_is_given_inside_a_checkout():
    assert len(versions().get("git", "0" * 40).removesuffix("+changes")) == 40


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"games": 1}, SetupError, "games: expected at least 2"),
        ({"against": []}, SetupError, "at least one opponent"),
        ({"game": "kun"}, UnknownNameError, "did you mean 'kuhn'"),
        ({"scenario": "kunh"}, UnknownNameError, "did you mean 'kuhn'"),
        ({"options": {"first": 7}}, SetupError, "first"),
        ({"agent": "mixd"}, UnknownNameError, "did you mean 'mixed'"),
        ({"against": ["random", "eagr"]}, UnknownNameError, "did you mean 'eager'"),
    ],
)
def test_mistakes_are_named_before_a_game_is_played(console, changes, error, words):
    with pytest.raises(error, match=words) as caught:
        run(console, **changes)
    assert isinstance(caught.value, FmEnvError)
    assert console.file.getvalue() == ""


def test_agents_that_share_a_name_are_told_apart(console):
    here = "tests.agents.bots_for_tests"
    matchups = run(
        console, agent=f"{here}:Tuned:rate=1", against=[f"{here}:Tuned:rate=2", "random"], games=20
    )
    assert [(m.agent, m.opponent) for m in matchups] == [
        (f"{here}:Tuned:rate=1", f"{here}:Tuned:rate=2"),
        (f"{here}:Tuned:rate=1", "random"),
    ]


def test_options_reach_the_scenario(console):
    """Who speaks first is an option; passing everything down, only the seats change places."""
    a, b = (run(console, options={"first": first}, against=["eager"])[0] for first in (0, 1))
    assert a.seats != b.seats


def test_the_list_of_agents_names_each_with_a_line(console):
    agents_command("kuhn", console)
    text = console.file.getvalue()
    assert "passive" in text
    assert "never bets and never calls" in " ".join(text.split())
    assert "module.path:Class" in text


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("random", ["random"]),
        ("random, plain", ["random", "plain"]),
        ("random,mixed:bluff=0.3,call=1,plain", ["random", "mixed:bluff=0.3,call=1", "plain"]),
        ("mixed:bluff=0.3,call=1;plain", ["mixed:bluff=0.3,call=1", "plain"]),
        ("a.b:C:x=1,y=2,policy:runs/best", ["a.b:C:x=1,y=2", "policy:runs/best"]),
        (" , ;", []),
    ],
)
def test_lists_of_specs(text, specs):
    assert parse_agents(text) == specs


def test_the_command_line(tmp_path):
    from typer.testing import CliRunner

    from fm_env.cli import app

    report = tmp_path / "report.json"
    words = [
        "evaluate",
        "mixed",
        "--against",
        "random,mixed:bluff=1,call=1",
        "--game",
        "kuhn",
        "--games",
        "50",
    ]
    done = CliRunner().invoke(app, [*words, "--set", "first=1", "--seed", "3", "--json", str(report)])
    assert done.exit_code == 0, done.output
    assert "mixed:bluff=1" in done.output
    assert json.loads(report.read_text())["game"]["options"]["first"] == 1
    done = CliRunner().invoke(app, ["agents", "--game", "kuhn"])
    assert done.exit_code == 0
    assert "passive" in done.output


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "nobody", "--against", "random"],
        ["evaluate", "random", "--against", "random", "--scenario", "nowhere"],
        ["evaluate", "random", "--against", "random", "--games", "0"],
        ["evaluate", "random", "--against", "random", "--set", "colour=red"],
        ["evaluate", "random", "--against", "random", "--json", "/proc/nowhere/report.json"],
        ["evaluate", "random", "--against", "random", "--game", "chess"],
        ["agents", "--game", "chess"],
    ],
)
def test_mistakes_on_the_command_line_end_in_one_line_and_code_2(words, capsys, monkeypatch):
    from fm_env import cli

    monkeypatch.setattr("sys.argv", ["fm-env", *words])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("fm-env: ")
    assert said.err.count("\n") == 1
