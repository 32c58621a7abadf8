"""Benchmark tasks: the committed ones are playable, and a new agent gets a comparable row."""

import io
import json

import pytest
from rich.console import Console
from typer.testing import CliRunner

from agents.registry import make
from evaluation.tournament import benchmark
from evaluation.tournament.benchmark import Task, find_task, published_ladder, tasks
from evaluation.tournament.benchmark_command import publish, run_command
from evaluation.tournament.design import make_groups
from fm_env import registry
from fm_env.cli import app
from fm_env.errors import LoadError, SetupError, UnknownNameError

KUHN = Task(
    name="kuhn/kuhn",
    version=2,
    about="the smallest",
    scenario={"scenario": "kuhn"},
    agents=("random", "passive", "mixed:bluff=0.3,call=0.3"),
    games=400,
    seed=7,
)


@pytest.fixture
def console():
    return Console(width=80, file=io.StringIO())


@pytest.fixture
def published(console, tmp_path, monkeypatch):
    """The ladder of the smallest task, freshly made."""
    monkeypatch.setattr(benchmark, "LADDERS", tmp_path)
    monkeypatch.setattr(benchmark, "tasks", lambda: {KUHN.full_name: KUHN})
    publish(KUHN, console)
    return json.loads(KUHN.ladder_file.read_text())


@pytest.mark.parametrize("name", list(tasks()))
def test_a_task_can_be_played_and_has_a_ladder_of_its_plan(name):
    task = tasks()[name]
    game = registry.find(task.game)
    scenario = game.scenario(**task.scenario)
    for spec in task.agents:
        make(spec, game, scenario).check(scenario.spec)
    groups = make_groups(len(task.agents), scenario.spec.num_seats)
    ladder = published_ladder(task)
    header = ladder["tournament"]
    assert [agent["spec"] for agent in header["agents"]] == list(task.agents)
    assert (header["seed"], ladder["complete"], ladder["task"]) == (task.seed, True, name)
    assert header["game"]["options"] == json.loads(json.dumps(dict(scenario.options)))
    orders = max(len(group.orders) for group in groups)
    assert ladder["games"] == -(-task.games // orders) * sum(len(group.orders) for group in groups)
    assert {row["agent"] for row in ladder["ratings"]} == {agent["name"] for agent in header["agents"]}


def test_every_game_has_a_task():
    assert {task.game for task in tasks().values()} >= {
        "fairy_meat",
        "fairy_tale",
        "sword_and_shield",
        "angry_miniatures",
    }


def test_names_find_the_newest_version_and_wrong_ones_are_told():
    assert find_task("fairy_meat/duel") == find_task("fairy_meat/duel@1")
    with pytest.raises(
        UnknownNameError, match="benchmark task 'fairy_meat/dual': did you mean 'fairy_meat/duel@1'"
    ):
        find_task("fairy_meat/dual")


def test_a_copy_of_a_reference_agent_gets_its_rating(published, console):
    """`eager:` would be another spec; an outsider that always passes is `passive` in other words."""
    elo = {row["agent"]: row["elo"] for row in published["ratings"]}
    row = run_command("kuhn/kuhn", "tests.agents.bots_for_tests:FirstLegal", console=console)
    assert row.rating.low < elo["passive"] < row.rating.high
    assert row.rating.elo == pytest.approx(elo["passive"], abs=40)
    against = {score.pair: score for score in row.against}
    assert list(against) == [(0, 1), (0, 2), (0, 3)]
    assert against[0, 2].score.mean == 0.5  # against its double, every block is even
    assert row.score.mean == pytest.approx(sum(score.score.mean for score in row.against) / 3)


def test_the_row_goes_to_a_file_with_all_that_is_needed_to_get_it_again(published, console, tmp_path):
    out, file = tmp_path / "r.jsonl", tmp_path / "row.json"
    row = run_command("kuhn/kuhn@2", "eager", out=out, json=file, console=console)
    report = json.loads(file.read_text())
    assert (report["task"], report["elo"]) == ("kuhn/kuhn@2", row.rating.elo)
    assert report["agent"]["spec"] == "eager"
    assert report["changed_reference_agents"] == []
    assert [entry["agent"] for entry in report["against"]] == list(KUHN.agents)
    assert "> eager" in console.file.getvalue()
    assert max(map(len, console.file.getvalue().splitlines())) <= 80
    before = out.read_bytes()
    assert before.count(b"\n") == 1 + 3 * 200
    assert run_command("kuhn/kuhn", "eager", out=out, console=console).rating == row.rating
    assert out.read_bytes() == before


def test_what_has_changed_since_the_ladder_was_made_is_told(published, console):
    ladder = json.loads(KUHN.ladder_file.read_text())
    ladder["tournament"]["agents"][1]["fingerprint"] = "0123"
    KUHN.ladder_file.write_text(json.dumps(ladder))
    run_command("kuhn/kuhn", "eager", console=console)
    assert "changed since the ladder was made: passive." in console.file.getvalue()
    ladder["tournament"]["game"]["rules_version"] = 9
    KUHN.ladder_file.write_text(json.dumps(ladder))
    with pytest.raises(LoadError, match="made with rules_version 9, now it is 1"):
        run_command("kuhn/kuhn", "eager", console=console)
    KUHN.ladder_file.unlink()
    with pytest.raises(LoadError, match=r"can't read its ladder kuhn-kuhn@2.json"):
        run_command("kuhn/kuhn", "eager", console=console)


def test_a_reference_agent_has_its_row_already(published, console):
    with pytest.raises(SetupError, match="'passive' is a reference agent of kuhn/kuhn@2"):
        run_command("kuhn/kuhn", "passive", console=console)


def test_the_command_line_lists_tasks_and_shows_ladders():
    listed = CliRunner().invoke(app, ["benchmark", "list"], env={"COLUMNS": "120"})
    assert listed.exit_code == 0
    assert all(name in listed.output for name in tasks())
    shown = CliRunner().invoke(app, ["benchmark", "ladder", "sword_and_shield/joust"])
    assert shown.exit_code == 0
    assert "reader" in shown.output
