"""An agent that searches: it plays imagined games on from what it has seen, by the base agent's lights.

    search:base=policy:duel,simulations=256
    search:seconds=1

How it goes about it, and why, is in `docs/search.md`.
"""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from agents.api import Agent
from agents.search.judges import Judge, judge_of
from agents.search.simulate import UNIFORMS, Manner, Simulator, paired
from fm_env.contract import GameSpec, Mask, Observation
from fm_env.errors import SetupError
from fm_env.rng import seed_rows
from fm_env.sampler import Sampler

Floats = npt.NDArray[np.float64]

WIDTH = 128
"""Imagined games side by side, at most."""
FIRST_WAVES = 4
"""A search has at least that many waves, so that it can learn from the earlier ones."""
NEGLIGIBLE = 1e-3
"""Actions that the base agent takes more rarely aren't looked at,"""
MOST_ACTIONS = 16
"""nor others than the likeliest so many."""
CLEAR = 3.0
"""Standard errors by which an action must be behind the best one to be dropped, and"""
ENOUGH = 24
"""worlds before any is."""
SPREAD = 0.1
"""How much two actions' returns are thought to differ before anything was tried, on a scale from -1 to 1."""
PATIENCE = 100.0
INNER_TEMPERATURE = 0.02
"""`Manner.patience` and `Manner.temperature`: returns further on are not compared in the same worlds, so
they have to be tried more often, and are believed less, than those of the choice at hand."""
MOST_SIMULATIONS = 10_000_000


class Finding(NamedTuple):
    """What came of one search."""

    probabilities: Floats
    """`[A]`, by which the action is drawn."""
    value: float | None
    """Return expected of them; None where nothing was tried and the base agent has no values."""
    simulations: int
    """Imagined games that were played for it."""


