"""The policies that come with the package load, fit their scenario and play better than chance."""

from __future__ import annotations

import pytest

import fm_env
from agents.policy import load_policy, shipped_policies
from agents.registry import describe, make
from evaluation.compare import play_pair


def test_there_is_a_duellist() -> None:
    assert "duel" in shipped_policies()
    assert "duel" in shipped_policies("fairy_meat")


def test_a_game_offers_its_own_policies_only() -> None:
    assert "policy:duel" in describe("fairy_meat")
    assert "policy:duel" not in describe("sword_and_shield")
    assert "policy:joust" in describe("sword_and_shield")


@pytest.mark.parametrize("name", sorted(shipped_policies()))
def test_a_shipped_policy_beats_random_play_and_says_how_strong_it_is(name: str) -> None:
    card = load_policy(name).card
    game = fm_env.load(card.game).game
    options = {key: value for key, value in card.options.items() if key != "scenario"}
    scenario = game.scenario(card.scenario, **options)
    games = 6000 if card.scenario == "clash" else 400  # one exchange is mostly luck
    matchup = play_pair(
        game, scenario, make(f"policy:{name}", game, scenario), make("random", game, scenario), games, seed=1
    )
    assert matchup.verdict == "beats"
    assert card.results, "a card without results promises nothing"
    assert "/" not in card.training["command"]
