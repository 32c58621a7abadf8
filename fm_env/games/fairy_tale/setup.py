"""Laying out the table: the first state, made from the set-up record."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_tale.constants import MAX_NEEDS, MAX_SEATS, NO_CARD, Phase
from fm_env.games.fairy_tale.playing import tally
from fm_env.games.fairy_tale.scoring import count_table


@rule
def lay_out(s, setup):
    """A full deck, nothing dealt; usually empty tableaux."""
    lay_out_deck(s, setup)
    lay_out_table(s, setup)
    clear_round(s)
    count_table(s)


@rule
def lay_out_deck(s, setup):
    s.deck_id = setup.deck_id
    s.n_seats = setup.n_seats
    s.first_seat = setup.first_seat
    s.rounds = setup.rounds
    s.strict_most = setup.strict_most
    s.n_types = setup.n_types
    s.n_friends = setup.n_friends
    s.n_stories = setup.n_stories
    s.n_names = setup.n_names
    s.almighty = setup.almighty
    for c in range(len(s.pack)):
        s.pack[c] = setup.pack[c]
        s.race[c] = setup.race[c]
        s.kind[c] = setup.kind[c]
        s.value[c] = setup.value[c]
        s.plain[c] = setup.plain[c]
        s.own[c] = setup.own[c]
        s.friend[c] = setup.friend[c]
        s.op[c] = setup.op[c]
        s.who[c] = setup.who[c]
        s.target[c] = setup.target[c]
        s.count[c] = setup.count[c]
        s.friend_types[c] = setup.friend_types[c]
        s.story_types[c] = setup.story_types[c]
        s.names[c] = setup.names[c]
        s.n_needs[c] = setup.n_needs[c]
        s.looks[c] = setup.looks[c]
        for q in range(MAX_NEEDS):
            s.need_race[c, q] = setup.need_race[c, q]
            s.need_kind[c, q] = setup.need_kind[c, q]
            s.need_card[c, q] = setup.need_card[c, q]
            s.need_least[c, q] = setup.need_least[c, q]


@rule
def lay_out_table(s, setup):
    s.tally[:] = 0
    s.points[:] = 0
    s.gain[:] = 0
    s.n_deck = 0
    for c in range(len(s.pack)):
        s.shown[c] = 0
        for seat in range(MAX_SEATS):
            s.up[seat, c] = setup.up[seat, c]
            s.down[seat, c] = setup.down[seat, c]
            lying = s.up[seat, c] + s.down[seat, c]
            if lying > 0:
                s.shown[c] += lying
                tally(s, seat, c, int(s.up[seat, c]))
        s.deck[c] = s.pack[c] - s.shown[c]
        s.n_deck += s.deck[c]


@rule
def clear_round(s):
    s.phase = Phase.DEAL
    s.round_number = 0
    s.dealt = 0
    s.drafted = 0
    s.step = 0
    s.turn = 0
    s.packet[:] = NO_CARD
    s.took[:] = NO_CARD
    s.hand[:] = NO_CARD
    s.choice[:] = NO_CARD
    s.played[:] = NO_CARD
    s.fires[:] = 0
    s.owes[:] = 0
    s.n_turned[:] = 0
    s.turned[:] = NO_CARD
    s.out[:] = 0
    s.known_out[:] = 0
