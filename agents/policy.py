"""Learned policies as files: weights in safetensors, everything else in a JSON card beside them.

`NAME.safetensors` holds float32 matrices and nothing else; `NAME.json` (the card) says which game
they play, how the network is built and where they come from. Nothing is ever unpickled, and the
forward pass is plain NumPy, so playing against a policy needs no deep learning library.
"""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
import pydantic
import safetensors
import safetensors.numpy

from agents.adviser import Adviser, AdviserCard
from agents.api import Actions, Agent
from fm_env.contract import GameSpec, Mask, Observation
from fm_env.errors import IllegalActionError, LoadError, UnknownNameError

MODELS = Path(__file__).parent / "models"
"""Where the shipped policies live."""

MAX_WEIGHT_BYTES = 64 * 2**20
"""A shipped policy is about 1 MB; a file beyond this is refused before it is read."""

MAX_CARD_BYTES = 2**20
MAX_WIDTH = 16_384

Weights = Mapping[str, npt.NDArray[np.float32]]
"""`layer.K.weight` `[out, in]` and `layer.K.bias` `[out]`, for K = 0 .. number of layers - 1; the same
under `value.` where the card has a value network."""

Layers = list[tuple[npt.NDArray[Any], npt.NDArray[Any]]]
"""`[in, out]` matrices and `[out]` biases."""

Size = Annotated[int, pydantic.Field(ge=1, le=MAX_WIDTH)]


class NetworkCard(pydantic.BaseModel):
    """How the forward pass goes: linear layers with an activation between them."""

    model_config = pydantic.ConfigDict(extra="forbid", use_attribute_docstrings=True)

    kind: Literal["mlp"] = "mlp"
    """The only kind so far."""
    activation: Literal["tanh", "relu"] = "tanh"
    """Applied after every layer but the last."""
    sizes: Annotated[tuple[Size, ...], pydantic.Field(min_length=2, max_length=33)]
    """Width of the inputs, of each hidden layer, and number of actions. The inputs are the observation and,
    with an adviser, what it advises (`[A]`, one 1)."""


class PolicyCard(pydantic.BaseModel):
    """What a policy file says about itself. Unknown entries are kept: newer cards stay readable."""

    model_config = pydantic.ConfigDict(extra="allow", use_attribute_docstrings=True)

    format: Literal["fm-env-policy-1"] = "fm-env-policy-1"
    """Version of this layout."""
    name: str
    """Short name for tables."""
    game: str
    """Registry name of the game it plays."""
    scenario: str
    """Scenario it was trained on."""
    options: dict[str, Any] = {}
    """Options of that scenario."""
    rules_version: int
    """`GameSpec.rules_version` it was trained under; another one earns a warning."""
    observation_version: int
    """`GameSpec.observation_version`; another one is refused."""
    observation_size: Size
    """Length of an observation."""
    num_actions: Size
    """Length of a mask."""
    network: NetworkCard
    """The network's build."""
    adviser: AdviserCard | None = None
    """The bot whose choice the network is told, if any (`agents.adviser`)."""
    value_network: NetworkCard | None = None
    """Build of the network that estimates the return, if the file has one (`value.K.weight`, `.bias`)."""
    return_range: tuple[float, float] | None = None
    """Lowest and highest return of the scenario it was trained on."""
    weights_sha256: str = ""
    """Hash of the weight file; `save_policy` fills it in."""
    training: dict[str, Any] = {}
    """Command, seed, decisions, minutes, resolved config."""
    versions: dict[str, str] = {}
    """Packages, Python and git revision of the training run."""
    results: dict[str, Any] = {}
    """Measured strength."""


