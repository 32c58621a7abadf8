"""Search on top of an agent: what it may see, what it finds, what it refuses."""

from __future__ import annotations

import pickle
import time

import numpy as np
import pytest

import fm_env
from agents.policy import NetworkPolicy
from agents.registry import make
from agents.search.agent import ENOUGH, SearchAgent, improved, not_behind
from agents.search.judges import judge_of
from agents.search.nodes import Nodes
from evaluation.arena import play
from fm_env.engine import engine_of
from fm_env.errors import SetupError, UnknownNameError
from fm_env.match import Match
from fm_env.records import new_states
from fm_env.rng import row_for
from fm_env.sampler import Lookout, Sampler

JACK, QUEEN, KING = range(3)
PASS, BET = 0, 1


def in_kuhn(game, spec, cards, actions):
    """What a search thinks after `actions`, where the cards are these: `(chances, agent, position)`."""
    scenario = game.scenario("kuhn")
    match = Match(game, scenario, chance=[("J", "Q", "K")[card] for card in cards])
    for action in actions:
        match.play(match.pending[0], action)
    seat = match.pending[0]
    agent = make(spec, game, scenario)
    assert isinstance(agent, SearchAgent)
    agent.reset(scenario.spec, seat, 7)
    agent.imagine(match.sampler(seat))
    seen, mask = match.observation(seat), match.mask(seat)
    return agent.probabilities(seen[None], mask[None])[0], agent, (seen, mask)


def test_it_finds_the_answer_to_the_base_agents_play(game):
    call = "search:base=eager,simulations=256"
    for cards, actions, best in (
        ((KING, JACK), [], BET),  # an eager player calls with anything
        ((JACK, QUEEN), [], PASS),  # and bets with anything,
        ((KING, JACK), [BET], PASS),  # so that a jack is lost
        ((JACK, KING), [BET], BET),
        ((QUEEN, JACK), [PASS, BET], BET),  # half of what she bets is worse than a queen
    ):
        chances, agent, (seen, mask) = in_kuhn(game, call, cards, actions)
        assert chances[best] > 0.95, (cards, actions, chances)
        assert agent.act(seen, mask) == best


def test_what_is_learned_further_on_counts(game):
    """Passing with a king is best against a player who bets when passed to, if the raise is called later."""
    spec = "search:base=eager,simulations=512,others={}"
    for others in ("policy", "tree"):
        chances, _, _ = in_kuhn(game, spec.format(others), (JACK, KING), [])
        assert chances[PASS] > 0.9, "a jack that bets is called, one that passes may still fold"


def test_hidden_things_change_nothing():
    """Two games that differ only in what a seat can't see get the same answer under the same seed."""
    game = fm_env.load("fairy_meat").game
    scenario = game.scenario("duel")
    match = Match(game, scenario, seed=3)
    rng = np.random.default_rng(3)
    agent = make("search:base=policy:duel,simulations=24", game, scenario)
    engine, differing = engine_of(game), 0
    for k in range(60):
        seat = match.pending[-1]
        if len(match.legal(seat)) > 1 and k % 6 == 0:
            seen, mask = match.observation(seat), match.mask(seat)
            truth, other = new_states(scenario.spec, 1), new_states(scenario.spec, 1)
            truth[0] = other[0] = np.frombuffer(match.state.tobytes(), truth.dtype)[0]
            engine.resample(other, 0, seat, row_for(k))
            differing += truth.tobytes() != other.tobytes()
            said = []
            for states in (truth, other):
                player = agent.spawn()
                player.reset(scenario.spec, seat, 11)
                player.imagine(Sampler(game, scenario.spec, states, 0, seat))
                said.append((player.act(seen, mask), player.probabilities(seen[None], mask[None]).tobytes()))
            assert said[0] == said[1]
        match.play(seat, str(rng.choice(match.legal(seat))))
    assert differing > 3


def test_a_sampler_holds_a_guess_and_survives_a_journey():
    game = fm_env.load("fairy_meat").game
    scenario = game.scenario("duel")
    match = Match(game, scenario, seed=5)
    for _ in range(12):
        match.play(match.pending[0], match.legal(match.pending[0])[0])
    sampler = match.sampler(match.pending[0])
    held = [value.tobytes() for value in vars(sampler).values() if isinstance(value, np.ndarray)]
    assert len(held) == 1
    assert held[0] != match.state.tobytes()
    travelled = pickle.loads(pickle.dumps(sampler))
    assert travelled.draw(5, row_for(2)).tobytes() == sampler.draw(5, row_for(2)).tobytes()


def test_choices_that_others_have_made_in_secret_are_open_again():
    """And the own ones stay. Without a lookout, a committed choice is any legal one."""
    game = fm_env.load("fairy_meat").game
    scenario = game.scenario("clash", a=3, d=3)
    match = Match(game, scenario, seed=2)
    engine = engine_of(game)
    for _ in range(2):
        match.play(match.pending[0], match.legal(match.pending[0])[0])
    assert match.pending == (0, 1)
    states = new_states(scenario.spec, 1)
    lookout = Lookout(game, scenario.spec, 1)
    for follow in (True, False):
        states[0] = np.frombuffer(match.state.tobytes(), states.dtype)[0]
        if follow:
            lookout.look(states, 0)
        engine.apply(states, 0, 0, match.legal_ids(0)[0])
        assert engine.pending(states, 0) == 0b10
        sampler = lookout.sampler(states, 0) if follow else Sampler(game, scenario.spec, states, 0, 1)
        pending = {engine.pending(worlds, k) for worlds in [sampler.draw(8, row_for(3))] for k in range(8)}
        assert pending == ({0b11} if follow else {0b10})
    # When the seat itself has chosen it is not asked again, and nothing can be imagined for it.
    lookout.acted(match.legal_ids(1)[0])
    assert engine.pending(lookout._guess, 0) == 0b01


