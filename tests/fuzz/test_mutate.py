"""The damage of the coverage-guided runs: still JSON, and really damaged."""

from __future__ import annotations

import json
import random

from tests.fuzz.mutate import mutated, words

SOUND = json.dumps({"a": [1, 2.5, "three"], "b": {"c": None, "d": True}}).encode()
LINES = b'{"head": 1}\n{"row": [1, -1]}\n'


def test_what_comes_out_is_another_document_of_the_same_kind() -> None:
    changed = 0
    for seed in range(300):
        made = mutated(SOUND, random.Random(seed), [SOUND, LINES])
        assert made is not None
        changed += json.loads(made) != json.loads(SOUND)
    assert changed > 250


def test_lines_stay_lines() -> None:
    made = [mutated(LINES, random.Random(seed), [LINES]) for seed in range(100)]
    assert sum(text is not None and text.count(b"\n") in (1, 2, 3, 4) for text in made) > 60
    for text in made:
        assert text is not None
        for line in filter(None, text.splitlines()):
            json.loads(line)


def test_equal_seeds_do_equal_damage() -> None:
    assert mutated(SOUND, random.Random(7), [SOUND]) == mutated(SOUND, random.Random(7), [SOUND])


def test_what_is_no_json_is_left_to_others() -> None:
    assert mutated(b"size = 48", random.Random(1), [SOUND]) is None
    assert mutated(b"[" * 100_000, random.Random(1), [SOUND]) is None


def test_words_are_names_and_numbers() -> None:
    assert words([b'size = 48\n[[pieces]]\nkind = "box"\nx = -2.5']) == [
        "-2.5",
        "48",
        "box",
        "kind",
        "pieces",
        "size",
    ]
