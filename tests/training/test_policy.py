"""Learned policies as files: they load back exactly, match torch, and refuse everything odd."""

from __future__ import annotations

import dataclasses
import json
import pickle
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import agents.policy as policy_module
from agents.policy import (
    NetworkPolicy,
    PolicyCard,
    load_policy,
    masked_softmax,
    sample_rows,
    save_policy,
    shipped_policies,
)
from fm_env.contract import GameSpec
from fm_env.errors import IllegalActionError, LoadError, UnknownNameError

SPEC = GameSpec(
    game="toy",
    scenario="small",
    rules_version=1,
    observation_version=2,
    num_seats=2,
    num_actions=5,
    num_chance_outcomes=3,
    observation_size=7,
    info_key_size=4,
    max_decisions=10,
    max_chance_events=4,
    min_return=-1.0,
    max_return=1.0,
    return_sum=0.0,
    state_dtype=np.dtype([("x", "u1")]),
)


def make_card(activation: str = "tanh", **changes: object) -> PolicyCard:
    """A card that fits `SPEC`."""
    entries: dict[str, object] = {
        "name": "toy",
        "game": "toy",
        "scenario": "small",
        "rules_version": 1,
        "observation_version": 2,
        "observation_size": 7,
        "num_actions": 5,
        "network": {"activation": activation, "sizes": [7, 16, 8, 5]},
    }
    return PolicyCard.model_validate(entries | changes)


def make_weights(sizes: tuple[int, ...] = (7, 16, 8, 5), seed: int = 0) -> dict[str, np.ndarray]:
    """Random layers."""
    rng = np.random.default_rng(seed)
    weights: dict[str, np.ndarray] = {}
    for k, (fan_in, fan_out) in enumerate(pairwise(sizes)):
        weights[f"layer.{k}.weight"] = rng.normal(size=(fan_out, fan_in)).astype(np.float32)
        weights[f"layer.{k}.bias"] = rng.normal(size=fan_out).astype(np.float32)
    return weights


