"""From settings to RLlib's `PPOConfig`, and from what it learned to a policy file."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec

from agents.policy import PolicyCard
from fm_env.batch import Batch
from fm_env.contract import Game, Scenario
from fm_env.rng import seed_rows
from fm_env.views.common import agent_names
from fm_env.views.table import find_game, find_scenario
from training.export import card_for, fold_inputs
from training.inputs import StandardisedInputs
from training.opponents import PAST, SELF
from training.rllib.callbacks import callbacks
from training.rllib.env import RllibGame
from training.rllib.modules import AgentModule, MagnetLearner, MaskedModule
from training.rllib.settings import RllibSettings

MAIN = "main"
"""The module that learns where one policy is shared by all seats."""

MEASURED_GAMES = 256
MEASURED_ROWS = 20_000
"""Random decisions by which inputs are standardised."""

Weights = dict[str, npt.NDArray[np.float32]]


class Seating:
    """RLlib's policy mapping: which module sits where, drawn for each game by its id."""

    def __init__(self, agents: list[str], modules: dict[str, float]) -> None:
        """Args: names of the seats, and the weight of each module on a seat that isn't the learner's."""
        self.agents = agents
        self.modules = list(modules)
        self.thresholds = np.cumsum(list(modules.values())) / sum(modules.values())

    def learner(self, episode_id: str) -> str:
        """The seat that the learner has in any case; the others may be its own, too."""
        return self.agents[zlib.crc32(f"{episode_id} learner".encode()) % len(self.agents)]

    def __call__(self, agent_id: str, episode: Any, **_: Any) -> str:
        """As RLlib asks: the module for a seat of a game."""
        if agent_id == self.learner(episode.id_):
            return MAIN
        drawn = zlib.crc32(f"{episode.id_} {agent_id}".encode()) / 2**32
        return self.modules[int(np.searchsorted(self.thresholds, drawn, side="right"))]


class OwnSeat:
    """The mapping in which each seat has a policy of its own."""

    def __call__(self, agent_id: str, episode: Any, **_: Any) -> str:
        """As RLlib asks: the module for a seat of a game."""
        return seat_module(agent_id)


def seat_module(agent_id: str) -> str:
    """The module of a seat that has its own."""
    return f"seat_{agent_id.rpartition('_')[2]}"


def ppo_config(settings: RllibSettings) -> PPOConfig:
    """RLlib's config of a run; change it as you like before `build_algo()`.

    Raises:
        SetupError, UnknownNameError, LoadError: a bad scenario, option or opponent.
    """
    game, scenario = game_of(settings)
    specs, labels, weights = _modules(settings, game, scenario)
    learning = [name for name, spec in specs.items() if labels[name] == SELF]
    agents = agent_names(scenario.spec)
    seating: Any = Seating(agents, weights) if settings.policies.mode == "shared" else OwnSeat()
    learner, cluster, run = settings.learner, settings.cluster, settings.run
    rate: Any = learner.learning_rate
    if learner.final_learning_rate < 1:
        rate = [[0, rate], [run.decisions, rate * learner.final_learning_rate]]
    past = [name for name, label in labels.items() if label == PAST]
    config = PPOConfig()
    config.environment(
        RllibGame,
        env_config={
            "game": settings.game.name,
            "scenario": settings.game.scenario,
            "options": settings.game.options,
        },
        disable_env_checking=True,  # RLlib's check plays random actions, whatever the mask
    )
    config.env_runners(
        num_env_runners=cluster.env_runners,
        num_envs_per_env_runner=cluster.games_per_runner,
        num_cpus_per_env_runner=cluster.cpus_per_runner,
        rollout_fragment_length="auto",
        batch_mode="truncate_episodes",  # whole episodes would favour short games
    )
    config.learners(
        num_learners=cluster.learners,
        num_gpus_per_learner=cluster.gpus_per_learner,
        learner_class=MagnetLearner,
        learner_config_dict={"magnet": learner.magnet, "magnet_rate": learner.magnet_rate},
    )
    config.multi_agent(
        policies=set(specs),
        policy_mapping_fn=seating,
        policies_to_train=learning,
        count_steps_by="env_steps",
    )
    config.rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=specs))
    config.training(
        train_batch_size_per_learner=learner.batch_size,
        minibatch_size=learner.minibatch_size,
        num_epochs=learner.epochs,
        lr=rate,
        gamma=learner.gamma,
        lambda_=learner.gae_lambda,
        clip_param=learner.clip,
        vf_clip_param=1e9,  # returns are small; RLlib would clip the squared error
        vf_loss_coeff=learner.value,
        entropy_coeff=learner.entropy,
        use_kl_loss=False,  # the magnet is in its place
        grad_clip=learner.max_grad_norm,
        grad_clip_by="global_norm",
    )
    config.callbacks(callbacks(labels, past, settings.policies.snapshot_iterations))
    config.debugging(seed=run.seed, log_level="ERROR")
    config.fault_tolerance(restart_failed_env_runners=True)
    return config


