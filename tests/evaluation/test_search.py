"""The file of blocks behind the curve of search: whole, resumable, of the present agents only."""

from __future__ import annotations

import json

import pytest

from agents.registry import make
from evaluation import search
from evaluation.search import Block, Pairing, current, read, score_of, summary
from fm_env.errors import LoadError, SetupError
from fm_env.match import load

PAIRING = Pairing("clash", "search:base=random,simulations=4", "random")


def block(number, first=1.0, second=1.0, fingerprints=None):
    scenario = load("fairy_meat").scenario("clash")
    search_agent, opponent = (make(spec, "fairy_meat", scenario) for spec in PAIRING[1:])
    present = (search_agent.fingerprint(), opponent.fingerprint())
    return Block(
        **PAIRING._asdict(),
        fingerprints=fingerprints or present,
        block=number,
        returns=((first, -first), (-second, second)),
        seconds=2.0,
    )


def test_a_killed_run_goes_on_and_plays_the_same(tmp_path, capsys):
    file = tmp_path / "blocks.jsonl"
    options = {"base": "random", "against": None, "simulations": "4", "seconds": None, "workers": 1}
    search.play("clash", blocks=2, file=file, **options)
    whole = read(file)
    lines = file.read_text("utf-8").splitlines()
    file.write_text(lines[0] + "\n" + lines[1][:40], "utf-8")
    search.play("clash", blocks=3, file=file, **options)
    again = read(file)
    assert [one.block for one in again] == [0, 1, 2]
    assert again[1].returns == whole[1].returns
    search.report(json_file=tmp_path / "out.json", plot=tmp_path / "out.png", file=file, least=6, note="")
    entry = json.loads((tmp_path / "out.json").read_text("utf-8"))["pairings"][0]
    assert entry["games"] == 6
    assert entry["interval"][0] <= entry["score"] <= entry["interval"][1]
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


def test_scores_are_of_the_searcher_with_blocks_as_observations():
    won, split = [block(k) for k in range(30)], [block(k, 1.0, -1.0) for k in range(30)]
    assert score_of(won).mean == 1.0
    assert score_of(split).mean == 0.5
    assert score_of(split).high - score_of(split).low < 0.1, "a block that is split has no luck left in it"
    entry = summary(won)[0]
    assert (entry["games"], entry["by_seat"], entry["verdict"]) == (60, [1.0, 1.0], "beats")
    assert entry["seconds_per_game"] == 1.0


def test_older_agents_and_repeated_blocks_do_not_count():
    found = list(current([block(0), block(0), block(1), block(2, fingerprints=("old", "old"))]))
    assert [one.block for one in found] == [0, 1]


def test_a_damaged_file_is_refused_by_its_line(tmp_path):
    file = tmp_path / "blocks.jsonl"
    file.write_text(block(0).model_dump_json() + "\n{}\n", "utf-8")
    with pytest.raises(LoadError, match=r"blocks\.jsonl, line 2"):
        read(file)
    with pytest.raises(SetupError, match="no blocks"):
        search.report(json_file=None, plot=None, file=tmp_path / "none.jsonl", least=0, note="")