def make_batch(rows: int = 200, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks with at least one legal action."""
    rng = np.random.default_rng(seed)
    masks = rng.random((rows, 5)) < 0.4
    masks[np.arange(rows), rng.integers(0, 5, rows)] = True
    return rng.uniform(-1, 1, (rows, 7)).astype(np.float32), masks


@pytest.mark.parametrize("activation", ["tanh", "relu"])
def test_numpy_and_torch_agree(activation: str) -> None:
    th = pytest.importorskip("torch")
    weights = make_weights()
    layers: list[object] = []
    for k, (fan_in, fan_out) in enumerate([(7, 16), (16, 8), (8, 5)]):
        linear = th.nn.Linear(fan_in, fan_out)
        linear.weight.data = th.from_numpy(weights[f"layer.{k}.weight"])
        linear.bias.data = th.from_numpy(weights[f"layer.{k}.bias"])
        layers += [linear, th.nn.Tanh() if activation == "tanh" else th.nn.ReLU()]
    observations, masks = make_batch(1000)
    with th.no_grad():
        logits = th.nn.Sequential(*layers[:-1])(th.from_numpy(observations))
        expected = th.softmax(logits.masked_fill(~th.from_numpy(masks), -th.inf), 1).numpy()
    policy = NetworkPolicy(weights, make_card(activation))
    np.testing.assert_allclose(policy.logits(observations, masks), logits.numpy(), rtol=2e-6, atol=1e-5)
    np.testing.assert_allclose(policy.probabilities(observations, masks), expected, atol=1e-5)


def test_samples_are_legal_and_follow_the_probabilities() -> None:
    policy = NetworkPolicy(make_weights(), make_card())
    observations, masks = make_batch(1)
    n = 20_000
    actions = policy.act_batch(observations.repeat(n, 0), masks.repeat(n, 0), np.random.default_rng(3))
    assert masks[0, actions].all()
    share = np.bincount(actions, minlength=5) / n
    np.testing.assert_allclose(share, policy.probabilities(observations, masks)[0], atol=0.02)
    best = policy.act_batch(observations, masks, np.random.default_rng(3), deterministic=True)
    assert best[0] == policy.probabilities(observations, masks)[0].argmax()


def test_sampling_never_hits_an_impossible_entry_at_the_ends() -> None:
    probabilities = np.array([[0.0, 1.0, 0.0], [0.0, 0.3, 0.0], [1e-30, 0.0, 0.0]], np.float32)
    for uniform in (0.0, np.nextafter(1.0, 0.0)):
        assert sample_rows(probabilities, np.full(3, uniform)).tolist() == [1, 1, 0]


def test_huge_logits_stay_finite() -> None:
    logits = np.array([[1e30, -1e30, 3.0]], np.float32)
    assert masked_softmax(logits, np.array([[False, True, True]])).tolist() == [[0.0, 0.0, 1.0]]


def test_a_mask_that_allows_nothing_is_refused() -> None:
    policy = NetworkPolicy(make_weights(), make_card())
    observations, masks = make_batch(3)
    masks[1] = False
    with pytest.raises(IllegalActionError, match="allows no action"):
        policy.act_batch(observations, masks, np.random.default_rng(0))


def test_single_play_is_seeded() -> None:
    observations, masks = make_batch()

    def play(seed: int) -> list[int]:
        policy = NetworkPolicy(make_weights(), make_card())
        policy.reset(SPEC, 0, seed)
        return [policy.act(*row) for row in zip(observations, masks, strict=True)]

    assert play(1) == play(1) != play(2)


def test_round_trip(tmp_path: Path) -> None:
    file = save_policy(tmp_path / "toy-1.5", make_weights(), make_card(results={"median": 0.6}))
    assert sorted(found.name for found in tmp_path.iterdir()) == ["toy-1.5.json", "toy-1.5.safetensors"]
    observations, masks = make_batch()
    expected = NetworkPolicy(make_weights(), make_card()).logits(observations, masks)
    for given in (tmp_path / "toy-1.5", file, tmp_path / "toy-1.5.json", str(file)):
        policy = load_policy(given, SPEC)
        assert (policy.logits(observations, masks) == expected).all()
        assert policy.card.results == {"median": 0.6}
        assert policy.fingerprint() == policy.card.weights_sha256[:16]


def test_another_scenario_with_the_same_spaces_is_fine(tmp_path: Path) -> None:
    load_policy(
        save_policy(tmp_path / "p", make_weights(), make_card()), dataclasses.replace(SPEC, scenario="big")
    )


@pytest.mark.parametrize(
    ("entry", "value"),
    [("game", "chess"), ("observation_version", 3), ("observation_size", 8), ("num_actions", 6)],
)
def test_another_game_is_refused(tmp_path: Path, entry: str, value: object) -> None:
    file = save_policy(tmp_path / "p", make_weights(), make_card())
    with pytest.raises(LoadError, match=entry):
        load_policy(file, dataclasses.replace(SPEC, **{entry: value}))


def test_other_rules_earn_a_warning(tmp_path: Path) -> None:
    file = save_policy(tmp_path / "p", make_weights(), make_card())
    with pytest.warns(UserWarning, match="rules version 1"):
        load_policy(file, dataclasses.replace(SPEC, rules_version=2))


def test_unknown_name_lists_what_is_shipped() -> None:
    with pytest.raises(UnknownNameError, match=r"shipped policy .no-such"):
        load_policy("no-such-policy")


def test_shipped_policies_load() -> None:
    for name in shipped_policies():
        assert load_policy(name).name


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:-4], "damaged"),
        (lambda data: data[:40] + b"\x00" + data[41:], "damaged"),
        (lambda _: b"", "damaged"),
    ],
)
def test_damaged_weights_are_refused(tmp_path: Path, damage: Callable[[bytes], bytes], message: str) -> None:
    file = save_policy(tmp_path / "p", make_weights(), make_card())
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(LoadError, match=message):
        load_policy(file)


def test_a_pickle_is_never_run(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, ...]:
            return (Path.write_text, (tmp_path / "sprung", "x"))

    file = save_policy(tmp_path / "p", make_weights(), make_card())
    file.write_bytes(pickle.dumps(Trap()))
    card = json.loads(file.with_suffix(".json").read_text())
    file.with_suffix(".json").write_text(json.dumps(card | {"weights_sha256": ""}))
    with pytest.raises(LoadError, match="not a safetensors file"):
        load_policy(file)
    assert not (tmp_path / "sprung").exists()


def test_files_that_are_too_big_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = save_policy(tmp_path / "p", make_weights(), make_card())
    monkeypatch.setattr(policy_module, "MAX_WEIGHT_BYTES", 100)
    with pytest.raises(LoadError, match="bigger than"):
        load_policy(file)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "pickle"}, "format"),
        ({"observation_size": -1}, "observation_size"),
        ({"network": {"sizes": [7, 10**9, 5]}}, "network.sizes"),
        ({"network": {"kind": "eval", "sizes": [7, 5]}}, "network.kind"),
        ({"num_actions": 9}, "num_actions"),
        ({"game": None}, "game"),
    ],
)
def test_bad_cards_are_refused(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    file = save_policy(tmp_path / "p", make_weights(), make_card())
    card_file = file.with_suffix(".json")
    card_file.write_text(json.dumps(json.loads(card_file.read_text()) | changes))
    with pytest.raises(LoadError, match=message):
        load_policy(file)
    card_file.write_text("{]")
    with pytest.raises(LoadError, match="JSON"):
        load_policy(file)
    card_file.unlink()
    with pytest.raises(LoadError, match="cannot read"):
        load_policy(file)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("layer.0.bias", np.zeros(3, np.float32), "expected float32"),
        ("layer.2.bias", np.full(5, np.nan, np.float32), "not finite"),
        ("layer.9.bias", np.zeros(3, np.float32), "not part of the network"),
        ("layer.1.bias", None, "is missing"),
    ],
)
def test_weights_that_do_not_fit_the_card_are_refused(
    name: str, value: np.ndarray | None, message: str
) -> None:
    weights = make_weights()
    if value is None:
        del weights[name]
    else:
        weights[name] = value
    with pytest.raises(LoadError, match=message):
        NetworkPolicy(weights, make_card())
