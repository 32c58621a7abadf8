"""PPO in one file, written as CleanRL writes it: a learner with action masks in many games at once.

    python examples/ppo_cleanrl.py                                  # a duel against `random`
    python examples/ppo_cleanrl.py --scenario clash --opponents random,plain,median
    tensorboard --logdir runs/ppo_cleanrl
    fm-env evaluate policy:runs/ppo_cleanrl/policy --against random,plain --scenario duel

Needs the extra `train` (torch, tensorboard). One learner's seat in each of `num_envs` games; the bots in
the other seats play inside the compiled batch. Rewards come with the step in which a game ends; games
always end by their rules, so there are no truncations to bootstrap from. For self-play and a policy that is
hard to exploit see `fm-env train`.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict, deque
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical
from torch.utils.tensorboard import SummaryWriter

import agents
from agents.policy import NetworkCard, PolicyCard, load_policy, save_policy
from evaluation import play_pair
from fm_env import registry, views


@dataclass
class Args:
    """What the run is told; every field is an option of the command line."""

    game: str = "fairy_meat"
    scenario: str = "duel"
    opponents: str = "random"
    """Bots of the other seats, separated by commas; each game draws one."""
    run_dir: str = "runs/ppo_cleanrl"
    """Where curves and policy go."""
    seed: int = 1
    total_steps: int = 1_000_000
    """Choices of the learner."""
    num_envs: int = 512
    """Games side by side."""
    num_steps: int = 16
    """Choices in each game between two updates."""
    hidden: int = 128
    """Width of the two hidden layers of actor and critic."""
    learning_rate: float = 2e-3
    """At the start; falls to a twentieth in a straight line."""
    gamma: float = 1.0
    """Games are short and end with their whole return."""
    gae_lambda: float = 0.95
    num_minibatches: int = 4
    update_epochs: int = 3
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    max_grad_norm: float = 0.5
    judged_games: int = 2_000
    """Games against each opponent at the end."""

    @classmethod
    def parse(cls) -> Args:
        """Read the command line."""
        parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
        for field in fields(cls):
            kind = type(field.default)
            parser.add_argument(f"--{field.name.replace('_', '-')}", type=kind, default=field.default)
        return cls(**vars(parser.parse_args()))


def layer(inputs: int, outputs: int, gain: float = 2**0.5) -> nn.Linear:
    """A linear layer with orthogonal weights and no bias at the start."""
    linear = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(linear.weight, gain)
    nn.init.zeros_(linear.bias)
    return linear


class Learner(nn.Module):
    """Actor and critic, two networks over the same standardised observation."""

    def __init__(self, observation_size: int, num_actions: int, hidden: int) -> None:
        """Make both networks."""
        super().__init__()
        self.register_buffer("mean", torch.zeros(observation_size))
        self.register_buffer("scale", torch.ones(observation_size))
        self.actor, self.critic = (
            nn.Sequential(
                layer(observation_size, hidden),
                nn.ReLU(),
                layer(hidden, hidden),
                nn.ReLU(),
                layer(hidden, outputs, gain),
            )
            for outputs, gain in ((num_actions, 0.01), (1, 1.0))
        )

    def measure(self, observations: torch.Tensor) -> None:
        """Standardise inputs by these observations: a card in hand is a small number until then."""
        self.mean.copy_(observations.mean(dim=0))
        self.scale.copy_(1.0 / observations.std(dim=0).clamp(min=0.02))

    def forward(self, observation: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """Distribution over legal actions and value, of `[B, F]` floats and `[B, A]` bool."""
        x = ((observation - self.mean) * self.scale).clamp(-10.0, 10.0)
        logits = self.actor(x).masked_fill(~mask, -1e8)
        return Categorical(logits=logits), self.critic(x).squeeze(-1)

    def save(self, path: Path, scenario, name: str) -> Path:
        """Write the actor as a policy file that `fm-env` plays without torch."""
        spec = scenario.spec
        linears = [part for part in self.actor if isinstance(part, nn.Linear)]
        weights = {}
        for k, linear in enumerate(linears):
            weights[f"layer.{k}.weight"] = linear.weight.detach().numpy().copy()
            weights[f"layer.{k}.bias"] = linear.bias.detach().numpy().copy()
        first = weights["layer.0.weight"] * self.scale.numpy()  # W((x - mean) * scale) + b as one layer
        weights["layer.0.bias"] -= first @ self.mean.numpy()
        weights["layer.0.weight"] = first
        sizes = (spec.observation_size, *(linear.out_features for linear in linears))
        card = PolicyCard(
            name=name,
            game=spec.game,
            scenario=spec.scenario,
            options=dict(scenario.options),
            rules_version=spec.rules_version,
            observation_version=spec.observation_version,
            observation_size=spec.observation_size,
            num_actions=spec.num_actions,
            network=NetworkCard(activation="relu", sizes=sizes),
        )
        return save_policy(path, weights, card)


def main() -> None:
    """Train, save, judge."""
    args = Args.parse()
    torch.manual_seed(args.seed)
    run_dir = Path(args.run_dir)
    writer = SummaryWriter(str(run_dir))
    opponents = args.opponents.split(",")

    # With SAME_STEP a finished game restarts within the step, so that no step is lost on a reset.
    game = registry.find(args.game)
    envs = views.makers(game).vec_env(
        args.num_envs, args.scenario, opponents=opponents, flat=True, autoreset_mode="SameStep"
    )
    scenario = envs.runner.scenario
    learner = Learner(envs.single_observation_space.shape[0], envs.single_action_space.n, args.hidden)
    optimizer = torch.optim.Adam(learner.parameters(), lr=args.learning_rate, eps=1e-5)

    shape = (args.num_steps, args.num_envs)
    observations = torch.zeros(*shape, envs.single_observation_space.shape[0])
    masks = torch.zeros(*shape, envs.single_action_space.n, dtype=torch.bool)
    actions = torch.zeros(shape, dtype=torch.long)
    log_probs, rewards, dones, values = (torch.zeros(shape) for _ in range(4))

    first_observation, info = envs.reset(seed=args.seed)
    observation = torch.from_numpy(first_observation)
    mask = torch.from_numpy(info["action_mask"]).bool()
    done = torch.zeros(args.num_envs)
    lately: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=2_000))
    num_updates = max(1, args.total_steps // (args.num_steps * args.num_envs))
    steps, started = 0, time.perf_counter()

    for update in range(num_updates):
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1.0 - 0.95 * update / num_updates)

        # Play.
        for t in range(args.num_steps):
            steps += args.num_envs
            observations[t], masks[t], dones[t] = observation, mask, done
            with torch.no_grad():
                policy, values[t] = learner(observation, mask)
                actions[t] = policy.sample()
                log_probs[t] = policy.log_prob(actions[t])
            shown, reward, ended, _, info = envs.step(actions[t].numpy())
            rewards[t] = torch.from_numpy(reward)
            observation, done = torch.from_numpy(shown), torch.from_numpy(ended).float()
            mask = torch.from_numpy(info["action_mask"]).bool()
            for row in np.flatnonzero(ended):
                lately[info["opponents"][row]].append(float(reward[row]))

        # Inputs are standardised once, by what was seen first, before anything has been learned.
        if update == 0:
            learner.measure(observations.reshape(-1, observations.shape[-1]))
            with torch.no_grad():
                for t in range(args.num_steps):
                    policy, values[t] = learner(observations[t], masks[t])
                    log_probs[t] = policy.log_prob(actions[t])

        # Generalised advantages: nothing follows the end of a game.
        with torch.no_grad():
            _, next_value = learner(observation, mask)
        advantages, later = torch.zeros(shape), torch.zeros(args.num_envs)
        next_done = done
        for t in reversed(range(args.num_steps)):
            goes_on = 1.0 - next_done
            delta = rewards[t] + args.gamma * next_value * goes_on - values[t]
            advantages[t] = later = delta + args.gamma * args.gae_lambda * goes_on * later
            next_value, next_done = values[t], dones[t]
        returns = advantages + values

        # Learn.
        flat = {
            "observation": observations.flatten(0, 1),
            "mask": masks.flatten(0, 1),
            "action": actions.flatten(),
            "log_prob": log_probs.flatten(),
            "advantage": advantages.flatten(),
            "return": returns.flatten(),
        }
        size = len(flat["action"]) // args.num_minibatches
        for _ in range(args.update_epochs):
            for rows in torch.randperm(len(flat["action"])).split(size):
                batch = {name: tensor[rows] for name, tensor in flat.items()}
                policy, value = learner(batch["observation"], batch["mask"])
                advantage = batch["advantage"]
                advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                ratio = (policy.log_prob(batch["action"]) - batch["log_prob"]).exp()
                clipped = ratio.clamp(1.0 - args.clip, 1.0 + args.clip)
                policy_loss = -torch.min(ratio * advantage, clipped * advantage).mean()
                value_loss = 0.5 * (value - batch["return"]).square().mean()
                entropy = policy.entropy().mean()
                loss = policy_loss + args.value * value_loss - args.entropy * entropy
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(learner.parameters(), args.max_grad_norm)
                optimizer.step()

        rate = steps / (time.perf_counter() - started)
        writer.add_scalar("charts/steps_per_second", rate, steps)
        writer.add_scalar("losses/policy", policy_loss.item(), steps)
        writer.add_scalar("losses/value", value_loss.item(), steps)
        writer.add_scalar("losses/entropy", entropy.item(), steps)
        for name, results in lately.items():
            writer.add_scalar(f"mean_return/{name}", np.mean(results), steps)
        if update % max(1, num_updates // 10) == 0 or update == num_updates - 1:
            means = "  ".join(f"{name} {np.mean(lately[name]):+.2f}" for name in opponents if lately[name])
            print(f"{steps:>10,} choices  {rate:>8,.0f}/s  mean return against {means}", flush=True)

    writer.close()
    file = learner.save(run_dir / "policy", scenario, run_dir.name)
    print(f"policy: {file}")
    mine = load_policy(file)
    for name in opponents:
        result = play_pair(game, scenario, mine, agents.make(name, game), args.judged_games, args.seed)
        print(f"against {name}: win rate {result.score}, {result.verdict}")


if __name__ == "__main__":
    main()
