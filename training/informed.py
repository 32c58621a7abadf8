"""A value network that sees every seat's observation, beside a policy that sees its own.

What a return differs from its expectation by is mostly luck: cards in other hands. A critic that knows
them takes that luck out of the advantages, so that far fewer games tell a good choice from a bad one. It
is asked only while the policy learns; the policy, and what is exported, have the seat's own observation.
(Asymmetric actor-critic, Pinto et al. 2018.)
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch as th
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from fm_env.batch import Batch
from fm_env.engine import engine_of
from training.sb3 import Floats, Rows, SelfPlayVecEnv


class InformedVecEnv(SelfPlayVecEnv):
    """Shows the learner `[N, S * F]`: its own observation, then that of each seat after it in rotation."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """As `SelfPlayVecEnv`."""
        super().__init__(*args, **kwargs)
        self._engine = engine_of(self.game)
        width = self.spec.num_seats * len(self.lens.entries)
        self.observation_space = spaces.Box(-1.0, 1.0, (width,), np.float32)

    def observations(self) -> Floats:
        """`[N, S * F]`."""
        return self.shown(self.batch, np.arange(self.num_envs))

    def shown(self, batch: Batch, rows: Rows) -> Floats:
        """The observations of all seats in `rows`, from the seat asked on, `[len(rows), S * F]`."""
        views = [self.lens.see(batch.obs[rows])]
        seen = np.empty((len(rows), self.spec.observation_size), np.float32)
        for k in range(1, self.spec.num_seats):
            for row, (i, own) in enumerate(zip(rows.tolist(), batch.seat[rows].tolist(), strict=True)):
                self._engine.observe(batch.states, i, (own + k) % self.spec.num_seats, seen[row])
            views.append(self.lens.see(seen).copy())
        return np.concatenate(views, axis=1)


class Halves(th.nn.Module):
    """Hidden layers of actor and critic, of inputs of different width."""

    def __init__(
        self, widths: tuple[int, int], arch: dict[str, list[int]], activation: type[th.nn.Module]
    ) -> None:
        """Take input widths of both halves, hidden layers by SB3's names and the activation between them."""
        super().__init__()
        self.policy_net = _hidden(widths[0], arch["pi"], activation)
        self.value_net = _hidden(widths[1], arch["vf"], activation)
        self.latent_dim_pi, self.latent_dim_vf = arch["pi"][-1], arch["vf"][-1]

    def forward(self, features: tuple[th.Tensor, th.Tensor]) -> tuple[th.Tensor, th.Tensor]:
        """Both latents, from what each half is shown."""
        return self.forward_actor(features[0]), self.forward_critic(features[1])

    def forward_actor(self, features: th.Tensor) -> th.Tensor:
        """`[B, F]` to the policy's latent."""
        return self.policy_net(features)

    def forward_critic(self, features: th.Tensor) -> th.Tensor:
        """`[B, F]` to the value network's latent."""
        return self.value_net(features)


class InformedPolicy(MaskableActorCriticPolicy):
    """Acts on the first of S equal parts of an `InformedVecEnv`'s observation, values the whole."""

    def __init__(self, *args: Any, own: int, **kwargs: Any) -> None:
        """As in sb3-contrib; `own` is the length of a seat's observation."""
        self._own = own
        super().__init__(*args, **kwargs)

    def _build_mlp_extractor(self) -> None:
        assert isinstance(self.net_arch, dict)
        halves = Halves((self._own, self.features_dim), self.net_arch, self.activation_fn)
        self.mlp_extractor = halves.to(self.device)  # type: ignore[assignment]

    def extract_features(  # type: ignore[override]
        self, obs: Any, features_extractor: BaseFeaturesExtractor | None = None
    ) -> tuple[th.Tensor, th.Tensor]:
        """What the actor sees and what the critic sees."""
        features = self.features_extractor(obs)
        return features[:, : self._own], features


def _hidden(width: int, hidden: list[int], activation: type[th.nn.Module]) -> th.nn.Sequential:
    layers: list[th.nn.Module] = []
    for size in hidden:
        layers += [th.nn.Linear(width, size), activation()]
        width = size
    return th.nn.Sequential(*layers)
