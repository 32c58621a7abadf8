"""What happens beside RLlib's own loop: results by opponent, and frozen copies of the learner."""

from __future__ import annotations

from functools import partial
from typing import Any

from ray.rllib.callbacks.callbacks import RLlibCallback

from fm_env.contract import TERMINAL
from training.opponents import SELF

WIN_RATE = "win_rate"
GAMES = 200
"""The last games over which win rates are taken."""


class _Callback(RLlibCallback):
    """Made by RLlib in every process; `callbacks` gives it what it needs to know."""

    def __init__(self, labels: dict[str, str], past: list[str], every: int) -> None:
        self._labels, self._past, self._every = labels, past, every

    def on_episode_end(
        self, *, episode: Any, env_index: int, env: Any = None, metrics_logger: Any = None, **_: Any
    ) -> None:
        """Score the learner against each kind of opponent."""
        table = env.unwrapped.envs[env_index].unwrapped.table
        assert table.seat == TERMINAL
        returns = table.returns()
        for label, score in scores(self._groups(episode, len(returns)), returns).items():
            metrics_logger.log_value((WIN_RATE, label), score, reduce="mean", window=GAMES)

    def on_train_result(self, *, algorithm: Any, result: dict[str, Any], **_: Any) -> None:
        """Every so often the learner takes the place of its oldest frozen copy."""
        if self._past and algorithm.iteration % self._every == 0:
            slot = self._past[(algorithm.iteration // self._every - 1) % len(self._past)]
            freeze(algorithm, slot)

    def _groups(self, episode: Any, num_seats: int) -> list[str]:
        """What sits on each seat."""
        return [self._labels[episode.module_for(f"player_{seat}")] for seat in range(num_seats)]


def callbacks(labels: dict[str, str], past: list[str], every: int) -> Any:
    """RLlib's callbacks of a run: what it calls in each process to make them.

    Args:
        labels: module to what it is called in results.
        past: modules that hold frozen copies of the learner.
        every: iterations between two copies.
    """
    return partial(_Callback, labels, past, every)


def scores(groups: list[str], returns: list[float]) -> dict[str, float]:
    """For each group of opponents, the learner's score: 1 for finishing ahead, a half for a tie.

    Where the learner holds several seats, or an opponent does, it is the mean over all pairs.
    """
    found: dict[str, list[float]] = {}
    for own, mine in enumerate(returns):
        for other, theirs in enumerate(returns):
            if groups[own] == SELF and groups[other] != SELF:
                score = 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
                found.setdefault(groups[other], []).append(score)
    return {label: sum(all_scores) / len(all_scores) for label, all_scores in found.items()}


def freeze(algorithm: Any, slot: str, source: str = "main") -> None:
    """Copy the learner's weights into a module that doesn't learn, on all machines."""
    weights = algorithm.learner_group.get_weights([source])[source]
    algorithm.set_state({"learner_group": {"learner": {"rl_module": {slot: weights}}}})
