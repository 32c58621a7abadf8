"""Dealing, picking, passing, and what is left over (T:22-36)."""

from __future__ import annotations

import pytest

from fm_env.errors import SetupError
from tests.games.fairy_tale.play import FILL, deals, draft, game, packet, round_of, rule, seen, step

A = ["Bard", "Eclipse", "Dawn", "Empress", "Trickster"]
B = ["Homesteader", "Bronze Dragon", "Court Poet", "Elder Dragon", "Fairy Queen"]
C = ["Shadow Keep", "Shadow Herald", "Shadow Wanderer", "Song of the Queen", "Valley Herald"]


@rule("T-26")
def test_the_leading_seat_is_dealt_five_cards_first():
    m = game().new_match(num_players=3, first_seat=1, chance=[*A, *B, *C])
    assert [set(packet(m, seat)) for seat in (1, 2, 0)] == [set(A), set(B), set(C)]


@rule("T-10")
def test_packets_go_to_the_next_seat_in_round_1():
    m = game().new_match(num_players=3, chance=[*A, *B, *C])
    for seat, card in enumerate(("Bard", "Homesteader", "Shadow Keep")):
        m.play(seat, f"draft {card}")
    assert [set(packet(m, seat)) for seat in (1, 2, 0)] == [set(A[1:]), set(B[1:]), set(C[1:])]


@rule("T-10")
def test_packets_go_back_in_round_2_and_forth_again_in_round_3():
    hands = [FILL, FILL, FILL]
    script = deals(hands)
    second = deals([A, B, C], first=1, way=-1)
    m = draft(game().new_match(num_players=3, chance=[*script, *second], seed=1), hands)
    for card in FILL[:3]:
        step(m, card, card, card)
    assert [set(packet(m, seat)) for seat in (0, 1, 2)] == [
        {A[0], C[1], B[2], A[3], C[4]},
        {B[0], A[1], C[2], B[3], A[4]},
        {C[0], B[1], A[2], C[3], B[4]},
    ]
    before = set(packet(m, 1))
    for seat, card in enumerate((A[0], B[0], C[0])):
        m.play(seat, f"draft {card}")
    assert set(packet(m, 0)) == before - {B[0]}
    while m.state.round_number < 2:
        seat = m.pending[0]
        m.play(seat, m.legal_ids(seat)[0])
    third = set(packet(m, 1))
    for seat in range(3):
        m.play(seat, m.legal_ids(seat)[0])
    assert set(packet(m, 2)) <= third


@rule("T-10")
def test_the_fifth_pick_is_forced_and_not_asked():
    m = game().new_match(num_players=2, chance=deals([A, B]))
    draft(m, [A, B])
    assert [set(m.legal(seat)) for seat in (0, 1)] == [{f"play {c}" for c in hand} for hand in (A, B)]


@rule("T-10")
def test_picks_are_secret_until_all_have_picked():
    m = game().new_match(num_players=2, chance=deals([A, B]))
    before = m.observation(1).tobytes(), m.text(1)
    m.play(0, f"draft {A[0]}")
    assert m.pending == (1,)
    assert (m.observation(1).tobytes(), m.text(1)) == before


@rule("T-11")
def test_two_unused_cards_leave_the_game_known_to_their_owner_only():
    m = round_of(A, B, rounds=2, seed=1)
    step(m, "Dawn", "Homesteader")
    step(m, "Empress", "Court Poet")
    step(m, "Trickster", "Fairy Queen")
    assert "  left unused: Bard, Eclipse" in m.text(0)
    # Seat 1 has seen Eclipse pass; Bard was picked before it saw the packet.
    assert "Bard" not in m.text(1)
    assert m.state.hand.max() == -1
    assert m.state.out[0].sum() == m.state.out[1].sum() == 2


