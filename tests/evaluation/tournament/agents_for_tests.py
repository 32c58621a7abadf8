"""Agents that are slow, hang, die or fail."""

import os
import time

from agents.api import Agent


class Slow(Agent):
    """Thinks for a while, then takes the first legal action."""

    def __init__(self, seconds=0.002):
        self.seconds = seconds

    def act(self, observation, action_mask):
        time.sleep(self.seconds)
        return int(action_mask.nonzero()[0][0])


class Hesitates(Agent):
    """Too slow for its first move of each game, and then remembers how many it was asked for."""

    def reset(self, spec, seat, seed):
        self.moves = 0

    def act(self, observation, action_mask):
        self.moves += 1
        if self.moves == 1:
            time.sleep(2.0)
        return int(action_mask.nonzero()[0][0])


class Hangs(Agent):
    def act(self, observation, action_mask):
        while True:
            pass


class Dies(Agent):
    def act(self, observation, action_mask):
        os._exit(3)


class Fails(Agent):
    def act(self, observation, action_mask):
        raise RuntimeError("no idea")


class FailsToBegin(Agent):
    def reset(self, spec, seat, seed):
        raise RuntimeError("not today")

    def act(self, observation, action_mask):
        return 0


class HangsInBatches(Agent):
    def act_batch(self, observations, masks, rng):
        time.sleep(60)


class BatchCoin(Agent):
    """Draws all its actions from the generator it is given."""

    name = "coin"

    def act_batch(self, observations, masks, rng):
        return (rng.random(len(masks)) < 0.5).astype(int)


class Babbles(Agent):
    """Answers with what can't even be an array."""

    def act(self, observation, action_mask):
        return [[1], [2, 3]]


class SometimesWrong(Agent):
    """Chooses for many games, every third answer out of range; -1 must not count as the last action."""

    def act_batch(self, observations, masks, rng):
        chosen = masks.argmax(axis=1)
        chosen[::3] = -1
        return chosen


class WrongShape(Agent):
    def act_batch(self, observations, masks, rng):
        return masks.argmax(axis=1)[:-1]