def game_of(settings: RllibSettings) -> tuple[Game, Scenario]:
    """What the settings play."""
    game = find_game(settings.game.name)
    return game, find_scenario(game, settings.game.scenario, options=settings.game.options)


def learners(settings: RllibSettings) -> dict[str, str]:
    """Modules that learn, each with the name of the policy that comes of it."""
    name = settings.run.name
    if settings.policies.mode == "shared":
        return {MAIN: name}
    _, scenario = game_of(settings)
    return {module: f"{name}-{module}" for module in map(seat_module, agent_names(scenario.spec))}


def _modules(
    settings: RllibSettings, game: Game, scenario: Scenario
) -> tuple[dict[str, RLModuleSpec], dict[str, str], dict[str, float]]:
    """All modules, what each of them is called in results, and weights for the learner's opponents."""
    inputs = measured_inputs(game, scenario)
    network = settings.network
    value_hidden = network.hidden if network.value_hidden is None else network.value_hidden
    config = {
        "hidden": list(network.hidden),
        "value_hidden": list(value_hidden),
        "activation": network.activation,
        "mean": inputs.mean.tolist(),
        "scale": inputs.scale.tolist(),
    }

    def network_spec() -> RLModuleSpec:
        return RLModuleSpec(module_class=MaskedModule, model_config=dict(config))

    specs = {name: network_spec() for name in learners(settings)}
    labels = dict.fromkeys(specs, SELF)
    weights: dict[str, float] = {}
    if settings.policies.mode == "shared":
        for label, weight in settings.policies.opponents.items():
            if label == SELF:
                weights[MAIN] = weight
            elif label == PAST:
                slots = [f"{PAST}_{k}" for k in range(settings.policies.past_members)]
                specs |= {slot: network_spec() for slot in slots}
                weights |= dict.fromkeys(slots, weight / len(slots))
                labels |= dict.fromkeys(slots, PAST)
            else:
                name = f"agent_{sum(key.startswith('agent_') for key in specs)}"
                played = {"game": game.name, "options": settings.game.options}
                played |= {"agent": label, "scenario": settings.game.scenario}
                AgentModule.agent_for(played)  # mistakes are told before anything starts
                specs[name] = RLModuleSpec(module_class=AgentModule, model_config=played)
                weights[name] = weight
                labels[name] = label
    return specs, labels, weights


def measured_inputs(game: Game, scenario: Scenario) -> StandardisedInputs:
    """Mean and scale of observations in random play with a fixed seed."""
    batch, rng = Batch(game, scenario, MEASURED_GAMES, seed=0), seed_rows(0, 1)[0]
    seen: list[npt.NDArray[np.float32]] = []
    batch.reset()
    batch.advance()
    while sum(map(len, seen)) < MEASURED_ROWS:
        seen.append(batch.obs[batch.asked])
        for _ in range(3):  # a few steps apart, to reach further into games
            batch.step(batch.random_actions(rng))
            over = np.flatnonzero(batch.over)
            if len(over):
                batch.reset(over)
                batch.advance(over)
    inputs = StandardisedInputs(spaces.Box(-1.0, 1.0, (scenario.spec.observation_size,), np.float32))
    inputs.measure(np.concatenate(seen))
    return inputs


def exported(
    algorithm: Any, settings: RllibSettings, module: str = MAIN, training: dict[str, Any] | None = None
) -> tuple[Weights, PolicyCard]:
    """What a module learned, as `agents.policy.save_policy` takes it; it plays without Ray and torch."""
    _, scenario = game_of(settings)
    state = algorithm.learner_group.get_weights([module])[module]
    weights: Weights = {}
    for ours, theirs in (("layer", "policy_net"), ("value", "value_net")):
        numbers = sorted({int(key.split(".")[1]) for key in state if key.startswith(f"{theirs}.")})
        for k, number in enumerate(numbers):
            for part in ("weight", "bias"):
                weights[f"{ours}.{k}.{part}"] = np.array(state[f"{theirs}.{number}.{part}"], np.float32)
        fold_inputs(weights, ours, state["inputs.mean"], state["inputs.scale"])
    name = learners(settings)[module]
    return weights, card_for(weights, settings.network.activation, scenario, name, training)