@rule("T-22")
def test_the_basic_deck_serves_four_players_and_all_cards_five():
    assert int(game().scenario("basic", num_players=4).setup.pack.sum()) == 80
    assert int(game().scenario("expert", num_players=5).setup.pack.sum()) == 100
    with pytest.raises(SetupError, match=r"num_players: 5 players need 100 cards .* 'expert' has enough"):
        game().scenario("basic", num_players=5)
    for players in (1, 6):
        with pytest.raises(SetupError, match="num_players"):
            game().scenario("expert", num_players=players)


@rule("T-12")
def test_a_seat_knows_what_it_passed_on():
    m = game().new_match(num_players=3, chance=[*A, *B, *C])
    for seat, card in enumerate(("Bard", "Homesteader", "Shadow Keep")):
        m.play(seat, f"draft {card}")
    assert seen(m, 0, "next looks at") == dict.fromkeys(A[1:], 1)
    assert seen(m, 0, "away") == dict.fromkeys(A[1:], 1)
    assert seen(m, 0, "place 1 likely") == {}
    m.play(0, "draft Shadow Herald")
    m.play(1, "draft Eclipse")
    m.play(2, "draft Bronze Dragon")
    # One of the four cards went to seat 1; seat 0 can't tell which.
    assert seen(m, 0, "place 1 likely") == dict.fromkeys(A[1:], 0.25)
    assert set(seen(m, 0, "away")) == {*A[1:], *C[2:]}


@rule("T-12")
def test_a_seat_sees_what_is_missing_when_a_packet_returns():
    m = game().new_match(num_players=2, chance=deals([A, B]))
    for t in range(2):
        m.play(0, f"draft {A[t]}")
        m.play(1, f"draft {B[t]}")
    # Packet 0 held A0 B1 A2 B3 A4; seat 1 took B1 from it.
    assert seen(m, 0, "place 1 likely") == {B[1]: 1}
    assert seen(m, 0, "unseen")[B[1]] == 1  # one of two Bronze Dragons
    assert seen(m, 1, "place 1 likely") == {A[1]: 1}


@rule("T-12")
def test_what_lies_face_down_stays_public():
    m = round_of(["Dragon's Cave"], ["Bard"])
    step(m, "Dragon's Cave", "Bard")
    assert seen(m, 1, "place 1 down") == {"Dragon's Cave": 1}
    assert "face down: Dragon's Cave" in m.text(1)


@rule("T-25")
def test_of_earlier_rounds_it_is_sure_of_unused_cards_that_it_saw_pass():
    m = round_of(A, B, rounds=2, seed=1)
    step(m, "Bard", "Homesteader")
    step(m, "Empress", "Court Poet")
    step(m, "Trickster", "Fairy Queen")
    # Seat 1 left Bronze Dragon, picked second from a packet that seat 0 had passed on, and Elder
    # Dragon, picked fourth from the same one; seat 0 left Eclipse and Dawn, of which seat 1 never saw
    # the latter: it was the third pick from packet 0, which seat 1 knew by then.
    assert "others left unused: Bronze Dragon, Elder Dragon" in m.text(0)
    assert "others left unused: Eclipse, Dawn" in m.text(1)
    assert seen(m, 0, "unseen")["Bronze Dragon"] == 1
    assert "Elder Dragon" not in seen(m, 0, "unseen")


@rule("T-25")
def test_a_card_played_from_elsewhere_may_be_the_one_that_passed():
    """Two copies taken, one played: one is unused for sure. One taken, one played: nothing is sure."""
    a = ["Bard", "Eclipse", "Dawn", "Empress", "Trickster"]
    b = ["Homesteader", "Homesteader", "Court Poet", "Homesteader", "Fairy Queen"]
    m = round_of(a, b, rounds=2, seed=1)
    step(m, "Bard", "Homesteader")
    step(m, "Empress", "Court Poet")
    step(m, "Trickster", "Fairy Queen")
    # Of three Homesteaders seat 0 saw two pass; one is on the table.
    assert "others left unused: Homesteader\n" in m.text(0)