class NetworkPolicy(Agent):
    """Plays by sampling from a network's masked softmax. Stateless: one object plays any number of games."""

    def __init__(self, weights: Weights, card: PolicyCard) -> None:
        """Check the weights against the card and keep float32 copies.

        Raises:
            LoadError: a tensor is missing, left over, of the wrong shape or type, or not finite.
        """
        self.card = card
        self.name = card.name
        self._layers, self._value_layers = _checked_layers(weights, card)
        self.adviser = Adviser.of(card.adviser, card.game) if card.adviser else None

    def check(self, spec: GameSpec) -> None:
        """Refuse a game this policy can't play.

        Another scenario of the same game is fine while sizes and meaning of observation and
        actions agree.

        Raises:
            LoadError: names the entry that disagrees.
        """
        for entry in ("game", "observation_version", "observation_size", "num_actions"):
            have, want = getattr(self.card, entry), getattr(spec, entry)
            if have != want:
                raise LoadError(
                    f"policy {self.name!r} was made for {entry} = {have!r},"
                    f" but scenario {spec.scenario!r} of {spec.game!r} has {want!r}"
                )
        if self.card.rules_version != spec.rules_version:
            warnings.warn(
                f"policy {self.name!r} was trained under rules version {self.card.rules_version}"
                f" of {spec.game!r},"
                f" now at {spec.rules_version}: it plays, but its measured results may not hold",
                stacklevel=2,
            )

    def reset(self, spec: GameSpec, seat: int, seed: int) -> None:
        """Check the fit and seed single-game play (`act`)."""
        self.check(spec)
        self._rng = np.random.default_rng(seed)

    def fingerprint(self) -> str:
        """Hash of the weights that it acts by; an estimate added later doesn't make it another player."""
        if self.card.weights_sha256 and self.card.value_network is None and self.adviser is None:
            return self.card.weights_sha256[:16]
        weights = safetensors.numpy.save(self.acting_weights())
        advised_by = self.adviser.bot.fingerprint().encode() if self.adviser else b""
        return _hash(weights + advised_by)[:16]

    def weights(self) -> dict[str, npt.NDArray[np.float32]]:
        """The layers under their names in the file."""
        named: dict[str, npt.NDArray[np.float32]] = {}
        for prefix, layers in (("layer", self._layers), ("value", self._value_layers)):
            for k, (matrix, bias) in enumerate(layers):
                named[f"{prefix}.{k}.weight"] = np.ascontiguousarray(matrix.T)
                named[f"{prefix}.{k}.bias"] = bias
        return named

    def acting_weights(self) -> dict[str, npt.NDArray[np.float32]]:
        """Those of `weights` that it acts by, without the network that estimates returns."""
        return {name: array for name, array in self.weights().items() if name.startswith("layer.")}

    def logits(self, observations: Observation, masks: Mask) -> npt.NDArray[np.float32]:
        """`[B, F]` f4 and `[B, A]` bool to logits `[B, A]` f4, not masked: the mask is for the adviser."""
        activation = self.card.network.activation
        if self.adviser is None:
            return _forward(observations, self._layers, activation)
        advice = self.adviser.advice(observations, masks)
        logits = _forward(np.concatenate([observations, advice], axis=1), self._layers, activation)
        return logits + np.float32(self.adviser.weight) * advice

    def values(self, observations: Observation) -> npt.NDArray[np.float32] | None:
        """`[B, F]` f4 to the returns it expects, `[B]` f4; None if the file has no value network."""
        if self.card.value_network is None:
            return None
        return _forward(observations, self._value_layers, self.card.value_network.activation)[:, 0]

    def win_estimate(self, observations: Observation, masks: Mask) -> npt.NDArray[np.float64] | None:
        """The scores it expects, `[B]` in [0, 1] (see `agents.estimates`).

        None without a value network, and where the return isn't a placement from -1 to +1: points
        don't say who finishes ahead.
        """
        values = self.values(observations)
        if values is None or self.card.return_range != (-1.0, 1.0):
            return None
        return np.clip((values.astype(np.float64) + 1.0) / 2.0, 0.0, 1.0)

    def probabilities(self, observations: Observation, masks: Mask) -> npt.NDArray[np.float32]:
        """`[B, F]` f4 and `[B, A]` bool to `[B, A]` f4; exactly 0 where illegal.

        Raises:
            IllegalActionError: a row of `masks` allows nothing.
        """
        if not masks.any(axis=1).all():
            raise IllegalActionError(f"policy {self.name!r} was asked to act where the mask allows no action")
        return masked_softmax(self.logits(observations, masks), masks)

    def act_batch(
        self, observations: Observation, masks: Mask, rng: np.random.Generator, deterministic: bool = False
    ) -> Actions:
        """Sample legal actions (`deterministic`: take the likeliest), `[B]` i8."""
        probabilities = self.probabilities(observations, masks)
        if deterministic:
            return probabilities.argmax(axis=1)
        return sample_rows(probabilities, rng.random(len(masks)))

    def act(self, observation: Observation, action_mask: Mask) -> int:
        """Sample one legal action."""
        if not hasattr(self, "_rng"):
            self._rng = np.random.default_rng()
        return int(self.act_batch(observation[None], np.asarray(action_mask, np.bool_)[None], self._rng)[0])


