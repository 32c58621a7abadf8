"""A learned policy as an ONNX file, for browsers and other runtimes, checked against the policy itself.

The graph has the inputs `observation` `[B, F]` float32 and `action_mask` `[B, A]` bool and the outputs
`logits` `[B, A]` and `probabilities` `[B, A]`, exactly 0 where illegal. A policy with an adviser has the
third input `advice` `[B, A]` float32, 1 at what the adviser would do. Needs the extra `onnx`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import typer

from agents.policy import NetworkPolicy, write_atomically
from agents.registry import make
from fm_env import registry, shown
from fm_env.contract import Scenario
from fm_env.errors import LoadError, SetupError
from fm_env.match import load as load_game

TOLERANCE = 1e-4
"""Largest difference of a probability that the check lets pass; float32 sums in another order give 1e-6."""

OPSET = 13
"""Old enough for every runtime in use."""


def export_command(
    agent: str,
    onnx: Path,
    scenario: str | None,
    options: Mapping[str, Any],
    states: int,
    positions: Path | None,
    num_positions: int,
) -> None:
    """Write a policy as ONNX and hold it against the policy; see `fm_env.cli.export`.

    Raises:
        SetupError: not a policy file, the extra isn't installed, or a bad number.
        LoadError: the written file plays otherwise; it is removed again.
    """
    if states < 1 or num_positions < 1:
        raise SetupError("--states, --num-positions: expected at least 1")
    if not agent.startswith("policy:"):
        raise SetupError(f"export: {agent!r} is no learned policy; expected policy:NAME_OR_PATH")
    policy = make(agent, "fairy_meat")
    if not isinstance(policy, NetworkPolicy):
        raise SetupError(f"export: {agent!r} is a {type(policy).__name__}, which has no ONNX form")
    if positions is not None and policy.adviser is not None:
        raise SetupError(f"export: --positions: {agent!r} asks an adviser, which a page without rules can't")
    card = policy.card
    named = scenario or str(card.options.get("scenario", card.scenario))
    given = dict(options) or {key: value for key, value in card.options.items() if key != "scenario"}
    chosen = load_game(card.game).scenario(named, **given)
    policy.check(chosen.spec)
    data = policy_to_onnx(policy)
    onnx.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(onnx, data)
    seen, masks = sample_positions(chosen, states)
    worst = largest_difference(data, policy, seen, masks)
    if worst > TOLERANCE:
        onnx.unlink()
        raise LoadError(f"export: probabilities differ by up to {worst:.2g} on {states} positions")
    typer.echo(
        f"{onnx}: {len(data):,} bytes; probabilities on {states:,} positions of {chosen.spec.game}"
        f" {chosen.spec.scenario} differ by at most {worst:.1e}"
    )
    if positions is not None:
        text = json.dumps(example_positions(policy, chosen, num_positions))
        positions.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(positions, text.encode())
        typer.echo(f"{positions}: {num_positions} positions of one game with what the policy says to them")


def policy_to_onnx(policy: NetworkPolicy) -> bytes:
    """The policy's network as the bytes of an ONNX file.

    Raises:
        SetupError: the extra `onnx` isn't installed.
    """
    onnx = _imported("onnx")
    card, weights = policy.card, policy.acting_weights()
    tensors = [onnx.numpy_helper.from_array(array, name) for name, array in weights.items()]
    tensors.append(onnx.numpy_helper.from_array(np.array(-1e30, np.float32), "never"))
    tensors.append(onnx.numpy_helper.from_array(np.array(0.0, np.float32), "zero"))
    node, nodes, x = onnx.helper.make_node, [], "observation"
    last, sums = len(weights) // 2 - 1, "logits"
    if card.adviser is not None:
        tensors.append(onnx.numpy_helper.from_array(np.array(card.adviser.weight, np.float32), "weight"))
        nodes.append(node("Concat", ["observation", "advice"], ["inputs"], axis=1))
        nodes.append(node("Mul", ["advice", "weight"], ["weighed"]))
        x, sums = "inputs", "unadvised"
    for k in range(last + 1):
        out = sums if k == last else f"sum.{k}"
        nodes.append(node("Gemm", [x, f"layer.{k}.weight", f"layer.{k}.bias"], [out], transB=1))
        if k < last:
            nodes.append(
                node("Tanh" if card.network.activation == "tanh" else "Relu", [out], [f"hidden.{k}"])
            )
            x = f"hidden.{k}"
    if card.adviser is not None:
        nodes.append(node("Add", ["unadvised", "weighed"], ["logits"]))
    nodes.append(node("Where", ["action_mask", "logits", "never"], ["legal"]))
    nodes.append(node("Softmax", ["legal"], ["shares"], axis=1))
    nodes.append(node("Where", ["action_mask", "shares", "zero"], ["probabilities"]))
    kind, about = onnx.TensorProto, onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        nodes,
        card.name,
        [
            about("observation", kind.FLOAT, ["batch", card.observation_size]),
            about("action_mask", kind.BOOL, ["batch", card.num_actions]),
            *([about("advice", kind.FLOAT, ["batch", card.num_actions])] if card.adviser else []),
        ],
        [about(name, kind.FLOAT, ["batch", card.num_actions]) for name in ("logits", "probabilities")],
        tensors,
    )
    model = onnx.helper.make_model(
        graph, opset_imports=[onnx.helper.make_opsetid("", OPSET)], ir_version=8, producer_name="fm-env"
    )
    facts = {"card": json.dumps(card.model_dump(mode="json"))}
    onnx.helper.set_model_props(model, facts)
    onnx.checker.check_model(model, full_check=True)
    return model.SerializeToString()


def largest_difference(
    data: bytes, policy: NetworkPolicy, seen: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]
) -> float:
    """Of any probability, between onnxruntime on `data` and the policy.

    Raises:
        SetupError: the extra `onnx` isn't installed.
    """
    session = _imported("onnxruntime").InferenceSession(data, providers=["CPUExecutionProvider"])
    given = {"observation": seen, "action_mask": masks}
    if policy.adviser is not None:
        given["advice"] = policy.adviser.advice(seen, masks)
    there = session.run(["probabilities"], given)[0]
    here = policy.probabilities(seen, masks)
    if not np.array_equal(there > 0, there * masks > 0):
        return 1.0
    return float(np.abs(there - here).max())


def sample_positions(
    scenario: Scenario, count: int, seed: int = 1
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """`count` observations `[count, F]` and masks `[count, A]` of choices in random games."""
    rng = np.random.default_rng(seed)
    handle = load_game(scenario.spec.game)
    seen, masks = [], []
    while len(seen) < count:
        match = handle.new_match(scenario, seed=int(rng.integers(2**31)))
        while not match.is_over and len(seen) < count:
            seat = match.pending[0]
            mask = match.mask(seat)
            seen.append(match.observation(seat))
            masks.append(mask)
            match.play(seat, int(rng.choice(np.flatnonzero(mask))))
    return np.stack(seen), np.stack(masks)


def example_positions(policy: NetworkPolicy, scenario: Scenario, count: int, seed: int = 7) -> dict[str, Any]:
    """Positions of a game for a page without the rules: what the seat sees, its choices in words, and the
    policy's own probabilities to compare with.
    """
    game = registry.find(scenario.spec.game)
    examples: list[dict[str, Any]] = []
    while len(examples) < count:
        match = load_game(game.name).new_match(scenario, seed=seed)
        policy.reset(match.spec, 0, seed)
        while not match.is_over and len(examples) < count:
            seat = match.pending[0]
            mask, observation = match.mask(seat), match.observation(seat)
            chances = policy.probabilities(observation[None], mask[None])[0]
            if mask.sum() > 1:
                offered = shown.choices(game, match.spec, match.state, seat, match.legal_ids(seat))
                examples.append(
                    {
                        "seat": seat,
                        "text": match.text(seat),
                        "observation": [round(float(x), 6) for x in observation],
                        "choices": [
                            {"id": one["id"], "words": one["words"], "probability": float(chances[one["id"]])}
                            for one in offered
                        ],
                    }
                )
            match.play(seat, policy.act(observation, mask))
        seed += 1
    return {
        "policy": policy.card.name,
        "game": scenario.spec.game,
        "scenario": scenario.spec.scenario,
        "num_actions": scenario.spec.num_actions,
        "positions": examples,
    }


def _imported(name: str) -> Any:
    import importlib

    try:
        module = importlib.import_module(name)
        if name == "onnx":
            for part in ("helper", "numpy_helper", "checker"):
                importlib.import_module(f"onnx.{part}")
    except ModuleNotFoundError as error:
        raise SetupError(
            f"export: {error.name} is not installed; `pip install fm-env[onnx]` brings it"
        ) from None
    return module
