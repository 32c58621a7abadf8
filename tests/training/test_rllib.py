"""RLlib: the env pays what the game pays, masks are kept, several policies sit at one table, runs go on."""

from __future__ import annotations

import io
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

pytest.importorskip("ray")

import torch as th
from gymnasium import spaces

from agents.policy import NetworkPolicy, load_policy
from agents.registry import make
from evaluation.arena import play
from evaluation.tournament.rays import RayExecutor
from fm_env.errors import IllegalActionError, LoadError, SetupError
from fm_env.views.table import find_game, find_scenario
from tests.views.test_wrappers import SKIRMISH
from training.settings import checked

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # RLlib's, at import
    from ray.rllib.core.columns import Columns
    from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner

    from training.rllib.build import MAIN, exported, learners, measured_inputs, ppo_config
    from training.rllib.callbacks import scores
    from training.rllib.command import train_rllib_command
    from training.rllib.env import MASK, OBSERVATION, RllibGame
    from training.rllib.modules import FORBIDDEN, MAGNET_LOGITS, AgentModule, MaskedModule
    from training.rllib.run import RllibRun, check_cluster
    from training.rllib.settings import SHIPPED, RllibSettings, load_settings

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own

THREE = {"game": SKIRMISH[0], "scenario": dict(SKIRMISH[1])}
"""A short skirmish of three players, in which somebody is often eliminated early."""


def settings(**sections: Any) -> RllibSettings:
    table: dict[str, Any] = {
        "game": {"name": "kuhn", "scenario": "kuhn"},
        "run": {"name": "small", "decisions": 100, "seed": 3},
        "network": {"hidden": [16]},
        "learner": {"batch_size": 64, "minibatch_size": 32, "epochs": 1},
        "cluster": {"games_per_runner": 4},
    }
    for section, entries in sections.items():
        table[section] = table.get(section, {}) | entries
    return checked(RllibSettings, table, "test")


def played(env: RllibGame, seed: int) -> tuple[list[str], dict[str, float], dict[str, bool]]:
    """Who was asked, in order, and what everybody got in a game of random choices."""
    rng = np.random.default_rng(seed)
    seen, _ = env.reset(seed=seed)
    asked: list[str] = []
    total = dict.fromkeys(env.possible_agents, 0.0)
    over = {"__all__": False}
    while not over["__all__"]:
        ((agent, view),) = seen.items()
        assert env.observation_spaces[agent].contains(view)
        assert view[MASK].sum() >= 2, "a choice that is none"
        asked.append(agent)
        action = int(rng.choice(np.flatnonzero(view[MASK])))
        seen, rewards, over, truncated, _ = env.step({agent: action})
        assert not any(truncated.values())
        for name, reward in rewards.items():
            total[name] += reward
    assert set(seen) == set(asked) == set(over) - {"__all__"}
    return asked, total, over


def test_everybody_is_paid_and_the_eliminated_are_asked_no_more() -> None:
    env = RllibGame(THREE)
    early = 0
    for seed in range(12):
        asked, total, _ = played(env, seed)
        returns = dict(zip(env.possible_agents, env.table.returns(), strict=True))
        assert total == {agent: returns[agent] if agent in asked else 0.0 for agent in total}
        last = [len(asked) - 1 - asked[::-1].index(agent) for agent in set(asked)]
        early += min(last) < 0.7 * len(asked)
    assert early, "no game in which somebody was out early"


def test_the_same_seed_is_the_same_game_and_illegal_actions_are_refused() -> None:
    env = RllibGame({"game": "kuhn", "scenario": "kuhn"})
    assert [played(env, seed) for seed in range(5)] == [played(env, seed) for seed in range(5)]
    env.reset(seed=1)
    agent = env.possible_agents[env.table.seat]
    before = env.table.states.copy()
    for choices in ({agent: 2}, {agent: -1}, {"player_9": 0}, {}):
        with pytest.raises(IllegalActionError):
            env.step(choices)
    assert (env.table.states == before).all()


def module(observation: int = 6, actions: int = 5) -> MaskedModule:
    config = {"hidden": [8], "value_hidden": [8], "activation": "tanh"}
    config |= {"mean": [0.1] * observation, "scale": [2.0] * observation}
    return MaskedModule(
        observation_space=spaces.Dict(
            {
                OBSERVATION: spaces.Box(-1, 1, (observation,), np.float32),
                MASK: spaces.Box(0, 1, (actions,), np.int8),
            }
        ),
        action_space=spaces.Discrete(actions),
        model_config=config,
    )