def test_equal_seeds_give_equal_games_and_budgets_are_kept(game, scenario):
    search, bot = make("search:base=mixed,simulations=32", game, scenario), make("eager", game, scenario)
    once, again = (play(game, scenario, [(search, bot), (bot, search)], 20, seed=4) for _ in range(2))
    assert np.array_equal(once, again)
    found = []
    for budget in (8, 64):
        _, agent, (seen, mask) = in_kuhn(game, f"search:base=random,simulations={budget}", (1, 2), [])
        found.append(agent._finding(seen, mask).simulations)
    assert 0 < found[0] <= 8 < found[1] <= 64


def test_seconds_are_kept(game):
    _, agent, (seen, mask) = in_kuhn(game, "search:base=random,seconds=0.2", (QUEEN, KING), [])
    agent._found = None
    begin = time.monotonic()
    agent.act(seen, mask)
    assert time.monotonic() - begin < 2.0


def test_it_beats_the_agent_it_searches_with(game, scenario):
    search, bot = make("search:base=passive,simulations=64", game, scenario), make("passive", game, scenario)
    returns = play(game, scenario, [(search, bot), (bot, search)], 60, seed=1)
    assert returns[:, 0, 0].mean() > 0.6, "who never calls loses every pot that is bet at"
    assert returns[:, 1, 1].mean() > 0.6


def test_three_players_and_a_base_agent_without_values():
    handle = fm_env.load("fairy_tale")
    scenario = handle.scenario("expert", num_players=3)
    search = make("search:base=greedy,simulations=12,others=tree", handle.game, scenario)
    bot = make("greedy", handle.game, scenario)
    returns = play(handle.game, scenario, [(search, bot, bot)], 1, seed=1)
    assert abs(returns.sum()) < 1e-9


def test_the_compiled_network_says_what_the_policy_says():
    game = fm_env.load("fairy_meat").game
    scenario = game.scenario("duel")
    policy = make("policy:duel", game, scenario)
    assert isinstance(policy, NetworkPolicy)
    judge = judge_of(policy, scenario.spec)
    match, rows = Match(game, scenario, seed=9), []
    rng = np.random.default_rng(9)
    while len(rows) < 12:
        seat = match.pending[0]
        rows.append((match.observation(seat), match.mask(seat)))
        match.play(seat, str(rng.choice(match.legal(seat))))
    seen, masks = (np.array(part) for part in zip(*rows, strict=True))
    which = np.arange(12)[::2]
    expected = policy.probabilities(seen, masks)[::2]
    assert np.allclose(judge.chances(which, seen, masks), expected, atol=1e-5)
    values = policy.values(seen)
    assert values is not None
    assert np.allclose(judge.values(which, seen, masks), values[::2], atol=1e-5)


def test_little_evidence_changes_little_and_much_decides():
    rng = np.random.default_rng(0)
    prior = np.array([0.7, 0.3])
    better = np.array([0.0, 0.05])
    few, many = (rng.normal(better, 0.3, (n, 2)) for n in (4, 40_000))
    assert improved(prior, np.zeros((50, 2)), 0.003) == pytest.approx(prior)
    assert improved(prior, many, 0.003)[1] > 0.99
    assert 0.02 < improved(prior, few[:1], 0.1)[1] < 0.6
    assert not_behind(many).tolist() == [False, True]
    assert not_behind(many[: ENOUGH - 1]).tolist() == [True, True]


def test_nodes_are_shared_by_what_is_seen_and_grow():
    nodes = Nodes(capacity=2)
    seen = np.repeat(np.arange(40, dtype=np.float32), 2)[:, None]
    seats, live = np.zeros(80, np.int32), np.ones(80, np.bool_)
    node, masks = np.zeros(80, np.int64), np.ones((80, 3), np.bool_)
    nodes.reserve(80, 240)
    fresh = nodes.find(seen, seats, live, node)
    assert fresh.tolist() == list(range(0, 80, 2))
    nodes.expand(fresh, node, masks, np.full((40, 3), 1 / 3, np.float32))
    assert len(nodes.find(seen, seats, live, node)) == 0
    assert (node[::2] == node[1::2]).all()
    assert len(nodes.find(seen, seats + 1, live, node)) == 40, "another seat has nodes of its own"


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("search:base=random,depth=3", UnknownNameError, "depth"),
        ("search:base=nobody", UnknownNameError, "nobody"),
        ("search:base=random,simulations=1", SetupError, "simulations = 1, expected a whole number from 2"),
        ("search:base=random,simulations=many", SetupError, "simulations = many"),
        ("search:base=random,seconds=0", SetupError, "seconds = 0"),
        ("search:base=random,seconds=1,simulations=9", SetupError, "either simulations or seconds"),
        ("search:base=random,others=all", SetupError, "others = all, expected policy or tree"),
        ("search:base=search:simulations=4", SetupError, "not key=value|searches itself"),
    ],
)
def test_what_cannot_be_searched_is_refused_in_words(game, scenario, text, error, words):
    with pytest.raises(error, match=words):
        make(text, game, scenario)


def test_without_a_sampler_it_says_so(game, scenario):
    agent = make("search:base=random", game, scenario)
    agent.reset(scenario.spec, 0, 1)
    seen, mask = np.zeros(scenario.spec.observation_size, np.float32), np.ones(2, np.bool_)
    with pytest.raises(SetupError, match="needs a sampler"):
        agent.act(seen, mask)
    with pytest.raises(SetupError, match="base=AGENT is needed"):
        make("search", game)
