"""docs/games/bots.md tells what happened in the games that it names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from agents.replay_command import record_command
from fm_env.replay_check import words_of

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/games/bots.md").read_text("utf-8")
GAME = re.compile(r"--agents (\w+),(\w+) --seed (\d+)\n```\n\n```text\n(.*?)```", re.DOTALL)
BOTS = ("random", "brawler", "sniper", "witch", "scavenger", "tactician")
ROWS = {
    "attacks, of its acts": "attacks",
    "casts, of its acts": "casts",
    "eats, of its acts": "eats",
    "flies to contact, of its choices on the wing": "flies to contact",
    "takes cover, of the same": "takes cover",
    "declares a pose": "poses",
    "holds its Order Card, of its plans": "holds",
    "meat a game": "meat a game",
    "kills a game": "kills a game",
}


def test_every_bot_has_a_game_and_a_picture():
    assert [first for first, *_ in GAME.findall(PAGE)] == list(BOTS)
    for bot in BOTS:
        file = ROOT / f"docs/assets/bots/{bot}.svg"
        assert f"](../assets/bots/{bot}.svg)" in PAGE and file.stat().st_size < 60_000


def test_its_shares_are_those_of_the_committed_result():
    found = json.loads((ROOT / "evaluation/results/ladder_skirmish.json").read_text("utf-8"))["watched"]
    for row, habit in ROWS.items():
        (line,) = re.findall(rf"^\| {row} \| (.*) \|$", PAGE, re.MULTILINE)
        for bot, said in zip(BOTS, line.split(" | "), strict=True):
            rate = found["behaviour"][bot][habit]["rate"]
            share = said.endswith("%") or not found["habits"][habit]["unit"]
            decimals = len(said.partition(".")[2])
            assert float(said.rstrip("% ")) == pytest.approx(
                100 * rate if share else rate, abs=0.51 * 10**-decimals
            ), (row, bot)


def test_what_it_quotes_of_the_shortest_game_was_said(tmp_path: Path):
    first, second, seed, quoted = next(game for game in GAME.findall(PAGE) if game[0] == "sniper")
    replay = record_command(tmp_path / "game.json", "fairy_meat", "skirmish", {}, (first, second), int(seed))
    said = {step.number: words for step, words in words_of(replay, None)}
    lines = quoted.rstrip().splitlines()
    assert len(lines) >= 3
    for line in lines:
        assert said[int(line[:4])] == line[6:]
