"""What is refused at the door, and what the boards of the package are."""

from __future__ import annotations

import pytest

from fm_env.errors import SetupError
from fm_env.games.angry_miniatures.boards import boards
from fm_env.games.angry_miniatures.constants import BLOCKING, SIZE
from tests.games.angry_miniatures.play import PLAIN, game, rule, sheet

STANDING = [[{"at": "a1"}], [{"at": "a6"}]]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"board": "closed"}, "board: unknown name 'closed': did you mean 'closet'"),
        ({"board": {"ground": "...\n...\n..."}}, "ground: expected 4 to 10 rows, got 3"),
        ({"board": {"ground": "..\n..\n..\n.."}}, "expected 3 to 10 squares a row, got 2"),
        ({"board": {"ground": "...\n....\n...\n..."}}, "row '....' has 4 squares, others 3"),
        ({"board": {"ground": "...\n...\n.x.\n..."}}, "unknown sign 'x'"),
        ({"board": {"ground": "###\n##.\n...\n..."}}, "1 squares in the top two rows, expected 3 or more"),
        ({"board": {"ground": "...\n...\n###\n...\n..."}}, "expected a way from every square"),
        ({"board": {"ground": "...\n...\n...\n...", "levels": "000\n000"}}, "levels: expected as many rows"),
        ({"board": {"ground": "...\n...\n...\n...", "levels": "\n".join(["009"] * 4)}}, "digits 0 to 4"),
        ({"teams": ["dave", "dave"]}, "teams.0: unknown name 'dave'"),
        ({"teams": [["dav"], ["dave"]]}, "teams.0.0: unknown name 'dav': did you mean 'dave'"),
        ({"teams": [["dave", "dave"], ["dave"]]}, "teams.0: expected 1 character(s) a side, got 2"),
        ({"teams": [[{**sheet(), "spirit": 4}], ["dave"]]}, "body + mind + spirit: expected 9, got 10"),
        ({"teams": [[sheet(body=0, mind=5)], ["dave"]]}, "body: Input should be greater than or equal to 1"),
        ({"teams": [[sheet(perk="distance")], ["dave"]]}, "a melee attack has no Distance"),
        ({"teams": [[sheet(flaw="speed")], ["dave"]]}, "'speed' undoes the perk"),
        (
            {"teams": [[sheet(crit="explode")], ["dave"]]},
            "teams.0.0.crit: known: regenerate, magic_heal, magic_buff, commanding, knock_down",
        ),
        ({"rounds": 0}, "rounds: Input should be greater than or equal to 1, got 0"),
        ({"bord": "closet"}, "bord: no such option; known here: board, teams, rounds"),
        ({"setup": {"figures": [[{"at": "a1"}], [{"at": "a1"}]]}}, "setup.figures.1.0.at: nobody can stand"),
        ({"setup": {"figures": [[{"at": "a1"}], [{"at": "j9"}]]}}, "nobody can stand on j9"),
        ({"setup": {"figures": [[{"at": "a1"}], [{"at": "a0"}]]}}, "unknown name 'a0'"),
        ({"setup": {"figures": [[{"at": "a1"}], []]}}, "setup.figures.1: expected 1, got 0"),
        ({"setup": {"figures": [[{"at": "a1"}], [{"health": 0}]]}}, "expected one with Health"),
        (
            {"setup": {"figures": [[{"at": "a1"}], [{}]]}},
            "a figure stands on a square `at`, or its health is 0",
        ),
        (
            {"setup": {"figures": [[{"at": "a1", "health": 6}], [{"at": "a6"}]]}},
            "setup.figures.0.0.health: expected at most 4, got 6",
        ),
        ({"teams": "build", "setup": {"figures": STANDING}}, "teams that are built in play"),
    ],
)
def test_bad_options_are_named(options, said):
    with pytest.raises(SetupError) as error:
        game().scenario("duel", **options)
    assert said in str(error.value), str(error.value)


def test_unknown_scenarios_are_named():
    with pytest.raises(SetupError, match="unknown name 'siege'; expected one of skirmish, duel"):
        game().scenario("siege")


@rule("A-37")
def test_the_boards_of_the_package():
    """At least three of full size and a small one; both sides have the same room."""
    drawn = boards()
    sizes = {name: board.arrays()[:2] for name, board in drawn.items()}
    assert sizes.pop("closet") == (6, 6)
    assert len(sizes) >= 3 and set(sizes.values()) == {(SIZE, SIZE)}
    for name in sizes:
        _, _, ground, _ = drawn[name].arrays()
        assert (ground[:20] & BLOCKING == 0).sum() == (ground[80:] & BLOCKING == 0).sum() == 20, name


@rule("A-37")
def test_outside_a_small_board_all_is_blocking():
    width, height, ground, level = boards()["closet"].arrays()
    for c in range(SIZE * SIZE):
        if c % SIZE >= width or c // SIZE >= height:
            assert ground[c] == BLOCKING and level[c] == 0


@rule("A-37")
def test_a_drawing_is_seen_from_above_with_seat_0_below():
    ground = [list(row) for row in PLAIN["ground"].split()]
    ground[0][1], ground[9][3] = "#", "~"
    board = {"ground": "\n".join(map("".join, ground)), "levels": "\n".join(["1" * 10] + ["0" * 10] * 9)}
    m = game().new_match("duel", board=board, seed=1)
    assert m.state.ground[91] == BLOCKING and m.state.ground[3] == 2
    assert m.state.level[91] == 1 and m.state.level[0] == 0


def test_options_survive_json():
    scenario = game().scenario(
        "duel", board=PLAIN, teams=[[sheet()], ["sargon"]], setup={"figures": STANDING}
    )
    again = game().scenario(**dict(scenario.options))
    assert again.setup.tobytes() == scenario.setup.tobytes()
