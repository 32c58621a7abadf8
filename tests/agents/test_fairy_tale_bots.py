"""Fairy Tale's bots do what their lines say, and play any deck legally."""

from __future__ import annotations

import pytest

import fm_env
from agents.registry import make, table
from evaluation.compare import play_pair

HANDLE = fm_env.load("fairy_tale")
PACKET = ["Shadow Wanderer", "Bard", "Homesteader", "Shadow Keep", "Valley Village"]
REST = ["Mischievous Fairy", "Mischievous Fairy", "Homesteader", "Homesteader", "Bard"]


def first_pick(spec: str, **options: object) -> str:
    """What a bot drafts from PACKET."""
    match = HANDLE.new_match(num_players=2, rounds=1, chance=[*PACKET, *REST], **options)
    agent = make(spec, HANDLE.game, match.scenario)
    agent.reset(match.spec, 0, 1)
    action = agent.act(match.observation(0), match.mask(0))
    return HANDLE.game.action_text(match.spec, action)


def test_greedy_takes_the_most_points() -> None:
    assert first_pick("greedy") == "draft Shadow Keep"
    assert first_pick("greedy", setup=[{"up": ["Homesteader"] * 4}]) == "draft Homesteader"  # 25 - 16


def test_the_collector_takes_its_colour() -> None:
    mine = [{"up": ["Bard", "Forest Village"]}]
    assert first_pick("collector", setup=mine) == "draft Bard"
    assert first_pick("collector:colour=0,copies=0", setup=mine) == "draft Shadow Keep"


def test_the_denier_takes_what_the_next_player_wants() -> None:
    wanted = [{}, {"up": ["Homesteader"] * 4}]
    assert first_pick("denier:weight=0", setup=wanted) == "draft Shadow Keep"
    assert first_pick("denier:weight=2", setup=wanted) == "draft Homesteader"


@pytest.mark.parametrize("bot", sorted(table("fairy_tale")))
def test_every_bot_finishes_games_of_any_deck(bot: str) -> None:
    card = {"race": "fairywood", "kind": "character", "copies": 12}
    deck = {"name": "any", "card": [{"name": f"card {k}", "points": k, **card} for k in range(4)]}
    scenario = HANDLE.scenario("basic", num_players=3, rounds=2, deck=deck)
    agent, other = make(bot, HANDLE.game, scenario), make("random", HANDLE.game, scenario)
    assert play_pair(HANDLE.game, scenario, agent, other, 60, seed=1).games == 60


def test_sticking_to_a_colour_beats_greed() -> None:
    scenario = HANDLE.scenario("expert", num_players=3)
    collector, greedy = (make(bot, HANDLE.game, scenario) for bot in ("collector", "greedy"))
    assert play_pair(HANDLE.game, scenario, collector, greedy, 600, seed=1).verdict == "beats"
