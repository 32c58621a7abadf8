"""Watched games are real games: they can be played again, agents see what they always see."""

import numpy as np
import pytest

import agents
from agents.api import Agent
from evaluation.watch import Programme, Watcher, watch
from fm_env import registry
from fm_env.contract import CHANCE
from fm_env.errors import IllegalActionError, SetupError
from fm_env.match import Match

DUEL = registry.find("fairy_meat")


def watched(game, scenario, specs, line_ups, blocks=3, seed=4, watchers=()):
    players = [agents.make(spec, game, scenario) for spec in specs]
    return watch(game, scenario, players, [Programme(line_ups, blocks, seed)], watchers)


def test_a_watched_game_comes_out_the_same_as_a_match():
    scenario = DUEL.scenario("duel")
    stories = watched(DUEL, scenario, ["counter", "policy:duel", "random"], [[0, 1], [1, 0], [2, 0]])
    assert len(stories) == 9
    for story in stories:
        match = story.match(DUEL, scenario)
        assert match.is_over
        assert match.returns() == story.returns
        assert Match.from_json(match.to_json()).returns() == story.returns


def test_equal_seeds_give_equal_games_and_blocks_share_their_seed(game, scenario):
    here = "tests.agents.bots_for_tests"
    specs = [f"{here}:Rememberer", f"{here}:FirstLegal", "random"]
    one, two = (watched(game, scenario, specs, [[0, 1], [2, 0]], blocks=300) for _ in range(2))
    assert one == two
    assert {(story.block, story.seed) for story in one[::2]} == {(s.block, s.seed) for s in one[1::2]}
    assert len({story.seed for story in one}) == 300
    assert one != watched(game, scenario, specs, [[0, 1], [2, 0]], blocks=300, seed=5)


class Bookkeeper(Watcher):
    wants_events = True

    def __init__(self):
        self.choices = self.events = self.chance = 0
        self.ends = []

    def saw_choices(self, choices):
        assert choices.masks[np.arange(len(choices.actions)), choices.actions].all()
        assert (choices.masks.sum(axis=1) > 1).all()
        self.choices += len(choices.actions)

    def saw_events(self, events):
        assert (events.before != events.after).all()
        self.events += len(events.seat)
        self.chance += int((events.seat == CHANCE).sum())

    def saw_ends(self, ends):
        self.ends.append(ends.returns)


def test_watchers_are_told_of_every_choice_event_and_end(game, scenario):
    book = Bookkeeper()
    stories = watched(game, scenario, ["random", "eager"], [[0, 1], [1, 0]], blocks=200, watchers=[book])
    assert sum(len(story.choices) for story in stories) == book.choices  # nothing is forced in Kuhn poker
    assert book.chance == 2 * 400
    assert book.events == book.choices + book.chance
    assert np.concatenate(book.ends).tolist() == [list(story.returns) for story in stories]


def test_agents_can_spoil_only_what_they_were_lent(game, scenario):
    here = "tests.agents.bots_for_tests"
    stories = watched(game, scenario, [f"{here}:MaskEraser", "eager"], [[0, 1], [1, 0]], blocks=20)
    assert len(stories) == 40


def test_mistakes_are_named(game, scenario):
    with pytest.raises(IllegalActionError, match="chose action 7"):
        watched(game, scenario, ["tests.agents.bots_for_tests:Cheat", "eager"], [[0, 1]])
    with pytest.raises(SetupError, match="line-ups of 2"):
        watched(game, scenario, ["eager"], [[0]])
    with pytest.raises(SetupError, match="at least one block"):
        watch(game, scenario, [Agent()], [Programme([[0, 0]], 0, 1)])
