"""Checkpoints: folders of tensors and JSON that appear whole or not at all. Nothing is pickled.

A checkpoint holds all that the run's future depends on: both networks, Adam's moments, every
running game, the generators, the pool's members and the counters. A run that is killed and resumed
from one is the run that was never killed.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import safetensors
import safetensors.numpy
import torch as th

from agents.policy import write_atomically
from fm_env.errors import LoadError
from training.ppo import MagnetMaskablePPO

Arrays = dict[str, npt.NDArray[Any]]

FORMAT = "fm-env-checkpoint-1"


def write(
    folder: Path, number: int, tensors: Mapping[str, Arrays], state: Mapping[str, Any], keep: int
) -> Path:
    """Write checkpoint `number` and remove all but the newest `keep`.

    Args:
        folder: where checkpoints live.
        number: rises from one to the next.
        tensors: file name (without ending) to named arrays of plain number types.
        state: JSON-able values.
        keep: how many to keep.
    """
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / f".{number:08d}.part"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    hashes: dict[str, str] = {}
    for name, arrays in tensors.items():
        data = safetensors.numpy.save({key: np.ascontiguousarray(array) for key, array in arrays.items()})
        write_atomically(partial / f"{name}.safetensors", data)
        hashes[name] = hashlib.sha256(data).hexdigest()
    document = {"format": FORMAT, "number": number, "hashes": hashes, "state": state}
    write_atomically(partial / "state.json", json.dumps(document, indent=1).encode())
    final = folder / f"{number:08d}"
    shutil.rmtree(final, ignore_errors=True)
    partial.replace(final)
    for old in _found(folder)[:-keep]:
        shutil.rmtree(old, ignore_errors=True)
    return final


def read_newest(folder: Path) -> tuple[dict[str, Arrays], dict[str, Any]]:
    """Tensors and state of the newest checkpoint that is whole.

    Raises:
        LoadError: there is none.
    """
    complaint = f"no checkpoint in {folder.name}/"
    for candidate in reversed(_found(folder)):
        try:
            return _read(candidate)
        except LoadError as error:
            complaint = str(error)
    raise LoadError(f"cannot resume: {complaint}")


def learner_arrays(model: MagnetMaskablePPO) -> Arrays:
    """Policy, magnet and optimizer of a model."""
    arrays: Arrays = {}
    for part, module in (("policy", model.policy), ("magnet", model.magnet)):
        arrays |= {f"{part}.{name}": tensor.cpu().numpy() for name, tensor in module.state_dict().items()}
    for index, moments in model.policy.optimizer.state_dict()["state"].items():
        for name, tensor in moments.items():
            arrays[f"adam.{index}.{name}"] = np.asarray(tensor.cpu())
    return arrays


def restore_learner(model: MagnetMaskablePPO, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Put `learner_arrays` back.

    Raises:
        LoadError: the arrays are of another network.
    """
    tensors = {name: th.from_numpy(np.array(array)) for name, array in arrays.items()}

    def part(prefix: str) -> dict[str, th.Tensor]:
        return {k.removeprefix(prefix): v for k, v in tensors.items() if k.startswith(prefix)}

    try:
        model.policy.load_state_dict(part("policy."))
        model.magnet.load_state_dict(part("magnet."))
    except RuntimeError as error:
        raise LoadError(f"cannot resume: the checkpoint is of another network: {error}") from None
    optimizer = model.policy.optimizer.state_dict()
    moments: dict[int, dict[str, th.Tensor]] = {}
    for name, tensor in part("adam.").items():
        index, key = name.split(".", 1)
        moments.setdefault(int(index), {})[key] = tensor
    optimizer["state"] = moments
    model.policy.optimizer.load_state_dict(optimizer)


def _found(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("[0-9]*") if path.is_dir())


def _read(checkpoint: Path) -> tuple[dict[str, Arrays], dict[str, Any]]:
    try:
        document = json.loads((checkpoint / "state.json").read_text(encoding="utf-8"))
        if document["format"] != FORMAT:
            raise LoadError(
                f"checkpoint {checkpoint.name}: format {document['format']!r}, expected {FORMAT!r}"
            )
        tensors: dict[str, Arrays] = {}
        for name, expected in document["hashes"].items():
            data = (checkpoint / f"{name}.safetensors").read_bytes()
            if hashlib.sha256(data).hexdigest() != expected:
                raise LoadError(f"checkpoint {checkpoint.name}: {name}.safetensors is damaged")
            tensors[name] = safetensors.numpy.load(data)
        return tensors, document["state"]
    except (OSError, ValueError, KeyError, TypeError, safetensors.SafetensorError) as error:
        if isinstance(error, LoadError):
            raise
        raise LoadError(f"checkpoint {checkpoint.name} is damaged: {error}") from None