def test_illegal_actions_have_chance_zero_in_every_pass_and_the_magnet_follows() -> None:
    net = module()
    rng = np.random.default_rng(0)
    masks = rng.random((40, 5)) < 0.5
    masks[:, 0] = True
    seen = th.from_numpy(rng.uniform(-1, 1, (40, 6)).astype(np.float32))
    batch = {Columns.OBS: {OBSERVATION: seen, MASK: th.from_numpy(masks.astype(np.int8))}}
    for forward in (net.forward_inference, net.forward_exploration, net.forward_train):
        logits = forward(batch)[Columns.ACTION_DIST_INPUTS]
        chances = th.softmax(logits, 1)
        assert (chances[~th.from_numpy(masks)] == 0).all() and (
            logits[~th.from_numpy(masks)] == FORBIDDEN
        ).all()
        assert (chances[th.from_numpy(masks)] > 0).all()
    with th.no_grad():
        for tensor in net.policy_net.parameters():
            tensor += 1.0
    out = net.forward_train(batch)
    gap = (out[MAGNET_LOGITS] - out[Columns.ACTION_DIST_INPUTS]).abs().max()
    net.move_magnet(0.5)
    closer = (net.forward_train(batch)[MAGNET_LOGITS] - out[Columns.ACTION_DIST_INPUTS]).abs().max()
    net.move_magnet(1.0)
    assert gap > closer > 0
    assert th.equal(net.forward_train(batch)[MAGNET_LOGITS], out[Columns.ACTION_DIST_INPUTS].detach())
    assert net.compute_values(batch).shape == (40,)


@pytest.mark.parametrize(
    "policies",
    [{"opponents": {"self": 0.2, "past": 0.3, "random": 0.5}, "past_members": 2}, {"mode": "per_seat"}],
    ids=["shared", "per_seat"],
)
def test_truncated_fragments_of_games_add_up_to_whole_ones(policies: dict[str, Any]) -> None:
    """Three players, fragments shorter than a game, every seat its policy: nobody's reward is lost."""
    options = {key: value for key, value in SKIRMISH[1].items() if key != "scenario"}
    chosen = settings(
        game={"name": SKIRMISH[0], "scenario": "skirmish", "options": options}, policies=policies
    )
    config = ppo_config(chosen)
    runner = MultiAgentEnvRunner(config=config)
    paid: dict[tuple[str, str], float] = {}
    mapped: dict[tuple[str, str], str] = {}
    steps: dict[tuple[str, str], int] = {}
    over: dict[str, list[float]] = {}
    plain = RllibGame.step

    def step(self: RllibGame, action_dict: Any) -> Any:
        result = plain(self, action_dict)
        if result[2]["__all__"]:
            finished.append(self.table.returns())
        return result

    finished: list[list[float]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RllibGame, "step", step)
        for _ in range(6):
            for episode in runner.sample(num_timesteps=120):
                for agent, part in episode.agent_episodes.items():
                    key = (episode.id_, agent)
                    paid[key] = paid.get(key, 0.0) + part.get_return()
                    steps[key] = steps.get(key, 0) + len(part)
                    assert mapped.setdefault(key, part.module_id) == part.module_id
                if episode.is_done:
                    over[episode.id_] = []
    assert len(over) == len(finished) >= 3
    totals = sorted(tuple(paid.get((game, f"player_{seat}"), 0.0) for seat in range(3)) for game in over)
    assert totals == sorted(map(tuple, finished))
    lengths = [sorted(n for (game, _), n in steps.items() if game == one) for one in over]
    assert any(len(n) > 1 and n[0] < n[-1] for n in lengths)
    modules = set(mapped.values())
    if chosen.policies.mode == "per_seat":
        assert modules == {"seat_0", "seat_1", "seat_2"} == set(learners(chosen))
        assert all(module == f"seat_{agent[-1]}" for (_, agent), module in mapped.items())
    else:
        assert {MAIN, "agent_0"} < modules <= {MAIN, "past_0", "past_1", "agent_0"}
        assert all(any(mapped[key] == MAIN for key in mapped if key[0] == game) for game in over)


def test_scores_compare_the_learner_with_each_kind_of_opponent() -> None:
    assert scores(["self", "past", "counter"], [1.0, 0.0, 1.0]) == {"past": 1.0, "counter": 0.5}
    assert scores(["self", "self", "random"], [1.0, -1.0, 0.0]) == {"random": 0.5}
    assert scores(["self", "self"], [1.0, -1.0]) == {}


def test_inputs_are_about_standard() -> None:
    game = find_game("kuhn")
    inputs = measured_inputs(game, find_scenario(game, "kuhn"))
    assert inputs.mean.abs().max() > 0 and inputs.scale.min() >= 1


@pytest.mark.parametrize("file", sorted(SHIPPED.glob("*.toml")), ids=lambda file: file.stem)
def test_shipped_configs_name_what_there_is(file: Path) -> None:
    shipped = load_settings(file.stem, run_minutes=5, cluster_env_runners=None)
    assert shipped.run.minutes == 5
    game = find_game(shipped.game.name)
    setting = find_scenario(game, shipped.game.scenario, options=shipped.game.options)
    for label in shipped.policies.opponents:
        if label not in ("self", "past"):
            assert make(label, game, setting).plays_batches


