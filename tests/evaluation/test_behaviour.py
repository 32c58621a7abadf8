"""Rates: their intervals, and what is counted in games whose every card is known."""

import json
from pathlib import Path

import numpy as np
import pytest

import agents
import fm_env
from evaluation.behaviour import behaviour, rate_of
from fm_env import registry
from fm_env.contract import CHANCE
from fm_env.engine import engine_of
from fm_env.games.conduct import Conduct, Habit
from fm_env.match import Match
from fm_env.records import new_states

MEAT = registry.find("fairy_meat")
REPLAYS = Path(__file__).parents[1] / "games"


def test_a_rate_is_a_quotient_of_sums():
    found = rate_of(np.array([1.0, 3.0, 0.0]), np.array([2.0, 4.0, 0.0]), share=True)
    assert found.rate == pytest.approx(4 / 6)
    assert (found.n, found.blocks) == (6, 2)
    assert 0 <= found.low < 4 / 6 < found.high <= 1
    assert rate_of(np.zeros(3), np.zeros(3), share=True) is None


def test_blocks_that_all_agree_still_leave_room_for_doubt():
    found = rate_of(np.full(20, 3.0), np.full(20, 3.0), share=True)
    assert found.rate == found.high == 1.0
    assert 0.7 < found.low < 0.95
    amount = rate_of(np.full(20, 3.0), np.full(20, 1.0), share=False)
    assert amount.low < amount.rate == amount.high == 3.0


@pytest.mark.parametrize(("blocks", "spread"), [(10, 0.0), (40, 0.4), (400, 0.2)])
def test_intervals_cover_the_truth_though_decisions_of_a_block_are_alike(blocks, spread):
    """Each block has its own chance of a hit, 0.3 on average, and its own number of occasions."""
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        occasions = rng.integers(1, 12, blocks)
        chance = np.clip(0.3 + spread * rng.choice([-0.5, 0.5], blocks), 0, 1)
        found = rate_of(rng.binomial(occasions, chance).astype(float), occasions.astype(float), share=True)
        held += found.low <= 0.3 <= found.high
    assert held >= 0.93 * 400


def test_rates_of_agents_whose_play_is_known(game, scenario, monkeypatch):
    def choices(spec, observations, masks, actions):
        return {"bets": ((actions == 1).astype(float), np.ones(len(actions)))}

    def ends(spec, states):
        return {"games": (np.ones((len(states), 2)), np.ones((len(states), 2)))}

    conduct = Conduct({"bets": Habit("bets"), "games": Habit("games", "a game")}, choices, ends=ends)
    monkeypatch.setattr("tests.kuhn.Kuhn.conduct", conduct, raising=False)
    made = [agents.make(spec, game, scenario) for spec in ("eager", "passive", "random")]
    eager, passive, random = behaviour(game, scenario, made[0], made[1:], 400, 3)
    assert eager["bets"].rate == 1.0
    assert (passive["bets"].rate, passive["bets"].n) == (0.0, 600)  # asked twice when it speaks first
    assert random["bets"].low < 0.5 < random["bets"].high
    assert (eager["games"].n, passive["games"].n) == (800, 400)


def events_of(match):
    """`(seats, actions, before, after)` of all that happened in a match, as arrays."""
    engine, states = engine_of(match.game), new_states(match.spec, 1)
    engine.reset(states, 0, match.scenario.setup)
    before, after = [], []
    for seat, action in match.events:
        before.append(states.copy())
        if seat == CHANCE:
            engine.apply_chance(states, 0, action)
        else:
            engine.apply(states, 0, seat, action)
        after.append(states.copy())
    seats, actions = (np.array(part) for part in zip(*match.events, strict=True))
    return seats, actions, np.concatenate(before), np.concatenate(after), states


def sums(match):
    """Deeds and ends of a match: habit to numerators and denominators by seat."""
    seats, actions, before, after, end = events_of(match)
    conduct = match.game.conduct
    total = {}
    for counts in (
        conduct.deeds(match.spec, before, seats, actions, after) if conduct.deeds else {},
        conduct.ends(match.spec, end),
    ):
        for name, pair in counts.items():
            old = total.get(name, (0, 0))
            total[name] = tuple(o + part.sum(axis=0) for o, part in zip(old, pair, strict=True))
    return {name: (above.tolist(), below.tolist()) for name, (above, below) in total.items()}


def clash(attacker, defender, *plays):
    match = fm_env.load("fairy_meat").new_match(
        scenario="clash", setup={"attacker": attacker, "defender": defender}, deck="full", chance=[]
    )
    for seat, action in plays:
        match.play(seat, action)
    assert match.is_over
    return match


def test_a_bluff_that_is_caught():
    match = clash(
        ["8b", "Jr", "Qr"],
        ["5b", "Jb"],
        (0, "add"),
        (1, "subtract"),
        (0, "trumps r2"),
        (1, "trumps b1"),
        (0, "8b"),
        (1, "5b"),
        (1, "cheat own= hers-"),
    )
    found = sums(match)
    assert found["lays off-colour"] == ([1.0, 0.0], [1.0, 1.0])
    assert found["bluffs caught"] == ([1.0, 0.0], [1.0, 0.0])


