"""PPO with action masks and a magnet: a penalty for leaving a slowly following copy of the policy.

In games with hidden information plain or annealed entropy makes self-play run in circles. A pull
towards a copy of the policy that follows a small step an update stops that: in a trial on clash
(3,3) exploitability fell from 0.41 to 0.09 points instead of rising to 0.65.

The rollout and update loops of SB3 are overridden because of what they cost beside a fast
environment (see `docs/decisions.md`): dictionaries and Python loops per environment, a fresh
float32 mask buffer each rollout, distribution objects per minibatch.
"""

from __future__ import annotations

import copy
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt
import torch as th
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import explained_variance
from stable_baselines3.common.vec_env import VecEnv
from torch.nn import functional

from agents.policy import sample_rows
from training.buffer import LeanRolloutBuffer
from training.inputs import StandardisedInputs
from training.sb3 import SelfPlayVecEnv

SAMPLER_STREAM = 2
"""Keeps the sampler's random numbers apart from the environment's, which share the seed."""

MEASURED_ROWS = 8_000
MEASURED_SHARE = 0.2
"""Inputs are measured on so many rows, taken from every fifth step to reach further into games."""

CHUNK = 16_384
"""Rows of one gradient-free forward pass: bounds its memory (16,384 rows x 300 floats = 20 MB)."""


