"""What cards are worth, and who wins (T:52-65, T:76-84)."""

from __future__ import annotations

import pytest

from tests.games.fairy_tale.play import FILL, game, points, round_of, rule, step, table

CHILD = "Children of the Dragon"
KNIGHT = "Knight of the Round Table"


@rule("T-13")
def test_face_down_cards_score_and_count_nothing():
    assert points("Bard", down=["Bard", "Shadow Wanderer"]) == 3
    assert points(CHILD, CHILD, down=[CHILD]) == 4
    assert points("Bronze Dragon", down=[KNIGHT]) == 0
    # A closed Home doesn't count for the most Homes, neither for one's own story nor against it.
    story = "Tale of Hearth and Home"
    assert points(story, down=["Valley Village"]) == 0
    assert points(story, "Valley Village", others=[{"down": ["Imperial Village"] * 2}]) == 9


@rule("T-13")
def test_a_home_closed_in_play_no_longer_counts_for_the_most():
    mine = {"up": ["Tale of Hearth and Home", "Valley Village"]}
    m = round_of(["Dragon's Cave"], ["Bard"], seats=[mine, {"up": ["Imperial Village"] * 2}])
    step(m, "Dragon's Cave", "Bard")
    m.play(0, "close Dragon's Cave")
    assert m.state.points[0] == 2


@rule("T-14")
@pytest.mark.parametrize("n", range(8))
def test_n_children_score_n_squared(n):
    assert points(*[CHILD] * n) == n * n


@rule("T-14")
def test_a_counted_friend_must_be_ones_own():
    # The knights are worth 3 each themselves.
    assert points("Bronze Dragon", KNIGHT, KNIGHT) == 6 + 2 * 3
    assert points("Bronze Dragon", "Bronze Dragon", KNIGHT, KNIGHT) == 2 * 6 + 2 * 3
    assert points("Bronze Dragon", others=[{"up": [KNIGHT, KNIGHT]}]) == 0


@rule("T-15")
def test_a_tie_for_the_most_is_enough_unless_told_otherwise():
    story, rival = "Tale of Hearth and Home", {"up": ["Imperial Village"]}
    assert points(story, "Valley Village", others=[rival]) == 7 + 2
    assert points(story, "Valley Village", others=[rival], strict_most=True) == 2
    assert points(story, "Valley Village", others=[rival, {"up": ["Forest Village"] * 2}]) == 2


@rule("T-15")
def test_the_most_of_nothing_is_not_enough():
    assert points("Tale of Hearth and Home") == 0


@rule("T-16")
def test_a_story_counts_itself():
    assert points("Shadowking's Tale, Chapter 1", others=[{"up": ["Shadow Wanderer"]}]) == 6
    assert points("Shadowking's Tale, Chapter 1", others=[{"up": ["Shadow Wanderer", "Eclipse"]}]) == 0


@rule("T-17")
def test_two_of_each_of_two_races():
    story = "Saga of Dragons and Knights"  # itself a Dragonvale card
    assert points(story, "Sky Dance Dragon", KNIGHT, KNIGHT) == 7 + 3 + 6
    assert points(story, "Sky Dance Dragon", KNIGHT) == 3 + 3
    assert points(story, KNIGHT, KNIGHT, KNIGHT) == 9


@rule("T-17")
def test_one_of_a_name():
    assert points("Saga of the Elder", "Elder Dragon") == 9 + 4
    assert points("Saga of the Elder", "Sky Dance Dragon") == 3
    assert points("Saga of the Elder", others=[{"up": ["Elder Dragon"]}]) == 0


@rule("T-17")
def test_one_each_of_two_names():
    one = {"deck": two_names(), "num_players": 2}
    assert points("Ballad", "Sun", "Moon", **one) == 8 + 1 + 1
    assert points("Ballad", "Sun", "Sun", **one) == 2


def two_names():
    plain = {"race": "fairywood", "kind": "character", "points": 1, "copies": 12}
    needs = [{"least": 1, "card": "Sun"}, {"least": 1, "card": "Moon"}]
    ballad = {
        "name": "Ballad",
        "race": "fairywood",
        "kind": "story",
        "points": 8,
        "copies": 2,
        "needs": needs,
    }
    return {"name": "two names", "card": [{"name": "Sun", **plain}, {"name": "Moon", **plain}, ballad]}


@rule("T-18")
def test_the_trickster_is_one_more_of_a_name():
    assert points(CHILD, CHILD, CHILD, "Trickster") == 3 * 4 - 1
    assert points("Bronze Dragon", KNIGHT, "Trickster") == 3 * 2 + 3 - 1
    assert points("Saga of the Elder", "Trickster") == 9 - 1  # and not the four points of Elder Dragon
    assert points("Bard", "Trickster") == 3 - 1
    assert points(CHILD, CHILD, CHILD, down=["Trickster"]) == 9


@rule("T-18")
def test_the_trickster_takes_the_better_of_two_names_and_only_one():
    assert points(CHILD, CHILD, CHILD, "Homesteader", "Trickster") == 9 + 1 + 3 - 1


@rule("T-18")
def test_the_trickster_keeps_its_race_and_kind():
    # Named as a child it is still a Shadow card: one Dragonvale card is missing for the saga.
    assert points("Saga of Dragons and Knights", KNIGHT, KNIGHT, "Trickster") == 6 - 1
    assert points("Shadowking's Tale, Chapter 1", "Trickster", others=[{"up": ["Eclipse", "Dawn"]}]) == 6 - 1


@rule("T-19")
def test_equal_stories_score_each():
    assert points("Ballad", "Ballad", "Sun", "Moon", deck=two_names(), num_players=2) == 16 + 2


@rule("T-21")
def test_a_total_may_be_negative():
    assert points("Trickster") == -1


def finished(*hands, **options):
    """One round in which everyone plays the first three cards of her hand."""
    m = round_of(*hands, **options)
    for k in range(3):
        step(m, *([*hand, *FILL][k] for hand in hands))
    assert m.is_over
    return m


@rule("T-20")
def test_equal_scores_share_the_win():
    m = finished(["Bard"], ["Bard"])
    assert m.returns() == (0.0, 0.0)
    assert "seat 0 and seat 1 win with" in str(m)


@rule("T-23")
def test_the_result_is_the_share_of_players_beaten():
    hands = [["Shadow Wanderer"], ["Bard"], ["Valley Village"]]
    m = finished(*hands)
    assert list(m.state.points[:3]) == [4 + 4, 3 + 4, 2 + 4]
    assert m.returns() == (1.0, 0.0, -1.0)
    m = finished(["Shadow Wanderer"], ["Bard"], ["Bard"])
    assert m.returns() == (1.0, -0.5, -0.5)


def test_gains_are_what_one_more_copy_adds():
    m = table({"up": [CHILD, CHILD, "Bronze Dragon", "Saga of the Elder"]})
    names = [
        label.partition(": ")[2] for label in game().observation_labels(m.spec) if label.startswith("gain")
    ]
    gain = dict(zip(names, m.state.gain[0], strict=True))
    assert (gain[CHILD], gain[KNIGHT], gain["Elder Dragon"], gain["Bard"]) == (5, 6, 13, 3)
