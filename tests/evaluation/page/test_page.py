"""The report of a small tournament: all of it in one page that loads nothing, and true to its numbers."""

import html.parser
import io
import itertools
import json

import numpy as np
import pytest
from rich.console import Console

from agents.api import Agent
from evaluation.page import ladder
from evaluation.page.charts import heat, ticks
from evaluation.page.command import report_command
from evaluation.page.render import markdown
from evaluation.page.replays import LONGEST, UPSET, choose
from evaluation.tournament.analysis import analyse
from evaluation.tournament.files import ResultsFile, load_results
from evaluation.tournament.play import play_tournament, prepare
from evaluation.watch import Story
from fm_env import registry
from fm_env.errors import FmEnvError, LoadError, SetupError
from fm_env.match import Match

SPECS = ["random", "counter", "bluffer:rate=0.3", "tests.evaluation.page.test_page:Villain"]
VOID = {"meta", "br", "link", "img", "line", "circle", "rect"}


class Villain(Agent):
    """Has a name that would break a careless page, and knows how it stands no better than a coin."""

    name = "<script>alert('|')</script>"

    def act_batch(self, observations, masks, rng):
        return masks.argmax(axis=1)

    def win_estimate(self, observations, masks):
        return np.full(len(masks), 0.5)


class Checker(html.parser.HTMLParser):
    """Notes tags, links and text; complains about tags that don't match."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.links, self.text, self.ids = [], set(), [], [], set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for name, value in attrs:
            assert not name.startswith("on"), f"{tag} has a handler"
            if name in ("href", "src", "xlink:href", "data", "action"):
                self.links.append(value)
            if name == "id":
                self.ids.add(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def parsed(path):
    checker = Checker()
    checker.feed(path.read_text(encoding="utf-8"))
    checker.close()
    assert checker.open == []
    return checker


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The file of a tournament in the duel."""
    game = registry.find("fairy_meat")
    path = tmp_path_factory.mktemp("tournament") / "duel.jsonl"
    field = prepare(game, game.scenario("duel"), SPECS, rounds=12, seed=3, command="fm-env tournament <b>")
    with ResultsFile(path, field.header) as out:
        play_tournament(field, out)
    return path