def _forward(x: npt.NDArray[np.float32], layers: Layers, activation: str) -> npt.NDArray[np.float32]:
    """Linear layers with an activation after each but the last."""
    for matrix, bias in layers[:-1]:
        x = x @ matrix
        x += bias
        if activation == "tanh":
            np.tanh(x, out=x)
        else:
            np.maximum(x, 0.0, out=x)
    matrix, bias = layers[-1]
    return x @ matrix + bias


def masked_softmax(logits: npt.NDArray[np.float32], masks: Mask) -> npt.NDArray[np.float32]:
    """Softmax over the legal entries of each row, `[B, A]` f4; every row needs one legal entry."""
    p = np.where(masks, logits, np.float32(-np.inf))
    p -= p.max(axis=1, keepdims=True)
    np.exp(p, out=p)
    p /= p.sum(axis=1, keepdims=True)
    return p


def sample_rows(probabilities: npt.NDArray[np.float32], uniforms: npt.NDArray[np.float64]) -> Actions:
    """One index for each row of `[B, A]` probabilities from `[B]` uniforms in [0, 1).

    An entry of probability 0 is never chosen: it doesn't raise the running sum, and the threshold
    is kept strictly below the total.
    """
    running = np.cumsum(probabilities, axis=1, dtype=np.float64)
    total = running[:, -1]
    threshold = np.minimum(uniforms * total, np.nextafter(total, 0.0))
    return (running > threshold[:, None]).argmax(axis=1)


def save_policy(path: str | os.PathLike[str], weights: Weights, card: PolicyCard) -> Path:
    """Write `path.safetensors` and `path.json`; return the path of the former.

    Each file appears whole or not at all; the card carries the weights' hash, so a crash between
    the two is noticed by `load_policy`.

    Raises:
        LoadError: weights and card don't fit each other; nothing is written.
    """
    weights = {name: np.ascontiguousarray(array, np.float32) for name, array in weights.items()}
    _checked_layers(weights, card)
    data = safetensors.numpy.save(weights)
    card = card.model_copy(update={"weights_sha256": _hash(data)})
    weights_file, card_file = _pair(path)
    weights_file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(weights_file, data)
    write_atomically(card_file, (json.dumps(card.model_dump(mode="json"), indent=1) + "\n").encode())
    return weights_file


def load_policy(path: str | os.PathLike[str], spec: GameSpec | None = None) -> NetworkPolicy:
    """Load a policy by path (with or without ending) or by the name of a shipped one.

    Args:
        path: a path to the pair of files, or a name from `shipped_policies()`.
        spec: if given, the policy is checked against it.

    Raises:
        UnknownNameError: no such file and no shipped policy of that name.
        LoadError: the files are damaged, too big, don't fit each other, or don't fit `spec`.
    """
    weights_file, card_file = _pair(_located(path))
    try:
        card = PolicyCard.model_validate_json(_read(card_file, MAX_CARD_BYTES))
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise LoadError(f"policy card {card_file.name}: {where}: {first['msg']}") from None
    data = _read(weights_file, MAX_WEIGHT_BYTES)
    if card.weights_sha256 and _hash(data) != card.weights_sha256:
        raise LoadError(
            f"{weights_file.name} is damaged or doesn't belong to {card_file.name}: its hash differs"
        )
    try:
        weights = safetensors.numpy.load(data)
    except (safetensors.SafetensorError, ValueError, KeyError, TypeError) as error:
        raise LoadError(f"{weights_file.name} is not a safetensors file: {error}") from None
    policy = NetworkPolicy(weights, card)
    if spec is not None:
        policy.check(spec)
    return policy