def test_a_bluff_that_nobody_calls():
    match = clash(
        ["8b", "Jr", "Qr"],
        ["5b", "Jb"],
        (0, "add"),
        (1, "subtract"),
        (0, "trumps r2"),
        (1, "trumps none"),
        (0, "8b"),
        (1, "5b"),
        (0, "leave down"),
    )
    found = sums(match)
    assert found["lays off-colour"] == ([1.0, 0.0], [1.0, 0.0])
    assert found["bluffs caught"] == ([0.0, 0.0], [1.0, 0.0])


def test_an_honest_lay_is_no_bluff():
    match = clash(
        ["8r", "Jr", "Qr"],
        ["5b", "Jb"],
        (0, "add"),
        (1, "subtract"),
        (0, "trumps r2"),
        (1, "trumps b1"),
        (0, "8r"),
        (1, "5b"),
    )
    assert sums(match)["lays off-colour"] == ([0.0, 0.0], [1.0, 1.0])


def replay(game, name):
    data = json.loads((REPLAYS / game / "replays" / f"{name}.json").read_text())
    return Match.from_json(json.dumps(data["match"]))


def test_deeds_on_the_table_add_up_to_what_the_state_says():
    match = replay("fairy_meat", "skirmish_1v1")
    found, state = sums(match), match.state
    assert found["wasted acts"][0] == state.wasted[:2].tolist()
    assert found["kills a game"] == (state.kills[:2].tolist(), [1, 1])
    assert found["meat a game"] == (state.eaten[:2].tolist(), [1, 1])
    texts = [[text for seat, text in match.texts if seat == own] for own in range(2)]
    assert found["spells a game"][0] == [sum(text.startswith("cast ") for text in own) for own in texts]
    modes = [sum(text in ("pounce", "frolic", "flutter") for text in own) for own in texts]
    moves = found["inches a move"][1]
    assert all(0 < moved <= declared for moved, declared in zip(moves, modes, strict=True))
    for inches, count in zip(*found["inches a move"], strict=True):
        assert 0 < inches <= 12 * count + 24  # a wound-up move may be longer


def test_a_joust_counts_each_hit_for_who_took_it():
    match = replay("sword_and_shield", "joust_base")
    found = sums(match)
    assert found["is hit"][0] == match.state.hits.tolist()
    assert found["hits a game"][0] == match.state.hits[::-1].tolist()
    assert all(hit <= faced for hit, faced in zip(*found["is hit"], strict=True))


def test_damage_in_miniatures_is_the_attackers():
    match = replay("angry_miniatures", "skirmish")
    found, state = sums(match), match.state
    health_lost = (state.max_health - state.health).astype(float)
    lost = [health_lost[3:].sum(), health_lost[:3].sum()]
    assert found["damage an attack"][0] == pytest.approx(lost)
    assert found["health left"][0] == [float(state.health[:3].sum()), float(state.health[3:].sum())]


def test_fairy_tale_tells_the_best_card_from_the_others():
    game = registry.find("fairy_tale")
    spec = game.scenario("expert").spec
    place = {name: k for k, name in enumerate(game.observation_labels(spec))}
    number = {game.action_text(spec, k): k for k in range(spec.num_actions)}
    observation = np.zeros((2, spec.observation_size), np.float32)
    observation[:, place["phase draft"]] = 1
    observation[:, place["gain /32: Homesteader"]] = 0.25
    observation[:, place["next gain /32: Bronze Dragon"]] = 0.5
    masks = np.zeros((2, spec.num_actions), np.bool_)
    picks = [number["draft Homesteader"], number["draft Bronze Dragon"]]
    masks[:, picks] = True
    found = game.conduct.choices(spec, observation, masks, np.array(picks))
    assert [part.tolist() for part in found["drafts its best"]] == [[1, 0], [1, 1]]
    assert [part.tolist() for part in found["drafts the next one's best"]] == [[0, 1], [1, 1]]
    assert not found["plays its best"][1].any()


@pytest.mark.parametrize("name", ["fairy_meat", "fairy_tale", "sword_and_shield", "angry_miniatures"])
def test_every_game_says_how_it_is_played(name):
    """Each habit that is counted has its line, and each line is counted by some scenario."""
    game = registry.find(name)
    more = {"fairy_meat": [{"scenario": "clash"}], "sword_and_shield": [{"deck": "deeds"}]}.get(name, [])
    seen = set()
    for options in [{}, *more]:
        scenario = game.scenario(**{"scenario": game.default_scenario} | options)
        made = [agents.make("random", game, scenario) for _ in range(2)]
        for rates in behaviour(game, scenario, made[0], made[1:], 20, 1):
            seen |= set(rates)
            for habit, rate in rates.items():
                assert rate.low <= rate.rate <= rate.high, habit
    assert seen <= set(game.conduct.habits)
    if name != "fairy_meat":  # half of its habits need the whole table
        assert seen == set(game.conduct.habits)
