"""Seats and meetings are balanced for every number of agents and seats."""

import itertools
from collections import Counter

import pytest

from evaluation.tournament.design import make_groups, meetings, williams
from fm_env.errors import SetupError

SIZES = [(n, seats) for n in (2, 3, 4, 5, 7, 10, 13) for seats in (2, 3, 4, 5, 6)]


@pytest.mark.parametrize(("n", "seats"), SIZES)
def test_each_agent_plays_equally_often_on_each_seat_and_meets_each_other_equally_often(n, seats):
    groups = make_groups(n, seats)
    on_seat = Counter(
        (agent, seat) for group in groups for order in group.orders for seat, agent in enumerate(order)
    )
    assert len(on_seat) == n * seats
    assert len(set(on_seat.values())) == 1
    together = meetings(groups, n)
    assert len({together[a, b] for a, b in itertools.combinations(range(n), 2)}) == 1
    assert together[0, 1] > 0


@pytest.mark.parametrize(("n", "seats"), SIZES)
def test_orders_seat_exactly_the_agents_of_the_group(n, seats):
    for group in make_groups(n, seats):
        assert len(group.agents) == seats
        assert all(sorted(order) == list(group.agents) for order in group.orders)
        if n >= seats:
            assert len(group.members) == seats


def test_two_seats_are_all_pairs_in_both_orders():
    groups = make_groups(20, 2)
    assert [group.orders for group in groups] == [
        ((a, b), (b, a)) for a, b in itertools.combinations(range(20), 2)
    ]


@pytest.mark.parametrize(("seats", "orders"), [(3, 6), (4, 24), (5, 10), (6, 6)])
def test_numbers_of_orders(seats, orders):
    assert {len(group.orders) for group in make_groups(seats + 1, seats)} == {orders}


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_in_a_williams_square_each_sits_behind_each_other_equally_often(size):
    rows = williams(size)
    for column in zip(*rows, strict=True):
        assert set(Counter(column).values()) == {len(rows) // size}
    behind = Counter(pair for row in rows for pair in itertools.pairwise(row))
    assert len(behind) == size * (size - 1)
    assert len(set(behind.values())) == 1


def test_copies_are_spread_evenly():
    groups = make_groups(2, 5)
    assert sorted(sorted(Counter(group.agents).values()) for group in groups) == [[2, 3], [2, 3]]


def test_more_agents_than_all_subsets_allow_play_a_smaller_balanced_design():
    assert len(make_groups(13, 4)) == 13  # the projective plane of order 3, not 715 subsets


@pytest.mark.parametrize(("n", "seats", "words"), [(1, 2, "at least 2"), (3, 1, "2 to 6"), (3, 7, "2 to 6")])
def test_what_is_no_tournament_is_refused(n, seats, words):
    with pytest.raises(SetupError, match=words):
        make_groups(n, seats)