def shipped_policies(game: str | None = None) -> tuple[str, ...]:
    """Names of the policies that come with the package: all, or those of one game."""
    names = sorted(file.stem for file in MODELS.glob("*.safetensors"))
    return tuple(name for name in names if game in (None, _game_of(MODELS / f"{name}.json")))


def _game_of(card: Path) -> str:
    return json.loads(card.read_text(encoding="utf-8"))["game"]


def write_atomically(file: Path, data: bytes) -> None:
    """Write `data` so that a reader, or a crash, sees the old file or the new one and never a part."""
    partial = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        with partial.open("wb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        partial.replace(file)
    except BaseException:  # a full disk should not also keep what didn't fit
        partial.unlink(missing_ok=True)
        raise


def _checked_layers(weights: Weights, card: PolicyCard) -> tuple[Layers, Layers]:
    """Layers of policy and value network as float32, after holding them against the card."""
    sizes = card.network.sizes
    inputs = card.observation_size + (card.num_actions if card.adviser else 0)
    if (sizes[0], sizes[-1]) != (inputs, card.num_actions):
        advised = " (and num_actions more for the adviser)" if card.adviser else ""
        raise LoadError(
            f"policy {card.name!r}: network.sizes run from {sizes[0]} to {sizes[-1]}, but observation_size is"
            f" {card.observation_size}{advised} and num_actions is {card.num_actions}"
        )
    value_sizes = card.value_network.sizes if card.value_network else ()
    if value_sizes and (value_sizes[0], value_sizes[-1]) != (card.observation_size, 1):
        raise LoadError(
            f"policy {card.name!r}: value_network.sizes run from {value_sizes[0]} to {value_sizes[-1]},"
            f" expected from observation_size, {card.observation_size}, to 1"
        )
    expected = _shapes("layer", sizes) | _shapes("value", value_sizes)
    if set(weights) != set(expected):
        odd = sorted(set(weights) ^ set(expected))[0]
        state = "is missing" if odd in expected else "is not part of the network on the card"
        raise LoadError(f"policy {card.name!r}: tensor {odd!r} {state}")
    for name, shape in expected.items():
        array = weights[name]
        if array.dtype != np.float32 or array.shape != shape:
            raise LoadError(
                f"policy {card.name!r}: tensor {name!r} is {array.dtype} {array.shape},"
                f" expected float32 {shape}"
            )
        if not np.isfinite(array).all():
            raise LoadError(f"policy {card.name!r}: tensor {name!r} holds numbers that are not finite")
    return _layers_of("layer", weights), _layers_of("value", weights)


def _shapes(prefix: str, sizes: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    """Names and shapes of the tensors of layers of these widths."""
    shapes: dict[str, tuple[int, ...]] = {}
    for k, (fan_in, fan_out) in enumerate(pairwise(sizes)):
        shapes |= {f"{prefix}.{k}.weight": (fan_out, fan_in), f"{prefix}.{k}.bias": (fan_out,)}
    return shapes


def _layers_of(prefix: str, weights: Weights) -> Layers:
    """The layers under a prefix, in order."""
    count = sum(name.startswith(f"{prefix}.") for name in weights) // 2
    return [
        (np.ascontiguousarray(weights[f"{prefix}.{k}.weight"].T), weights[f"{prefix}.{k}.bias"].copy())
        for k in range(count)
    ]


def _located(path: str | os.PathLike[str]) -> Path:
    """The pair's path without ending: a file that exists, else a shipped policy."""
    given = Path(path)
    for base in (given, MODELS / given.name) if given.parent == Path() else (given,):
        if any(file.exists() for file in _pair(base)):
            return base
    raise UnknownNameError("policy file or shipped policy", os.fspath(path), shipped_policies())


def _pair(path: str | os.PathLike[str]) -> tuple[Path, Path]:
    base = Path(path)
    if base.suffix in (".safetensors", ".json"):
        base = base.with_suffix("")
    return base.with_name(base.name + ".safetensors"), base.with_name(base.name + ".json")


def _read(file: Path, limit: int) -> bytes:
    try:
        with file.open("rb") as handle:
            data = handle.read(limit + 1)
    except OSError as error:
        raise LoadError(f"cannot read {file.name}: {error.strerror}") from None
    if len(data) > limit:
        raise LoadError(f"{file.name} is bigger than the {limit:,} bytes allowed")
    return data


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
