"""Bluffs and lays are counted by their definition, on observations made by hand."""

import numpy as np
import pytest

from fm_env import registry
from fm_env.games.fairy_meat.behaviour import behaviour, behaviour_counts

GAME = registry.find("fairy_meat")
SPEC = GAME.scenario("clash").spec
PLACE = {name: k for k, name in enumerate(GAME.observation_labels(SPEC))}
NUMBER = {GAME.action_text(SPEC, k): k for k in range(SPEC.num_actions)}


def decisions(*rows):
    """Each row: entries that are 1 (or a pair of entry and value), legal actions, the one chosen."""
    observations = np.zeros((len(rows), SPEC.observation_size), np.float32)
    masks = np.zeros((len(rows), SPEC.num_actions), np.bool_)
    for k, (entries, legal, _) in enumerate(rows):
        observations[k, PLACE["fairy 0: asked"]] = 1
        for entry in entries:
            name, value = entry if isinstance(entry, tuple) else (entry, 1)
            observations[k, PLACE[name]] = value
        masks[k, [NUMBER[text] for text in legal]] = True
    return SPEC, observations, masks, np.array([NUMBER[chosen] for _, _, chosen in rows])


LAID_RED = ["phase lay_main", ("fairy 0: red trumps /24", 2 / 24)]


def test_a_bluff_is_a_number_of_the_other_colour_than_the_trumps():
    found = behaviour_counts(
        *decisions(
            (LAID_RED, ["5r", "8b"], "8b"),
            (LAID_RED, ["5r", "8b"], "5r"),
            (LAID_RED, ["5r", "8b"], "5r"),
            (["phase lay_main", ("fairy 0: black trumps /24", 1 / 24)], ["5r", "8b"], "5r"),
            (LAID_RED, ["5b", "8b"], "8b"),  # no choice of colour
            (["phase lay_main"], ["5r", "8b"], "8b"),  # nothing laid
            (["phase lay_main", ("fairy 1: red trumps /24", 1 / 24)], ["5r", "8b"], "8b"),  # hers, not own
        )
    )
    assert found["bluffs"] == (0.5, 4)
    assert "lays" not in found


def test_a_blind_lay_is_of_a_colour_without_a_number():
    red_only, both = (
        [("own 0: red numbers /24", 1 / 24)],
        ["own 0: red numbers /24", "own 0: black numbers /24"],
    )
    legal = ["trumps none", "trumps r1", "trumps b1", "trumps b2"]
    found = behaviour_counts(
        *decisions(
            (red_only, legal, "trumps b2"),
            (red_only, legal, "trumps r1"),
            (both, legal, "trumps b1"),
            (both, legal, "trumps none"),
            (both, ["trumps none"], "trumps none"),  # forced
        )
    )
    assert found["lays"] == (0.75, 4)
    assert found["blind lays"] == (pytest.approx(1 / 3), 3)


def test_the_other_rates():
    rows = decisions(
        ([], ["add", "subtract"], "subtract"),
        ([], ["add", "subtract"], "add"),
        ([], ["turn up", "leave down"], "turn up"),
        ([], ["hold", "act at K down"], "act at K down"),
        ([], ["attack bare-handed", "wrestle", "rest"], "wrestle"),
        ([], ["attack bare-handed", "rest"], "attack bare-handed"),
    )
    assert behaviour(*rows) == {
        "subtracts": 0.5,
        "turns up": 1.0,
        "holds": 0.0,
        "wrestles": 1.0,
        "rests": 0.0,
    }
