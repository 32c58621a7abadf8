"""The ten-line bot that the README promises, from its file to its first result."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_ten_line_bot_in_its_own_file_plays_in_another_process(tmp_path):
    (tmp_path / "my_bot.py").write_text(
        textwrap.dedent(
            """
            import numpy as np


            class MyBot:
                def reset(self, spec, seat, seed):
                    self.rng = np.random.default_rng(seed)

                def act(self, observation, action_mask):
                    return self.rng.choice(np.flatnonzero(action_mask))
            """
        )
    )
    program = """
import agents
from evaluation import play_pair
from tests.kuhn import GAME
scenario = GAME.scenario("kuhn")
mine, other = agents.make("my_bot:MyBot", GAME, scenario), agents.make("random", GAME)
result = play_pair(GAME, scenario, mine, other, 200, seed=1)
print(result.games, result.agent, result.verdict)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(tmp_path)))},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["200", "mybot", "undecided"]