@pytest.fixture(scope="module")
def report(played, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    console = Console(file=io.StringIO(), width=100)
    findings = report_command(
        played, out=folder / "duel.html", watch=3, seed=2, ladder=folder / "ladder.md", console=console
    )
    return folder, findings, console.file.getvalue()


def test_the_page_is_whole_and_loads_nothing(report):
    folder, _, _ = report
    checker = parsed(folder / "duel.html")
    assert checker.tags.isdisjoint({"script", "link", "img", "iframe", "object", "embed", "base"})
    for link in checker.links:
        assert "://" not in link and not link.startswith(("//", "data:"))
        assert link[1:] in checker.ids if link.startswith("#") else (folder / link).is_file()
    style = (folder / "duel.html").read_text(encoding="utf-8")
    assert "@import" not in style and "url(" not in style
    assert "prefers-color-scheme: dark" in style


def test_text_that_agents_gave_is_shown_and_does_nothing(report):
    folder, _, _ = report
    checker = parsed(folder / "duel.html")
    shown = " ".join(checker.text)
    assert Villain.name in shown  # as text: there is no such tag
    assert "fm-env tournament <b>" in shown
    ladder = (folder / "ladder.md").read_text()
    assert "<script>" not in ladder
    rows = [line for line in ladder.splitlines() if line.startswith("| ")]
    assert len({line.replace("\\|", "").count("|") for line in rows}) == 1


def test_the_page_says_what_the_analysis_says(report, played):
    folder, findings, said = report
    analysis = analyse(load_results(played))
    shown = " ".join(parsed(folder / "duel.html").text)
    for rating in analysis.ratings:
        elo, low, high = (ladder.signed(value) for value in (rating.elo, rating.low, rating.high))
        assert f"{elo} [{low}, {high}]" in shown
    for first, second in ((0, 1), (1, 2)):
        assert f"{100 * analysis.payoffs[first, second]:.1f}" in shown
    assert "144 games of duel (fairy_meat)" in shown  # 6 pairs, 12 deals, both seat orders
    assert markdown(analysis) == (folder / "ladder.md").read_text()
    assert markdown(analysis).splitlines()[2] in said
    assert findings.watched.games == 6 * 3 * 2


def test_the_numbers_hold_everything(report):
    folder = report[0]
    numbers = json.loads((folder / "duel.json").read_text())
    assert numbers["analysis"]["tournament"]["seed"] == 3
    assert [agent["spec"] for agent in numbers["analysis"]["tournament"]["agents"]] == SPECS
    watched = numbers["watched"]
    assert watched["absent"] == {}
    assert watched["behaviour"]["random"]["lays"]["n"] > 30
    assert set(watched["behaviour"]["counter"]) <= set(watched["habits"])
    assert list(watched["calibration"]) == [Villain.name]
    draws_included = watched["calibration"][Villain.name]
    assert draws_included["brier"] <= 0.25
    assert {"python", "numpy"} <= set(numbers["versions"])


def test_replays_are_matches_that_were_played_so(report):
    folder = report[0]
    replays = json.loads((folder / "duel.json").read_text())["watched"]["replays"]
    assert {reason for replay in replays for reason in replay["reasons"]} >= {LONGEST, "closest finish"}
    for replay in replays:
        match = Match.from_json((folder / replay["match"]).read_text())
        assert match.is_over
        assert list(match.returns()) == replay["returns"]
        text = (folder / replay["text"]).read_text()
        assert all(event.words in text for event in match.log)
        assert f"seat 1: {replay['players'][1]}" in text


def test_reports_make_a_page_of_ladders(report, tmp_path, capsys):
    folder = report[0]
    ladder.main([str(folder / "duel.json"), "--out", str(tmp_path / "ladder.md")])
    page = (tmp_path / "ladder.md").read_text()
    assert "## duel" in page
    assert (folder / "ladder.md").read_text().strip() in page
    assert "| bluffs |" in page
    assert "Score by seat: seat 0" in page
    assert "<script>" not in page
    for bad in (folder / "nowhere.json", folder / "duel.html"):
        with pytest.raises(SystemExit, match="ladder: "):
            ladder.main([str(bad), "--out", str(tmp_path / "other.md")])
    assert not (tmp_path / "other.md").exists()


def test_a_tournament_can_be_reported_without_playing(played, tmp_path):
    findings = report_command(played, out=tmp_path / "r.html", watch=0, console=Console(file=io.StringIO()))
    assert findings.watched is None
    assert "behaviour" not in parsed(tmp_path / "r.html").ids
    assert sorted(file.name for file in tmp_path.iterdir()) == ["r.html", "r.json"]


def test_agents_that_changed_since_are_not_watched(played, tmp_path):
    path = tmp_path / "old.jsonl"
    lines = played.read_text().splitlines(keepends=True)
    header = json.loads(lines[0])
    header["agents"][1]["fingerprint"] = "0" * 16
    header["agents"][2]["spec"] = "no_such_module:Bot"
    path.write_text(json.dumps(header) + "\n" + "".join(lines[1:]))
    found = report_command(path, out=tmp_path / "r.html", watch=1, console=Console(file=io.StringIO()))
    assert found.watched.absent["counter"] == "has changed since the tournament"
    assert "no module named" in found.watched.absent["bluffer:rate=0.3"]
    assert found.watched.games == 2  # only random against the villain is left
    shown = " ".join(parsed(tmp_path / "r.html").text)
    assert "counter was not watched: has changed" in shown


def test_three_seats(tmp_path):
    game = registry.find("fairy_tale")
    specs = ["random", "greedy", "collector"]
    field = prepare(game, game.scenario("expert", num_players=3), specs, rounds=10, seed=1)
    with ResultsFile(tmp_path / "three.jsonl", field.header) as out:
        play_tournament(field, out)
    found = report_command(
        tmp_path / "three.jsonl", out=tmp_path / "three.html", watch=2, console=Console(file=io.StringIO())
    )
    assert found.watched.games > 0
    shown = " ".join(parsed(tmp_path / "three.html").text)
    assert "seat 2" in shown
    assert "drafts its best" in shown


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"watch": -1}, SetupError, "watch: expected 0 or more"),
        ({"out": "report.txt"}, SetupError, "ends in .html"),
        ({"results": "missing.jsonl"}, LoadError, "can't read"),
    ],
)
def test_mistakes_are_named(played, tmp_path, changes, error, words):
    asked = {"results": played, "out": tmp_path / "r.html", "watch": 0} | changes
    results, out = (tmp_path / asked.pop(name) for name in ("results", "out"))
    with pytest.raises(error, match=words) as caught:
        report_command(results, out=out, console=Console(file=io.StringIO()), **asked)
    assert isinstance(caught.value, FmEnvError)
    assert list(tmp_path.iterdir()) == []


def story(agents, returns, choices):
    return Story(0, 1, agents, ((0, 0),) * choices, returns)


def test_games_are_chosen_by_rule():
    stories = [
        story((0, 1), (1.0, -1.0), 5),
        story((0, 1), (-1.0, 1.0), 9),
        story((1, 2), (0.0, 0.0), 7),
        story((2, 0), (1.0, -1.0), 5),
    ]
    values = {"closest": np.array([-3.0, -2.0, -np.inf, -2.0]), "nothing": np.full(4, -np.inf)}
    assert choose(stories, values, [100.0, 50.0, 20.0]) == {1: ["closest", LONGEST], 3: [UPSET]}


def test_heat_is_readable_at_every_score():
    def luminance(text):
        rgb = [int(part) / 255 for part in text.removeprefix("background:rgb(").split(")")[0].split(",")]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for score, span in itertools.product(np.linspace(0, 1, 101), (0.5, 0.05)):
        style = heat(score, span)
        ink = 1.0 if style.endswith("#fff") else 0.0
        light, dark = sorted((luminance(style), ink), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5


@pytest.mark.parametrize(
    ("low", "high", "step"),
    [(0, 100, 20), (0, 1, 0.2), (-364, 220, 100), (0, 5.2, 1), (40, 60, 5), (0, 0.033, 0.005)],
)
def test_ticks_are_round(low, high, step):
    found = ticks(low, high)
    assert np.allclose(np.diff(found), step)
    assert low <= found[0] < low + step
    assert high - step < found[-1] <= high + 1e-9
