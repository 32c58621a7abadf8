"""Runs: what they write, and that a killed and resumed one is the same as one never killed."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from agents.policy import load_policy
from fm_env.errors import LoadError, SetupError
from training.command import run_training
from training.config import check_config
from training.run import Run

ROOT = Path(__file__).parents[2]

ENDLESS = """
import json, sys
from pathlib import Path
from fm_env.registry import register
register("kuhn", "tests.kuhn:GAME")
from training.config import check_config
from training.run import Run
run = Run(check_config(json.loads(sys.argv[1])), Path(sys.argv[2]))
while True:
    run.update()
    if run.updates % 2 == 0:
        run.save()
"""

LOUD = """
from training import league
trained = league._trained
league._trained = lambda *given: print("exploiter", flush=True) or trained(*given)
"""
"""Before ENDLESS: a line when an exploiter begins to learn."""


def quiet() -> Console:
    return Console(file=io.StringIO(), width=200)


def checkpoint_bytes(folder: Path, number: int) -> dict[str, Any]:
    """Contents of a checkpoint, without its clocks."""
    found = {file.name: file.read_bytes() for file in (folder / "checkpoints" / f"{number:08d}").iterdir()}
    state = json.loads(found.pop("state.json"))["state"]
    return found | {name: value for name, value in state.items() if name not in ("elapsed", "seconds")}


def gone_on(table: dict[str, Any], killed: Path, straight: Path, end: int) -> dict[str, Any]:
    """What a resumed run saves at update `end`, once it is known to be what one never killed saves."""
    resumed, never = Run(check_config(table), killed, resume=True), Run(check_config(table), straight)
    for run in (never, resumed):
        while run.updates < end:
            run.update()
        run.save()
    expected, got = checkpoint_bytes(straight, end), checkpoint_bytes(killed, end)
    assert got.keys() == expected.keys()
    assert [name for name in expected if got[name] != expected[name]] == []
    return got


def test_a_run_writes_what_it_promises(tmp_path: Path, table: dict[str, Any]) -> None:
    config = check_config(table)
    policy = run_training(config, tmp_path / "run", False, quiet())
    assert json.loads((tmp_path / "run" / "config.json").read_text()) == config.model_dump(mode="json")
    assert "torch" in json.loads((tmp_path / "run" / "provenance.json").read_text())[0]["versions"]
    card = load_policy(policy).card
    assert card.training["seed"] == 5 and card.training["decisions"] == 8 * 256
    assert card.training["config"]["game"]["name"] == "kuhn"
    assert len(list((tmp_path / "run" / "checkpoints").iterdir())) == 3
    curves = EventAccumulator(str(tmp_path / "run" / "tensorboard")).Reload()
    names = set(curves.Tags()["scalars"])
    assert {"win_rate/self", "win_rate/past", "win_rate/random", "train/entropy", "train/magnet_kl"} <= names
    assert {"time/environment", "time/opponents", "time/learner", "train/illegal_actions"} <= names
    assert all(event.value == 0 for event in curves.Scalars("train/illegal_actions"))


@pytest.mark.drill(
    done="kill -9 of a training in mid-update, after its fourth checkpoint; it is resumed",
    expected="four updates on, weights, magnet, optimiser, pool, league and generators are byte for byte"
    " those of a run that was never killed",
)
def test_a_killed_and_resumed_run_is_the_uninterrupted_one(tmp_path: Path, table: dict[str, Any]) -> None:
    table["run"] |= {"decisions": 10**9, "keep_checkpoints": 100}
    killed = tmp_path / "killed"
    process = subprocess.Popen([sys.executable, "-c", ENDLESS, json.dumps(table), str(killed)], cwd=ROOT)
    try:
        deadline = time.monotonic() + 600  # a busy machine
        while not (killed / "checkpoints" / "00000004").exists():
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    newest = max(int(folder.name) for folder in (killed / "checkpoints").glob("[0-9]*"))
    assert newest >= 4 and newest % 2 == 0
    got = gone_on(table, killed, tmp_path / "straight", newest + 4)
    assert sum(member[0] == "past" for member in got["members"]) == newest + 4


def test_a_run_killed_while_an_exploiter_learns_is_the_uninterrupted_one(
    tmp_path: Path, table: dict[str, Any]
) -> None:
    """Exploiters come with updates 3, 6, 9 and 12, checkpoints with every second update."""
    table["run"] |= {"decisions": 10**9, "keep_checkpoints": 100}
    table["opponents"]["weights"]["exploiter"] = 0.2
    table["league"] = {
        "exploiter_updates": 3,
        "exploiter_decisions": 20_000,
        "promotion_games": 100,
        "promotion_score": 0.0,
        "exploiter_members": 2,
    }
    killed = tmp_path / "killed"
    command = [sys.executable, "-c", LOUD + ENDLESS, json.dumps(table), str(killed)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        begun = [process.stdout.readline() for _ in range(3)]
        time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    assert begun == ["exploiter\n"] * 3
    kept = sorted(int(folder.name) for folder in (killed / "checkpoints").glob("[0-9]*"))
    assert kept == [2, 4, 6, 8]  # the third exploiter is the ninth update's
    got = gone_on(table, killed, tmp_path / "straight", 12)
    exploiters = [member for member in got["members"] if member[0] == "exploiter"]
    assert [retired for _, _, retired, _ in exploiters].count(True) == 2
    assert len({key for _, key, _, _ in exploiters}) == len(exploiters) == 4
    assert "exploiter" in got["standing"]


@pytest.mark.drill(
    done="the disk is full while a training writes its third checkpoint; later it is resumed",
    expected="no half checkpoint; it goes on from the second as if nothing had happened",
)
def test_a_full_disk_loses_nothing(
    tmp_path: Path, table: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fills while the third checkpoint is written; later the run goes on from the second."""
    table["run"] |= {"keep_checkpoints": 100}
    run, straight = (
        Run(check_config(table), tmp_path / "run"),
        Run(check_config(table), tmp_path / "straight"),
    )
    for _ in range(2):
        run.update()
        run.save()
    run.update()
    with monkeypatch.context() as disk:
        written = iter(range(100))
        real = os.fsync

        def fsync(handle: int) -> None:
            if next(written) == 1:  # of a checkpoint's files, the second doesn't fit
                raise OSError(errno.ENOSPC, "No space left on device")
            real(handle)

        disk.setattr(os, "fsync", fsync)
        with pytest.raises(OSError, match="No space left"):
            run.save()
    assert not (tmp_path / "run" / "checkpoints" / "00000003").exists()
    load_policy(tmp_path / "run" / "kuhn")
    resumed = Run(check_config(table), tmp_path / "run", resume=True)
    assert resumed.updates == 2
    for one in (resumed, straight):
        while one.updates < 4:
            one.update()
        one.save()
    expected, got = checkpoint_bytes(tmp_path / "straight", 4), checkpoint_bytes(tmp_path / "run", 4)
    assert all(got[name] == expected[name] for name in expected)
    assert not list((tmp_path / "run").rglob("*.safetensors.*"))