class MagnetMaskablePPO(MaskablePPO):
    """`MaskablePPO` whose loss adds `magnet_coef * KL(policy || magnet)`.

    After each update the magnet moves `magnet_rate` of the way to the policy. With `magnet_coef` 0
    this is MaskablePPO, only faster. Works on `SelfPlayVecEnv` (Box observations, Discrete actions).
    All its randomness comes from `sampler`, so a saved run continues exactly.
    """

    rollout_buffer: LeanRolloutBuffer  # type: ignore[assignment]  # as SB3 narrows its own
    policy: MaskableActorCriticPolicy

    def __init__(
        self,
        policy: str | type[MaskableActorCriticPolicy],
        env: SelfPlayVecEnv,
        *,
        magnet_coef: float = 0.3,
        magnet_rate: float = 0.03,
        final_entropy: float = 1.0,
        **kwargs: Any,
    ) -> None:
        """Make a model as `MaskablePPO` does, with a magnet.

        Args:
            policy: as in SB3.
            env: the games; the policy becomes the opponent named `self` in them.
            magnet_coef: weight of the KL term beside a normalised advantage; 0.2 to 0.4 did well.
            magnet_rate: fraction of the way that the magnet moves an update; 0.015 to 0.05 did well.
            final_entropy: share of `ent_coef` that is left when training ends.
            **kwargs: as in SB3; `clip_range_vf` isn't supported.
        """
        if not isinstance(env, SelfPlayVecEnv):
            raise TypeError(f"MagnetMaskablePPO plays on a SelfPlayVecEnv, given {type(env).__name__}")
        if kwargs.get("clip_range_vf") is not None:
            raise ValueError("clip_range_vf isn't supported; leave it None")
        self.magnet_coef, self.magnet_rate = magnet_coef, magnet_rate
        self.final_entropy = final_entropy
        kwargs.setdefault("rollout_buffer_class", LeanRolloutBuffer)
        network = {"features_extractor_class": StandardisedInputs} | (kwargs.pop("policy_kwargs", None) or {})
        super().__init__(policy, env, policy_kwargs=network, **kwargs)

    def _setup_model(self) -> None:
        super()._setup_model()
        self.magnet = copy.deepcopy(self.policy).requires_grad_(False)
        self.sampler = np.random.default_rng(None if self.seed is None else [self.seed, SAMPLER_STREAM])
        self.seconds = {"environment": 0.0, "opponents": 0.0, "learner": 0.0}
        """Wall time so far by part."""
        self.illegal_actions = 0
        self.self_play_env.set_self(SelfPlayer(self.policy, self.self_play_env))

    @property
    def self_play_env(self) -> SelfPlayVecEnv:
        """The environment, as what it is."""
        assert isinstance(self.env, SelfPlayVecEnv)
        return self.env

    def begin(self) -> None:
        """Reset the environment and get ready for `update`, the alternative to `learn`."""
        self._callback = self._setup_learn(1, None)[1]

    def move_to(self, env: SelfPlayVecEnv) -> None:
        """Go on in other games with the same observations and actions; games that run are dropped."""
        self.set_env(env)
        env.set_self(SelfPlayer(self.policy, env))
        self._last_obs = env.reset()
        self._last_episode_starts = np.ones(env.num_envs, np.bool_)

    def update(self, progress: float = 0.0) -> dict[str, float]:
        """One rollout and one update, for callers with a loop of their own.

        Args:
            progress: 0 at the beginning of training, 1 at its end; schedules follow it.

        Returns:
            What was logged, e.g. `train/entropy`.
        """
        assert self.env is not None
        self._current_progress_remaining = 1.0 - progress
        self.collect_rollouts(self.env, self._callback, self.rollout_buffer, self.n_steps)
        self.train()
        logged = {name: float(value) for name, value in self.logger.name_to_value.items()}
        self.logger.dump(self.num_timesteps)
        return logged

    def collect_rollouts(
        self,
        env: VecEnv,
        callback: BaseCallback,
        rollout_buffer: RolloutBuffer,
        n_rollout_steps: int,
        use_masking: bool = True,
    ) -> bool:
        """Fill the buffer with `n_rollout_steps` decisions of every game; False if the callback stops."""
        assert use_masking
        assert isinstance(rollout_buffer, LeanRolloutBuffer)
        assert isinstance(env, SelfPlayVecEnv)
        assert isinstance(self._last_obs, np.ndarray), "reset the environment first (learn does)"
        assert self._last_episode_starts is not None
        self.measure_inputs(env)
        started, opponents = perf_counter(), env.opponent_seconds
        inside = 0.0
        self.policy.set_training_mode(False)
        rollout_buffer.reset()
        callback.on_rollout_start()
        for _ in range(n_rollout_steps):
            masks = env.action_masks()
            actions, values, log_probs = self._choose(self._last_obs, masks)
            rollout_buffer.put(self._last_obs, masks, actions, values, log_probs, self._last_episode_starts)
            before = perf_counter()
            self._last_obs, rewards, dones = env.step_arrays(actions)
            inside += perf_counter() - before
            rollout_buffer.rewards[rollout_buffer.pos - 1] = rewards
            self._last_episode_starts = dones
            self.num_timesteps += env.num_envs
            callback.update_locals(locals())
            if not callback.on_step():
                return False
        with th.no_grad():
            last_values = _logits_and_values(self.policy, self._tensor(self._last_obs))[1]
        rollout_buffer.compute_returns_and_advantage(last_values=last_values, dones=self._last_episode_starts)
        callback.on_rollout_end()
        opponents = env.opponent_seconds - opponents
        self.seconds["opponents"] += opponents
        self.seconds["environment"] += inside - opponents
        self.seconds["learner"] += perf_counter() - started - inside
        return True

    def measure_inputs(self, env: SelfPlayVecEnv) -> None:
        """Before the first rollout: let the untrained policy play, and standardise what it sees."""
        inputs = self.policy.features_extractor
        if not isinstance(inputs, StandardisedInputs) or bool(inputs.is_measured):
            return
        seen: list[npt.NDArray[np.float32]] = []
        while len(seen) * MEASURED_SHARE * env.num_envs < MEASURED_ROWS:
            for _ in range(round(1 / MEASURED_SHARE)):
                actions = self._choose(env.observations(), env.action_masks())[0]
                self._last_obs, _, self._last_episode_starts = env.step_arrays(actions)
            seen.append(env.observations().copy())
        for module in (inputs, self.magnet.features_extractor):
            assert isinstance(module, StandardisedInputs)
            module.measure(np.concatenate(seen))

    def _choose(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Sample an action for each row; `[N]` actions, values and log-probabilities."""
        with th.no_grad():
            logits, values = _logits_and_values(self.policy, self._tensor(observations))
            both = _masked_softmax(logits, self._tensor(masks))
        probs, log_probs = (tensor.cpu().numpy() for tensor in both)
        actions = sample_rows(probs, self.sampler.random(len(masks)))
        rows = np.arange(len(actions))
        self.illegal_actions += int((~masks[rows, actions]).sum())
        return actions, values.cpu().numpy(), log_probs[rows, actions]

    def train(self) -> None:
        """One update: `n_epochs` passes over the rollout in minibatches of `batch_size`."""
        started = perf_counter()
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        clip = float(self.clip_range(self._current_progress_remaining))  # type: ignore[operator]
        data = {name: self._tensor(array) for name, array in self.rollout_buffer.flat().items()}
        data["magnet"] = self._magnet_log_probs(data)
        rows = len(data["actions"])
        batch_size = min(self.batch_size or rows, rows)
        stats: list[th.Tensor] = []
        stop = False
        for _ in range(self.n_epochs):
            order = self._tensor(self.sampler.permutation(rows))
            for start in range(0, rows - batch_size + 1, batch_size):
                pick = order[start : start + batch_size]
                loss, numbers = self._loss({name: x.index_select(0, pick) for name, x in data.items()}, clip)
                stats.append(numbers)
                if self.target_kl is not None and numbers[KL] > 1.5 * self.target_kl:
                    stop = True
                    break
                self.policy.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                th.nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
                self.policy.optimizer.step()
            self._n_updates += 1
            if stop:
                break
        self._move_magnet()
        self._log(th.stack(stats).mean(0).tolist(), clip)
        self.seconds["learner"] += perf_counter() - started

    def _loss(self, d: dict[str, th.Tensor], clip: float) -> tuple[th.Tensor, th.Tensor]:
        """The loss of one minibatch and the numbers named by `STATS`."""
        logits, values = _logits_and_values(self.policy, d["observations"])
        probs, log_probs = _masked_softmax(logits, d["masks"])
        advantages = d["advantages"]
        if self.normalize_advantage:
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        log_ratio = log_probs.gather(1, d["actions"][:, None])[:, 0] - d["log_probs"]
        ratio = log_ratio.exp()
        policy_loss = -th.min(advantages * ratio, advantages * ratio.clamp(1 - clip, 1 + clip)).mean()
        value_loss = functional.mse_loss(values, d["returns"])
        entropy = -(probs * log_probs).sum(1).mean()
        magnet_kl = (probs * (log_probs - d["magnet"])).sum(1).mean()
        remaining = self._current_progress_remaining
        ent_coef = self.ent_coef * (self.final_entropy + (1.0 - self.final_entropy) * remaining)
        loss = policy_loss + self.vf_coef * value_loss - ent_coef * entropy + self.magnet_coef * magnet_kl
        with th.no_grad():
            approx_kl = (ratio - 1 - log_ratio).mean()
            clipped = ((ratio - 1).abs() > clip).float().mean()
            numbers = th.stack([approx_kl, policy_loss, value_loss, entropy, magnet_kl, clipped, loss])
        return loss, numbers

    def _magnet_log_probs(self, data: dict[str, th.Tensor]) -> th.Tensor:
        """`[rows, A]`: once an update, because the magnet stands still during it."""
        parts: list[th.Tensor] = []
        with th.no_grad():
            for obs, mask in zip(data["observations"].split(CHUNK), data["masks"].split(CHUNK), strict=True):
                logits = _masked(_actor(self.magnet, obs), mask)
                parts.append(functional.log_softmax(logits, dim=1))
        return th.cat(parts)

    def evaluate(self, observations: th.Tensor, masks: th.Tensor) -> tuple[th.Tensor, th.Tensor]:
        """Masked logits `[B, A]` and values `[B]`, with gradients."""
        logits, values = _logits_and_values(self.policy, observations)
        return _masked(logits, masks), values

    def settle_magnet(self) -> None:
        """Put the magnet where the policy is now, after it was taught from outside."""
        self.magnet.load_state_dict(self.policy.state_dict())

    def _move_magnet(self) -> None:
        with th.no_grad():
            for slow, fast in zip(self.magnet.parameters(), self.policy.parameters(), strict=True):
                slow.lerp_(fast, self.magnet_rate)

    def _log(self, means: list[float], clip: float) -> None:
        for name, value in zip(STATS, means, strict=True):
            self.logger.record(f"train/{name}", value)
        buffer = self.rollout_buffer
        explained = explained_variance(buffer.values.flatten(), buffer.returns.flatten())
        self.logger.record("train/explained_variance", float(explained))
        self.logger.record("train/n_updates", self._n_updates, exclude="tensorboard")
        self.logger.record("train/clip_range", clip)
        self.logger.record("train/illegal_actions", self.illegal_actions)

    def _tensor(self, array: npt.NDArray[Any]) -> th.Tensor:
        return th.as_tensor(array, device=self.device)

    def _excluded_save_params(self) -> list[str]:
        return [*super()._excluded_save_params(), "magnet", "sampler"]


STATS = ("approx_kl", "policy_gradient_loss", "value_loss", "entropy", "magnet_kl", "clip_fraction", "loss")
KL = STATS.index("approx_kl")


class SelfPlayer:
    """The learner's own policy as an opponent: it always plays the weights of the moment."""

    def __init__(self, policy: MaskableActorCriticPolicy, env: SelfPlayVecEnv | None = None) -> None:
        """Take the policy and, if it sees less or more than observations, the environment that shows it."""
        self._policy, self._env = policy, env

    def act_batch(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_], rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Sample an action for each row, `[B]`."""
        if self._env is not None:
            observations, masks = self._env.look(observations, masks), self._env.lens.allow(masks)
        device = self._policy.device
        with th.no_grad():
            logits = _actor(self._policy, th.as_tensor(observations, device=device))
            logits = _masked(logits, th.as_tensor(masks, device=device))
            probs = functional.softmax(logits, dim=1).cpu().numpy()
        chosen = sample_rows(probs, rng.random(len(masks)))
        return chosen if self._env is None else self._env.lens.ids(chosen)


def _actor(policy: MaskableActorCriticPolicy, observations: th.Tensor) -> th.Tensor:
    """Unmasked logits `[B, A]`."""
    features = policy.extract_features(observations)
    features = features[0] if isinstance(features, tuple) else features
    return policy.action_net(policy.mlp_extractor.forward_actor(features))


def _logits_and_values(
    policy: MaskableActorCriticPolicy, observations: th.Tensor
) -> tuple[th.Tensor, th.Tensor]:
    """Unmasked logits `[B, A]` and values `[B]`."""
    features = policy.extract_features(observations)
    for_actor, for_critic = features if isinstance(features, tuple) else (features, features)
    logits = policy.action_net(policy.mlp_extractor.forward_actor(for_actor))
    return logits, policy.value_net(policy.mlp_extractor.forward_critic(for_critic))[:, 0]


def _masked(logits: th.Tensor, masks: th.Tensor) -> th.Tensor:
    """`[B, A]`; a large negative number, not -inf, where illegal, so that p * log p is 0 there."""
    return th.where(masks, logits, -1e8)


def _masked_softmax(logits: th.Tensor, masks: th.Tensor) -> tuple[th.Tensor, th.Tensor]:
    """Probabilities, exactly 0 where illegal, and log-probabilities, both `[B, A]`.

    The former aren't made from the latter: exp of -1e8 takes the slow way out of the vector
    library, which cost more than the whole network (14 ms against 0.8 for 4,096 x 183 numbers).
    """
    logits = _masked(logits, masks)
    return functional.softmax(logits, dim=1), functional.log_softmax(logits, dim=1)
