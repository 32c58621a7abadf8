"""The file of results: torn lines, other tournaments, two writers, and kills."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from evaluation.tournament.analysis import analyse
from evaluation.tournament.files import ResultsFile, load_results
from evaluation.tournament.play import play_tournament, prepare
from evaluation.tournament.question import Question
from fm_env.errors import LoadError, SetupError
from tests.evaluation.tournament.conftest import BOTS
from tests.kuhn import GAME

ROOT = Path(__file__).parents[3]


def played(field, path):
    with ResultsFile(path, field.header) as out:
        return play_tournament(field, out)


def rows(path):
    return path.read_bytes().splitlines()[1:]


def test_what_is_written_reads_back_as_it_was(field, tmp_path):
    path = tmp_path / "new" / "t.jsonl"
    here = played(field, path)
    there = load_results(path)
    assert there.header == field.header
    assert here.games == there.games == 240
    for one, two in zip(here.played, there.played, strict=True):
        assert np.array_equal(one.returns, two.returns)
        assert np.array_equal(one.seeds, two.seeds)
        assert np.array_equal(one.rounds, range(20))
    assert [block.line() for block in there.blocks] == sorted_lines(path)


def sorted_lines(path):
    lines = [json.loads(row) for row in rows(path)]
    order = sorted(range(len(lines)), key=lambda k: (lines[k]["round"], lines[k]["group"]))
    return [rows(path)[k].decode() for k in order]


@pytest.mark.parametrize("cut", [1, 40, 2000, 9000])
def test_a_torn_file_goes_on_as_if_nothing_had_happened(field, tmp_path, cut):
    whole, torn = tmp_path / "whole.jsonl", tmp_path / "torn.jsonl"
    played(field, whole)
    torn.write_bytes(whole.read_bytes()[:-cut])
    load_results(torn)  # readable, too
    told = []
    with ResultsFile(torn, field.header) as out:
        before = out.results.games
        play_tournament(field, out, progress=told.append)
    assert rows(torn) == rows(whole)
    assert told[0] == before < 240
    assert sum(told) >= 240


@pytest.mark.parametrize("torn", [b"", b'{"g', b'{"game": {"na'])
def test_a_file_without_a_whole_header_begins_anew(field, tmp_path, torn):
    path = tmp_path / "t.jsonl"
    path.write_bytes(torn)
    assert played(field, path).games == 240
    assert load_results(path).header == field.header


@pytest.mark.parametrize("text", [b"my notes", b"my notes\n", b"{}", b"\n"])
def test_a_file_of_something_else_is_left_alone(field, tmp_path, text):
    path = tmp_path / "notes.txt"
    path.write_bytes(text)
    with pytest.raises(LoadError):
        ResultsFile(path, field.header)
    assert path.read_bytes() == text


def test_a_finished_tournament_plays_nothing_more(field, tmp_path):
    path = tmp_path / "t.jsonl"
    played(field, path)
    before = path.read_bytes()
    played(field, path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 5}, "seed = 4 there, now 5"),
        ({"rounds": 21}, "rounds = 20 there, now 21"),
        ({"specs": (*BOTS[:3], "mixed")}, "agents = .*mixed:bluff=0.5.* there, now .*'mixed'"),
        ({"move_seconds": 1.0}, "limits.move_seconds is None there, now 1.0"),
        ({"on_fault": "fallback"}, "limits.on_fault is 'stop' there, now 'fallback'"),
        ({"question": lambda rounds: Question(error=0.1)}, "question.error is 0.05 there, now 0.1"),
        ({"options": {"first": 1}}, "game.options is"),
    ],
)
def test_another_tournament_is_refused(field, tmp_path, change, words):
    path = tmp_path / "t.jsonl"
    played(field, path)
    before = path.read_bytes()
    asked = {"specs": BOTS, "rounds": 20, "seed": 4, "options": {}} | change
    specs, scenario = asked.pop("specs"), GAME.scenario("kuhn", **asked.pop("options"))
    other = prepare(GAME, scenario, specs, **asked)
    with pytest.raises(LoadError, match=words):
        ResultsFile(path, other.header)
    assert path.read_bytes() == before


def test_a_changed_agent_and_other_rules_are_refused(field, tmp_path):
    path = tmp_path / "t.jsonl"
    played(field, path)
    text = path.read_text()
    path.write_text(text.replace(field.header.agents[2].fingerprint, "0123456789abcdef"))
    with pytest.raises(LoadError, match=r"agent .eager. has changed .fingerprint 0123456789abcdef"):
        ResultsFile(path, field.header)
    path.write_text(text.replace('"rules_version": 1', '"rules_version": 7'))
    with pytest.raises(LoadError, match=r"game.rules_version is 7 there, now 1"):
        ResultsFile(path, field.header)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"group":0,"round":0,"seed":1,"returns":[[1,-1],[1,-1]]}', "round 0, group 0: it is there twice"),
        ('{"group":9,"round":0,"seed":1,"returns":[[1,-1],[1,-1]]}', "6 groups and 20 rounds"),
        ('{"group":0,"round":0,"seed":1,"returns":[[1,-1]]}', "shape .1, 2., expected .2, 2."),
        ('{"group":0,"round":0,"seed":1}', "line 122: not a block of a tournament: returns"),
        ("null", "line 122"),
    ],
)
def test_damage_is_told_with_its_place(field, tmp_path, line, words):
    path = tmp_path / "t.jsonl"
    played(field, path)
    with path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(LoadError, match=words):
        load_results(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "can't read"),
        ("", "is empty"),
        ("notes", "not the results"),
        ("[]\n", "not the header"),
        ('{"schema": "x"}\n', "schema 'x'"),
    ],
)
def test_what_is_no_tournament_is_told(tmp_path, text, words):
    path = tmp_path / "t.jsonl"
    if text is not None:
        path.write_text(text)
    with pytest.raises(LoadError, match=words):
        load_results(path)


def test_two_writers_at_once_are_refused(field, tmp_path):
    path = tmp_path / "t.jsonl"
    with (
        ResultsFile(path, field.header),
        pytest.raises(SetupError, match="another process is writing"),
    ):
        ResultsFile(path, field.header)


def test_the_order_of_lines_changes_no_number(field, tmp_path):
    path = tmp_path / "t.jsonl"
    played(field, path)
    head, *lines = path.read_text().splitlines(keepends=True)
    first = analyse(load_results(path), samples=50, nash_samples=2)
    random.Random(1).shuffle(lines)
    path.write_text("".join([head, *lines]))
    again = analyse(load_results(path), samples=50, nash_samples=2)
    assert max(abs(a.elo - b.elo) for a, b in zip(first.ratings, again.ratings, strict=True)) < 1e-6
    assert json.dumps(first.to_json()) == json.dumps(again.to_json())


PROGRAM = """
import sys
from pathlib import Path
import fm_env
from agents.registry import register_table
from evaluation.tournament.command import tournament_command
register_table("kuhn", "tests.kuhn_bots")
fm_env.register("kuhn", "tests.kuhn:GAME")
tournament_command(
    ["random", "mixed:bluff=0.5", "tests.evaluation.tournament.agents_for_tests:Slow", "passive"],
    game="kuhn", scenario=None, options={}, games=60, out=Path(sys.argv[1]), seed=3,
)
"""


@pytest.mark.drill(
    done="kill -9 of a tournament, and half a line at the end of its file; it is started again",
    expected="the same games and the same ranking as without the kill; no line that was whole is lost",
)
def test_a_killed_tournament_goes_on_and_ends_as_if_it_had_not_been_killed(tmp_path):
    whole, killed = tmp_path / "whole.jsonl", tmp_path / "killed.jsonl"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "7"}

    def start(path):
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(path)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    with start(whole) as process:
        expected, _ = process.communicate(timeout=600)
        assert process.returncode == 0, expected.decode()
    with start(killed) as process:
        give_up = time.monotonic() + 600  # a busy machine
        while not killed.exists() or killed.read_bytes().count(b"\n") < 20:
            assert process.poll() is None
            assert time.monotonic() < give_up
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
    before = killed.read_bytes()
    assert 20 <= before.count(b"\n") < whole.read_bytes().count(b"\n")
    with killed.open("ab") as file:
        file.write(b'{"group":3,"round":2')  # as a kill in mid-write would leave it
    with start(killed) as process:
        found, _ = process.communicate(timeout=600)
        assert process.returncode == 0, found.decode()
    assert rows(killed) == rows(whole)
    assert killed.read_bytes().startswith(before)
    assert found == expected
