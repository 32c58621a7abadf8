"""Bots as outsiders would write them, good and bad."""

from agents.api import Agent


class FirstLegal(Agent):
    """The bot of the README: takes the first legal action."""

    def act(self, observation, action_mask):
        return int(action_mask.nonzero()[0][0])


class Tuned(Agent):
    """A bot with arguments."""

    def __init__(self, rate=0.5, mode="fast"):
        self.rate, self.mode = rate, mode

    def act(self, observation, action_mask):
        return int(action_mask.nonzero()[0][-1])


class Duck:
    """No base class at all."""

    def act(self, observation, action_mask):
        return action_mask.argmax()


class Rememberer(Agent):
    """Counts its own choices in a game and fails if another game's are mixed in."""

    def reset(self, spec, seat, seed):
        self.spec, self.seat, self.choices = spec, seat, 0

    def act(self, observation, action_mask):
        said = int(observation[3:9].sum())  # actions of both seats so far
        assert said == 2 * self.choices + (0 if observation[9] else 1)
        self.choices += 1
        return 0


class Cheat(Agent):
    """Answers with an action that is never legal."""

    def act(self, observation, action_mask):
        return 7


class Vague(Agent):
    """Answers with something that isn't a number of an action."""

    def act(self, observation, action_mask):
        return 0.5


class MaskEraser(Agent):
    """Scribbles on what it was lent."""

    def act(self, observation, action_mask):
        observation[:] = 0
        action_mask[:] = False
        return 1


class Broken(Agent):
    """Can't even be made."""

    def __init__(self):
        raise RuntimeError("no luck today")


class NoAct:
    """Not a bot."""


number = 3
