"""Clashes small enough to play out line by line."""

import fm_env

GAME = fm_env.load("fairy_meat").game

TINY = {
    "one card each": {"a": 1, "d": 1, "deck": {"2r": 1, "9b": 1, "5r": 1, "Jr": 2, "Jb": 1, "X": 1}},
    "two against one": {"a": 2, "d": 1, "deck": {"2r": 1, "9b": 1, "Jr": 2, "Jb": 1, "X": 1}},
    "the deck runs out": {"a": 1, "d": 1, "deck": {"2r": 1, "Jr": 2, "Jb": 1}},
    "one number": {"a": 2, "d": 2, "deck": {"3r": 1, "Jr": 2, "Jb": 3}},
    "levels, jokers count": {
        "a": 2,
        "d": 1,
        "deck": {"3r": 1, "8b": 1, "Jr": 2, "Jb": 1, "X": 1},
        "damage": "levels",
        "joker_points": True,
    },
    "no call-off": {
        "a": 2,
        "d": 1,
        "deck": {"3r": 1, "8b": 1, "Jr": 2, "Jb": 1, "X": 1},
        "call_off": False,
        "joker_main": "no_number",
    },
    "wrestle": {"a": 1, "d": 2, "deck": {"3r": 1, "7b": 1, "Jr": 2, "Jb": 1}, "kind": "wrestle"},
}


def tiny(name):
    return GAME.scenario("clash", **TINY[name])
