"""The wheel, built once, unpacked where no source tree is near."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

Run = Callable[..., str]
"""`run(code, **environment)` in a fresh process that sees the installed package only; its output."""


PLAY = """
import fm_env, agents.registry, numpy as np
from fm_env import fairy_meat_v0
assert "in its path" in fm_env.__file__, fm_env.__file__
for game in fm_env.names():
    handle = fm_env.load(game)
    scenario = "clash" if game == "fairy_meat" else handle.default_scenario
    for spec in agents.registry.names(game):
        agents.registry.make(spec, game)
    match = handle.new_match(scenario=scenario, seed=1)
    player = agents.registry.make("random", game)
    for _ in range(30):
        if match.is_over:
            break
        seat = match.pending[0]
        player.reset(match.spec, seat, 1)
        match.play(seat, int(player.act(match.observation(seat), match.mask(seat))))
    print(game, len(match.events))
env = fairy_meat_v0.env(scenario="clash", render_mode="ansi")
env.reset(seed=1)
env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
print(env.render().splitlines()[0])
policy = agents.registry.make("policy:clash", "fairy_meat")
policy.check(fm_env.load("fairy_meat").spec("clash"))
"""
"""What must work without any extra."""


def built(folder: Path, *what: str) -> Path:
    """Build a wheel (or what else is asked for) from the checkout; the path of the one file made."""
    command = [sys.executable, "-m", "build", "--no-isolation", *what, "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = folder.iterdir()
    return file


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("dist"), "--wheel")


@pytest.fixture(scope="session")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel installed in a folder with spaces in its path."""
    folder = tmp_path_factory.mktemp("with spaces") / "in its path"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
    done = subprocess.run([*command, "--target", str(folder), str(wheel)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def run(site: Path, tmp_path: Path) -> Run:
    def run(code: str, **environment: str | None) -> str:
        settings = os.environ | {"PYTHONPATH": str(site), "NUMBA_DISABLE_JIT": "1"} | environment
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env={name: value for name, value in settings.items() if value is not None},
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
