"""RLlib's networks: one that keeps to the mask and can be exported, and one that is any of our agents."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import torch as th
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import InferenceOnlyAPI
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModule
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch.nn import functional

from agents.api import Agent
from agents.registry import make
from fm_env.errors import SetupError
from fm_env.views.table import find_game, find_scenario
from training.export import ACTIVATIONS
from training.inputs import StandardisedInputs
from training.rllib.env import MASK, OBSERVATION

MAGNET = "magnet_"
MAGNET_LOGITS = "magnet_logits"

FORBIDDEN = -1e8
"""Logit of an illegal action: not -inf, so that p * log p is 0 there."""


class MaskedModule(TorchRLModule, ValueFunctionAPI, InferenceOnlyAPI):
    """Two plain networks on standardised inputs; illegal actions have chance 0 everywhere.

    `model_config` has `hidden`, `value_hidden`, `activation` and the inputs' `mean` and `scale`. The
    magnet, a slow copy of the policy, lies in buffers: it is saved and shared, but never learned.
    """

    def setup(self) -> None:
        """Build the networks, as RLlib asks."""
        config: Any = self.model_config
        self.inputs = StandardisedInputs(self.observation_space[OBSERVATION])
        self.inputs.mean.copy_(th.as_tensor(config["mean"]))
        self.inputs.scale.copy_(th.as_tensor(config["scale"]))
        size, actions = self.inputs.features_dim, int(self.action_space.n)
        self.policy_net = _network([size, *config["hidden"], actions], config["activation"])
        with th.no_grad():  # nearly even chances at the start
            last = self.policy_net[-1]
            assert isinstance(last, th.nn.Linear)
            last.weight *= 0.01
        self.value_net = _network([size, *config["value_hidden"], 1], config["activation"])
        for name, tensor in self.policy_net.named_parameters():
            self.register_buffer(MAGNET + name.replace(".", "_"), tensor.detach().clone())

    def get_non_inference_attributes(self) -> list[str]:
        """What those who only play do without."""
        return ["value_net", *(name for name, _ in self.named_buffers() if name.startswith(MAGNET))]

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        return {Columns.ACTION_DIST_INPUTS: self._masked(batch, self.policy_net(self._seen(batch)))}

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        seen = self._seen(batch)
        with th.no_grad():
            slow = th.func.functional_call(self.policy_net, self._magnet(), (seen,))
        return {
            Columns.ACTION_DIST_INPUTS: self._masked(batch, self.policy_net(seen)),
            Columns.EMBEDDINGS: seen,
            MAGNET_LOGITS: self._masked(batch, slow),
        }

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Any:
        """`[B]` returns that the value network expects."""
        return self.value_net(self._seen(batch) if embeddings is None else embeddings).squeeze(-1)

    def move_magnet(self, rate: float) -> None:
        """Take the magnet `rate` of the way to the policy; 1: all of it."""
        slow = self._magnet()
        with th.no_grad():
            for name, tensor in self.policy_net.named_parameters():
                slow[name].lerp_(tensor.detach(), rate)

    def _magnet(self) -> dict[str, th.Tensor]:
        names = [name for name, _ in self.policy_net.named_parameters()]
        return {name: getattr(self, MAGNET + name.replace(".", "_")) for name in names}

    def _seen(self, batch: dict[str, Any]) -> th.Tensor:
        return self.inputs(batch[Columns.OBS][OBSERVATION])

    @staticmethod
    def _masked(batch: dict[str, Any], logits: th.Tensor) -> th.Tensor:
        return th.where(batch[Columns.OBS][MASK].bool(), logits, FORBIDDEN)


class AgentModule(RLModule):
    """Any agent without memory (a compiled bot, a policy file) as a network that never learns.

    `model_config` has `agent` (its text), `game`, `scenario` and `options`.
    """

    @staticmethod
    def agent_for(config: dict[str, Any]) -> Agent:
        """The agent that a `model_config` names.

        Raises:
            SetupError: it may remember its game; one object plays many games here.
            UnknownNameError, LoadError: as `agents.make`.
        """
        game = find_game(config["game"])
        scenario = find_scenario(game, config["scenario"], options=config["options"])
        agent = make(config["agent"], game, scenario)
        if not agent.plays_batches:
            raise SetupError(
                f"opponents: {config['agent']!r} may remember its game; on RLlib an opponent needs an"
                " act_batch(observations, masks, rng)"
            )
        agent.check(scenario.spec)
        return agent

    def setup(self) -> None:
        """Make the agent, as RLlib asks."""
        config: Any = self.model_config
        self.agent = self.agent_for(config)
        self._rng = np.random.default_rng()

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        seen, masks = (np.asarray(batch[Columns.OBS][name]) for name in (OBSERVATION, MASK))
        return {Columns.ACTIONS: self.agent.act_batch(seen, masks.astype(np.bool_), self._rng)}

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        raise NotImplementedError("an agent as an opponent never learns")

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Nothing to compile; RLlib asks all the same."""


class MagnetLearner(PPOTorchLearner):
    """PPO whose loss adds `magnet * KL(policy || magnet)`, as `training.ppo` does and says why."""

    def compute_loss_for_module(self, *, module_id: str, config: Any, batch: Any, fwd_out: Any) -> Any:
        """RLlib's own loss and the pull towards the magnet."""
        loss = super().compute_loss_for_module(
            module_id=module_id, config=config, batch=batch, fwd_out=fwd_out
        )
        weight = config.learner_config_dict["magnet"]
        now = functional.log_softmax(fwd_out[Columns.ACTION_DIST_INPUTS], dim=-1)
        slow = functional.log_softmax(fwd_out[MAGNET_LOGITS], dim=-1)
        kl = (now.exp() * (now - slow)).sum(-1)
        if Columns.LOSS_MASK in batch:
            kl = kl[batch[Columns.LOSS_MASK]]
        kl = kl.mean()
        self.metrics.log_value((module_id, "magnet_kl"), kl.detach(), window=1)
        return loss + weight * kl

    def after_gradient_based_update(self, *, timesteps: dict[str, Any]) -> None:
        """Move the magnets of those who learn."""
        super().after_gradient_based_update(timesteps=timesteps)
        for module_id, module in self.module._rl_modules.items():
            if self.should_module_be_updated(module_id):
                module.unwrapped().move_magnet(self.config.learner_config_dict["magnet_rate"])


def _network(widths: list[int], activation: str) -> th.nn.Sequential:
    layers: list[th.nn.Module] = []
    for before, after in pairwise(widths):
        layers += [th.nn.Linear(before, after), ACTIVATIONS[activation]()]
    return th.nn.Sequential(*layers[:-1])