def test_a_damaged_checkpoint_is_passed_over(tmp_path: Path, table: dict[str, Any]) -> None:
    run = Run(check_config(table), tmp_path / "run")
    for _ in range(2):
        run.update()
        run.save()
    newest = tmp_path / "run" / "checkpoints" / "00000002" / "learner.safetensors"
    newest.write_bytes(newest.read_bytes()[:-1])
    assert Run(check_config(table), tmp_path / "run", resume=True).updates == 1
    (newest.parents[1] / "00000001" / "state.json").unlink()
    with pytest.raises(LoadError, match="cannot resume"):
        Run(check_config(table), tmp_path / "run", resume=True)


def test_a_run_of_before_an_entry_was_thought_of_goes_on(tmp_path: Path, table: dict[str, Any]) -> None:
    del table["opponents"]["prioritise"], table["learner"]["final_entropy"]
    run = Run(check_config(table), tmp_path / "run")
    run.update()
    state_file = run.save().parent / "checkpoints" / "00000001" / "state.json"
    config_file = tmp_path / "run" / "config.json"
    config = json.loads(config_file.read_text())
    del config["opponents"]["prioritise"], config["learner"]["final_entropy"], config["network"]["adviser"]
    config_file.write_text(json.dumps(config))
    document = json.loads(state_file.read_text())
    del document["state"]["standing"], document["state"]["priority"]
    state_file.write_text(json.dumps(document))
    assert Run(check_config(table), tmp_path / "run", resume=True).updates == 1


def test_resuming_needs_the_same_config(tmp_path: Path, table: dict[str, Any]) -> None:
    run = Run(check_config(table), tmp_path / "run")
    run.update()
    run.save()
    table["run"]["decisions"] = 5000
    assert Run(check_config(table), tmp_path / "run", resume=True).progress == pytest.approx(256 / 5000)
    table["learner"]["clip"] = 0.3
    with pytest.raises(SetupError, match=r"learner\.clip was 0\.2"):
        Run(check_config(table), tmp_path / "run", resume=True)
    with pytest.raises(SetupError, match=r"config\.json"):
        Run(check_config(table), tmp_path / "elsewhere", resume=True)


def test_a_full_folder_is_not_overwritten(tmp_path: Path, table: dict[str, Any]) -> None:
    (tmp_path / "precious").write_text("x")
    with pytest.raises(SetupError, match="isn't empty"):
        Run(check_config(table), tmp_path)


def test_minutes_limit_a_run(tmp_path: Path, table: dict[str, Any]) -> None:
    table["run"] |= {"minutes": 1e-6, "decisions": None}
    run = Run(check_config(table), tmp_path / "run")
    assert run.progress == 0.0
    run.update()
    assert run.progress == 1.0


def test_past_selves_join_and_leave(tmp_path: Path, table: dict[str, Any]) -> None:
    run = Run(check_config(table), tmp_path / "run")
    for _ in range(6):
        run.update()
    members = [member for member in run.env.pool.members if member.group == "past"]
    assert len(members) == 6 and len(run.env.pool.in_play("past")) == 2
    assert len({member.key for member in members}) == 6
    assert run.env.pool.tallies.keys() == {"self", "past", "random"}


def test_a_game_may_describe_behaviour(
    tmp_path: Path, table: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.kuhn import BET, Kuhn

    def behaviour_counts(
        self: Kuhn, spec: Any, observations: np.ndarray, masks: np.ndarray, actions: np.ndarray
    ) -> dict[str, tuple[float, int]]:
        assert len(observations) == len(masks) == len(actions) == 256
        return {"bets": (float((actions == BET).mean()), len(actions))}

    monkeypatch.setattr(Kuhn, "behaviour_counts", behaviour_counts, raising=False)
    run = Run(check_config(table), tmp_path / "run")
    assert 0 < run.update().values["behaviour/bets"] < 1
