"""Bluffs and lays are counted by their definition, on observations made by hand."""

import numpy as np
import pytest

from fm_env import registry
from fm_env.games.fairy_meat.behaviour import behaviour, behaviour_counts
from fm_env.games.fairy_meat.conduct import CONDUCT

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


def rates(*rows):
    """Habit to (how often, of how many)."""
    found = CONDUCT.choices(*decisions(*rows))
    return {name: (hit.sum(), base.sum()) for name, (hit, base) in found.items() if base.any()}


def test_colours_and_heights():
    more_black = [("own 0: red numbers /24", 1 / 24), ("own 0: black numbers /24", 3 / 24)]
    legal = ["trumps none", "trumps r1", "trumps b1", "trumps b2"]
    found = rates(
        (more_black, legal, "trumps b2"),
        (more_black, legal, "trumps r1"),
        (more_black, legal, "trumps none"),
        (more_black, ["trumps none", "trumps b1"], "trumps b1"),  # one colour of trumps only
        (["phase lay_main"], ["5r", "8b"], "8b"),
        (["phase lay_main"], ["5r", "8b", "9b"], "5r"),
        (["phase lay_main"], ["8r", "8b"], "8r"),  # no higher one
        (["phase lay_main"], ["8r"], "8r"),
    )
    assert found["lays red"] == (1, 2)
    assert found["lays its stronger colour"] == (1, 2)
    assert found["plays red"] == (2, 3)
    assert found["plays its highest"] == (1, 2)


def test_order_cards_points_and_wounds():
    found = rates(
        ([], ["think 0", "think 1", "think 2"], "think 2"),
        ([], ["think 0", "think 1"], "think 0"),
        ([], ["hold", "act at K down", "act at K up"], "act at K up"),
        ([], ["hold", "act at K down", "act at K up"], "act at K down"),
        ([], ["hold", "act at K up"], "act at K up"),  # the way down is past
        ([], ["lose live", "lose kill"], "lose kill"),
        ([], ["take cards", "take boost"], "take cards"),
        ([], ["deal damage", "escape"], "escape"),
        ([], ["trade r", "keep trumps"], "keep trumps"),
        ([], ["boost", "no boost"], "boost"),
    )
    assert found["thinks"] == (1, 2)
    assert found["acts going down"] == (1, 2)
    assert found["gives Live first"] == (0, 1)
    assert found["takes cards"] == (1, 1)
    assert found["breaks away"] == (1, 1)
    assert found["trades trumps"] == (0, 1)
    assert found["uses boosts"] == (1, 1)


def test_targets_and_ways_to_move_on_the_table():
    spec = GAME.scenario("skirmish").spec
    place = {name: k for k, name in enumerate(GAME.observation_labels(spec))}
    number = {GAME.action_text(spec, k): k for k in range(spec.num_actions)}
    rows = [
        ("phase target", ["fairy 6", "fairy 7"], "fairy 7"),
        ("phase target", ["fairy 6", "fairy 7"], "fairy 6"),
        ("phase target", ["fairy 6"], "fairy 6"),
        ("phase act", ["pounce", "flutter", "end turn"], "flutter"),
        ("phase act", ["pounce", "end turn"], "pounce"),  # declared before
        ("phase act", ["attack bare-handed", "end turn"], "end turn"),
        ("phase move", ["go to", "halt"], "go to"),
    ]
    observations = np.zeros((len(rows), spec.observation_size), np.float32)
    masks = np.zeros((len(rows), spec.num_actions), np.bool_)
    for k, (phase, legal, _) in enumerate(rows):
        observations[k, [place[phase], place["aim attack"]]] = 1
        observations[k, [place["figure 6: live /12"], place["figure 7: live /12"]]] = 4 / 12, 2 / 12
        masks[k, [number[text] for text in legal]] = True
    actions = np.array([number[chosen] for _, _, chosen in rows])
    found = CONDUCT.choices(spec, observations, masks, actions)
    counts = {name: (hit.sum(), base.sum()) for name, (hit, base) in found.items()}
    assert counts["aims at the weakest"] == (1, 2)
    assert counts["moves"] == (2, 3)
    assert counts["ends turn"] == (1, 3)
    assert counts["flutters"] == (1, 1)
    assert counts["pounces"] == (0, 1)
    assert counts["flies to contact"] == (1, 1)


def test_the_games_to_watch():
    spec = GAME.scenario("duel").spec
    states = np.zeros(3, spec.state_dtype)
    states["play"], states["owner"] = 1, [0, 1]
    states["live"] = [[3, 0], [2, 1], [2, 2]]
    states["times_caught"] = [[0, 0], [1, 2], [0, 1]]
    found = CONDUCT.highlights(spec, states)
    assert found["closest finish"].tolist() == [-3, -1, -np.inf]  # the last is a draw
    assert found["most bluffs caught"].tolist() == [-np.inf, 3, 1]
    assert CONDUCT.ends(spec, states)["points left"][0].tolist() == [[3, 0], [2, 1], [2, 2]]