class SearchAgent(Agent):
    """Improves on a base agent by playing imagined games on from each position."""

    needs_sampler = True
    remembers = False

    def __init__(
        self,
        spec: str,
        base: Agent,
        game_spec: GameSpec | None,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        horizon: int = 4,
        others: str = "policy",
        temperature: float = 0.003,
    ) -> None:
        """Check the parameters; `fm-env agents` lists them.

        Args:
            spec: text it was made from.
            base: whose play is improved, and by whom others are believed to be played.
            game_spec: what it will play, where known.
            simulations: imagined games for each choice.
            seconds: wall time for each choice; exactly one of the two is given.
            horizon: own choices until a position is judged by its value (`Manner.horizon`).
            others: `"policy"` or `"tree"` (`Manner.others`).
            temperature: difference in return, on a scale from -1 to 1, for which an action becomes e times
                as likely as another that the base agent likes as well.

        Raises:
            SetupError: a parameter out of range.
        """
        _check_range(spec, "simulations", simulations, 2, MOST_SIMULATIONS, whole=True)
        _check_range(spec, "seconds", seconds, 0.001, 86_400)
        _check_range(spec, "horizon", horizon, 1, 10_000, whole=True)
        _check_range(spec, "temperature", temperature, 1e-6, 1e6)
        if (simulations is None) == (seconds is None):
            raise SetupError(f"agent {spec!r}: expected either simulations or seconds")
        if others not in ("policy", "tree"):
            raise SetupError(f"agent {spec!r}: others = {others}, expected policy or tree")
        self.spec = self.name = spec
        self.policy = base
        self.simulations, self.seconds = simulations, seconds
        self.horizon, self.others, self.temperature = int(horizon), others, float(temperature)
        self._idle: dict[GameSpec, list[Simulator]] = {}
        """Simulators that no copy of this agent is using; copies share them, whatever thread they are in."""
        self._judges: dict[GameSpec, Judge] = {}
        self._seed, self._seat = 0, 0
        self._sampler: Sampler | None = None
        self._found: tuple[bytes, Finding] | None = None
        if game_spec is not None:
            self.check(game_spec)

    def check(self, spec: GameSpec) -> None:
        """As the base agent."""
        self.policy.check(spec)
        if spec not in self._judges:
            self._judges[spec] = judge_of(self.policy, spec)

    def reset(self, spec: GameSpec, seat: int, seed: int) -> None:
        """Begin a game."""
        self.check(spec)
        self._seat, self._seed = seat, seed % 2**63
        self._sampler = self._found = None

    def imagine(self, sampler: Sampler) -> None:
        """Take what may be imagined at the next choice."""
        self._sampler, self._found = sampler, None

    def act(self, observation: Observation, action_mask: Mask) -> int:
        """Search, and draw an action from what was found."""
        chances = self._finding(observation, action_mask).probabilities
        return int(self._generator(observation, 1).choice(len(chances), p=chances))

    def probabilities(self, observations: Observation, masks: Mask) -> npt.NDArray[np.floating[Any]]:
        """Chances of each action in the one position that its sampler is of.

        Raises:
            SetupError: several positions, or no sampler.
        """
        if not self._has_one(observations):
            return super().probabilities(observations, masks)
        return self._finding(observations[0], masks[0]).probabilities[None].copy()

    def win_estimate(self, observations: Observation, masks: Mask) -> Floats | None:
        """The score it expects after its search, where returns are placements and it has a sampler."""
        sampler = self._sampler
        if sampler is None or not self._has_one(observations):
            return None
        if (sampler.spec.min_return, sampler.spec.max_return) != (-1.0, 1.0):
            return None
        value = self._finding(observations[0], masks[0]).value
        return None if value is None else np.clip([(value + 1.0) / 2.0], 0.0, 1.0)

    def spawn(self) -> SearchAgent:
        """Another copy; it shares what is large."""
        other = SearchAgent.__new__(SearchAgent)
        other.__dict__.update(self.__dict__)
        other._sampler = other._found = None
        return other

    def fingerprint(self) -> str:
        """Changes with the spec, the base agent and the files of this package."""
        files = sorted(Path(__file__).parent.glob("*.py"))
        parts = [self.spec, self.policy.fingerprint(), *(file.read_text("utf-8") for file in files)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def _has_one(self, observations: Observation) -> bool:
        return self._sampler is not None and len(observations) == 1

    def _generator(self, observation: Observation, purpose: int) -> np.random.Generator:
        """Luck that depends on the seed and on what the seat sees, and on nothing else."""
        digest = hashlib.blake2b(observation.tobytes(), digest_size=8).digest()
        return np.random.default_rng([self._seed, self._seat, purpose, int.from_bytes(digest, "little")])

    def _finding(self, observation: Observation, mask: Mask) -> Finding:
        """What a search of this position finds; the same one isn't searched twice."""
        key = observation.tobytes() + mask.tobytes()
        if self._found is None or self._found[0] != key:
            self._found = key, self._search(observation, mask)
        return self._found[1]

    def _search(self, observation: Observation, mask: Mask) -> Finding:
        sampler = self._sampler
        if sampler is None:
            raise SetupError(
                f"agent {self.spec!r} can't play here: it needs a sampler of what its seat may imagine"
                " (`imagine` before each `act`), as matches, the arena, tournaments and the service lend one"
            )
        until = None if self.seconds is None else time.monotonic() + self.seconds
        judge = self._judges[sampler.spec]
        prior = judge.chances(np.zeros(1, np.int64), observation[None], mask[None])[0].astype(np.float64)
        likely = np.flatnonzero(mask & (prior >= min(NEGLIGIBLE, prior[mask].max())))
        likely = likely[np.argsort(-prior[likely], kind="stable")][:MOST_ACTIONS]
        simulator = self._borrowed(sampler)
        try:
            found = self._compare(sampler, simulator, likely, prior, self._generator(observation, 0), until)
        finally:
            self._idle[sampler.spec].append(simulator)
        if found.value is None and judge.has_values:
            value = float(judge.values(np.zeros(1, np.int64), observation[None], mask[None])[0])
            return found._replace(value=value)
        return found

    def _borrowed(self, sampler: Sampler) -> Simulator:
        try:
            simulator = self._idle.setdefault(sampler.spec, []).pop()
        except IndexError:
            span = (sampler.spec.max_return - sampler.spec.min_return) / 2.0
            manner = Manner(self.horizon, self.others, PATIENCE, INNER_TEMPERATURE * span)
            return Simulator(sampler.game, sampler.spec, WIDTH, self._judges[sampler.spec], manner)
        simulator.nodes.clear()
        return simulator

    def _compare(
        self,
        sampler: Sampler,
        simulator: Simulator,
        actions: npt.NDArray[np.int64],
        prior: Floats,
        rng: np.random.Generator,
        until: float | None,
    ) -> Finding:
        """Play every action in the same worlds, with the same luck; drop those that are clearly behind."""
        seat, spec = sampler.seat, sampler.spec
        guesses = seed_rows(int(rng.integers(2**62)), 1)[0]
        budget = MOST_SIMULATIONS if self.simulations is None else self.simulations
        seen = np.zeros((0, len(actions)))
        done = 0
        while len(actions) > 1:
            worlds = min(self._wave(len(actions)), (budget - done) // len(actions))
            if worlds < 1 or (until is not None and len(seen) and time.monotonic() >= until):
                break
            times = len(actions)
            returns = simulator.run(
                paired(sampler.draw(worlds, guesses), times),
                paired(rng.integers(2**62, size=worlds), times),
                paired(rng.random((worlds, UNIFORMS)), times),
                seat,
                np.tile(actions, worlds),
            )[:, seat]
            seen = np.concatenate([seen, returns.reshape(worlds, times)])
            done += worlds * times
            left = not_behind(seen)
            actions, seen = actions[left], seen[:, left]
        weights = prior[actions] / prior[actions].sum()
        if len(seen):
            half_span = (spec.max_return - spec.min_return) / 2.0
            weights = improved(weights, seen / half_span, self.temperature)
        chances = np.zeros(len(prior))
        chances[actions] = weights
        value = float(seen.mean(axis=0) @ weights) if len(seen) else None
        return Finding(chances, value, done)

    def _wave(self, actions: int) -> int:
        """Worlds in a wave: as many as fit, but few enough for some waves."""
        rows = WIDTH if self.simulations is None else min(WIDTH, self.simulations // FIRST_WAVES)
        return max(1, rows // actions)


def not_behind(seen: Floats) -> npt.NDArray[np.bool_]:
    """`[m]` which of the actions may yet be the best, by `[worlds, m]` returns in the same worlds."""
    if len(seen) < ENOUGH:
        return np.ones(seen.shape[1], np.bool_)
    gap = seen[:, [int(seen.mean(axis=0).argmax())]] - seen
    error = gap.std(axis=0, ddof=1) / np.sqrt(len(seen))
    return (gap.mean(axis=0) <= CLEAR * error) | (gap.mean(axis=0) == 0.0)


def improved(prior: Floats, seen: Floats, temperature: float) -> Floats:
    """Chances of `[m]` actions after `[worlds, m]` returns: `prior * exp(evidence / temperature)`.

    An action's evidence is how much better it did than the prior on average in the same worlds,
    shrunk by how uncertain that is (the mean of a normal prior of deviation `SPREAD` after the data).
    So little is changed by few worlds, and in the limit of many an action that is worse by a few
    temperatures isn't taken. It is the answer to the base agent's play that stays close to the prior in
    relative entropy, with 1 / temperature as the rate of exchange.
    """
    gain = seen - (seen @ prior)[:, None]
    error2 = gain.var(axis=0, ddof=1) / len(gain) if len(gain) > 1 else np.ones(len(prior))
    evidence = gain.mean(axis=0) * SPREAD**2 / (SPREAD**2 + error2)
    weights = prior * np.exp((evidence - evidence.max()) / temperature)
    return weights / weights.sum()


def _check_range(
    spec: str, name: str, value: float | None, low: float, high: float, whole: bool = False
) -> None:
    """Refuse what isn't a number in the range (None is a parameter that isn't given)."""
    if value is None:
        return
    if isinstance(value, str) or not low <= value <= high or (whole and value != int(value)):
        kind = "a whole number" if whole else "a number"
        raise SetupError(f"agent {spec!r}: {name} = {value}, expected {kind} from {low:g} to {high:g}")
