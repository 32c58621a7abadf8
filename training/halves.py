"""A policy whose actor and critic are shown different parts of what the environment gives."""

from __future__ import annotations

from typing import Any, ClassVar

import torch as th
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor


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


class HalvedPolicy(MaskableActorCriticPolicy):
    """Shows one half a seat's own observation, which comes first, and the other half all there is."""

    actor_sees_all: ClassVar[bool] = False
    """Else the critic does."""
    halves: ClassVar[type[Halves]] = Halves

    def __init__(self, *args: Any, own: int, **kwargs: Any) -> None:
        """As in sb3-contrib; `own` is the length of a seat's observation."""
        self._own = own
        super().__init__(*args, **kwargs)

    def _build_mlp_extractor(self) -> None:
        assert isinstance(self.net_arch, dict)
        own, whole = self._own, self.features_dim
        widths = (whole, own) if self.actor_sees_all else (own, whole)
        built = self.halves(widths, self.net_arch, self.activation_fn)
        self.mlp_extractor = built.to(self.device)  # type: ignore[assignment]

    def extract_features(  # type: ignore[override]
        self, obs: Any, features_extractor: BaseFeaturesExtractor | None = None
    ) -> tuple[th.Tensor, th.Tensor]:
        """What the actor sees and what the critic sees."""
        features = self.features_extractor(obs)
        own = features[:, : self._own]
        return (features, own) if self.actor_sees_all else (own, features)


def _hidden(width: int, hidden: list[int], activation: type[th.nn.Module]) -> th.nn.Sequential:
    layers: list[th.nn.Module] = []
    for size in hidden:
        layers += [th.nn.Linear(width, size), activation()]
        width = size
    return th.nn.Sequential(*layers)