@pytest.mark.parametrize(
    ("words", "section", "entries"),
    [
        ("policies.mode", "policies", {"mode": "one"}),
        ("at least one weight", "policies", {"opponents": {"self": 0.0}}),
        ("learner.minibatch_size = 100 is more than", "learner", {"minibatch_size": 100}),
        ("run.minutes or run.decisions", "run", {"decisions": None}),
        ("cluster.env_runners", "cluster", {"env_runners": -1}),
        ("final_learning_rate needs run.decisions", "learner", {"final_learning_rate": 0.1}),
    ],
)
def test_bad_settings_are_named(words: str, section: str, entries: dict[str, Any]) -> None:
    more = {"run": {"decisions": None, "minutes": 1}} if "final" in words else {}
    with pytest.raises(SetupError, match=words):
        settings(**{section: entries, **more})


def test_an_opponent_that_may_remember_is_refused() -> None:
    spec = "tests.training.test_dataset:Alternating"
    with pytest.raises(SetupError, match="may remember its game"):
        ppo_config(settings(policies={"opponents": {spec: 1.0}}))
    agent = AgentModule.agent_for({"game": "kuhn", "scenario": "kuhn", "options": {}, "agent": "random"})
    assert agent.plays_batches


CLASH = """
[game]
scenario = "clash"
[run]
name = "small"
decisions = 700
seed = 3
checkpoint_iterations = 1
[network]
hidden = [16]
[learner]
batch_size = 256
minibatch_size = 128
epochs = 1
[policies]
snapshot_iterations = 1
past_members = 2
[policies.opponents]
self = 0.3
past = 0.3
counter = 0.4
[cluster]
games_per_runner = 8
"""


@pytest.fixture
def local_ray() -> Iterator[None]:
    """One Ray for the whole test: the runs in it find it started."""
    with RayExecutor(None, 1):
        yield


def test_a_run_trains_on_local_ray_exports_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, local_ray: None
) -> None:
    """The whole of it: a learner, its past and a bot at one table; the policy plays in the arena."""
    config, folder, words = tmp_path / "small.toml", tmp_path / "run", io.StringIO()
    config.write_text(CLASH)
    console = Console(file=words, width=200)
    (path,) = train_rllib_command(str(config), run_dir=folder, console=console)
    first = load_policy(path)
    assert first.card.training["decisions"] >= 700 and first.card.training["backend"].startswith("ray[rllib]")
    assert json.loads((folder / "config.json").read_text())["learner"]["batch_size"] == 256
    game = find_game("fairy_meat")
    scenario = find_scenario(game, "clash")
    policy = make(f"policy:{path}", game, scenario)
    returns = play(game, scenario, [[policy, make("random", game)]], 20, seed=1)
    assert np.isfinite(returns).all()

    seen: dict[str, Any] = {}
    restore = RllibRun._restore

    def look(self: RllibRun) -> None:
        restore(self)
        weights, card = exported(self.algorithm, self.settings)
        seen["resumed"] = NetworkPolicy(weights, card)
        seen["module"] = self.algorithm.get_module(MAIN)
        group = self.algorithm.learner_group
        states = group.get_weights([MAIN, "past_0", "past_1"])
        seen["states"] = {name: state["policy_net.0.weight"] for name, state in states.items()}
        check_cluster(self.settings)
        many = self.settings.cluster.model_copy(update={"env_runners": 1000})
        too_many = self.settings.model_copy(update={"cluster": many})
        with pytest.raises(SetupError, match=r"1000 env_runners and 0 learners need 1000 CPUs"):
            check_cluster(too_many)

    monkeypatch.setattr(RllibRun, "_restore", look)
    config.write_text(CLASH.replace("decisions = 700", "decisions = 1200"))
    (path,) = train_rllib_command(str(config), run_dir=folder, resume=True, console=console)
    assert "going on from iteration 3" in words.getvalue()
    assert seen["resumed"].fingerprint() == first.fingerprint()
    assert load_policy(path).fingerprint() != first.fingerprint()
    assert load_policy(path).card.training["decisions"] >= 1200
    different = {array.tobytes() for array in seen["states"].values()}
    assert len(different) >= 2, "no copy of the learner was kept"

    # What is exported says what RLlib's own network says.
    views = np.random.default_rng(1).uniform(-1, 1, (50, scenario.spec.observation_size)).astype(np.float32)
    everything = th.ones((50, scenario.spec.num_actions), dtype=th.int8)
    batch = {Columns.OBS: {OBSERVATION: th.from_numpy(views), MASK: everything}}
    own = seen["module"].forward_inference(batch)[Columns.ACTION_DIST_INPUTS].numpy()
    assert own == pytest.approx(load_policy(path).logits(views, everything.numpy().astype(bool)), abs=1e-4)

    chosen = load_settings(config)
    with pytest.raises(SetupError, match="isn't empty"):
        RllibRun(chosen, folder)
    with pytest.raises(SetupError, match=r"cannot resume: run\.seed was 3 in 'run', now 4"):
        RllibRun(load_settings(config, run_seed=4), folder, resume=True)
    with pytest.raises(SetupError, match="cannot resume: no run in 'none'"):
        RllibRun(chosen, tmp_path / "none", resume=True)
    for checkpoint in (folder / "checkpoints").iterdir():
        (checkpoint / "run.json").write_text("{")
    with pytest.raises(LoadError, match=r"cannot resume: checkpoint .* is damaged"):
        RllibRun(chosen, folder, resume=True)
