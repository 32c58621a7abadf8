"""What a seat may know, as numbers from its own chair.

Layout: the situation, a row for each seat in rotation from the own one, then blocks with one entry
for each card of the deck: ten about the seat's own view and three about each of the others. Places
of absent players are zero, so that tables of all sizes have one layout. Every entry lies in [-1, 1];
`observation_labels` names the entries in the same order, and a test holds the two together.

Memory of passed hands is part of it (T-12): which cards others must hold or are under way, how
likely each seat has which of them, what the next player looks at now, and what is left unseen.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_tale.constants import (
    MAX_SEATS,
    MAX_TYPES,
    NO_CARD,
    NUM_KINDS,
    NUM_PHASES,
    NUM_RACES,
    PACKET,
    TABLEAU,
    Kind,
    Phase,
    Race,
    Who,
)
from fm_env.games.fairy_tale.decisions import is_asked
from fm_env.games.fairy_tale.draft import direction, lead, packet_of, seat_at
from fm_env.games.fairy_tale.memory import card_at, first_sight, group_end, group_start, is_away
from fm_env.games.fairy_tale.playing import acting_effect, is_target, play_like
from fm_env.games.fairy_tale.scoring import gain_of

ANY_RACE = int(Race.ANY)
ANY_KIND = int(Kind.ANY)

EFFECT = NUM_PHASES + 18
"""Entry of the situation where the effect being resolved begins."""
SITUATION = EFFECT + MAX_SEATS + NUM_RACES + 6
SEAT = 4 + NUM_RACES + NUM_KINDS
"""Entries about one seat."""
OWN_BLOCKS = (
    "before me",
    "hand",
    "up",
    "down",
    "gain",
    "next gain",
    "next looks at",
    "away",
    "unseen",
    "looks",
)
OTHER_BLOCKS = ("up", "down", "likely")

BEFORE_ME, HAND, UP, DOWN, GAIN, NEXT_GAIN, NEXT_LOOKS_AT, AWAY, UNSEEN, LOOKS = range(len(OWN_BLOCKS))
FIRST_BLOCK = SITUATION + MAX_SEATS * SEAT
"""Where the blocks begin."""


@rule
def observe(s, seat, out):
    """Write everything `seat` is told into `out` f4[F]."""
    types = s.pack.shape[0]
    write_situation(s, seat, out[:SITUATION])
    i = SITUATION
    for place in range(MAX_SEATS):
        write_seat(s, seat, place, out[i : i + SEAT])
        i += SEAT
    write_own(s, seat, types, out[i:])
    i += len(OWN_BLOCKS) * types
    for place in range(1, MAX_SEATS):
        if place < s.n_seats:
            write_tableau(s, (seat + place) % s.n_seats, types, out[i:])
        else:
            out[i : i + 2 * types] = 0
        i += 3 * types
    write_likely(s, seat, types, out[i - 3 * types * (MAX_SEATS - 1) :])


@rule
def write_situation(s, seat, out):
    out[:] = 0
    out[s.phase] = 1
    i = NUM_PHASES
    out[i] = is_asked(s, seat)
    if s.round_number < s.rounds:
        out[i + 1 + s.round_number] = 1
    out[i + 5] = s.drafted * (1 / 5)
    out[i + 6] = s.step * (1 / 3)
    out[i + 7] = direction(s)
    out[i + 6 + s.n_seats] = 1  # entries 8 to 11: two to five players
    out[i + 12] = (s.rounds - s.round_number) * (1 / 4)
    out[i + 13] = s.strict_most
    out[i + 14] = ((lead(s) - seat) % s.n_seats) * (1 / 4)
    out[i + 15] = s.dealt * (1 / 25)
    out[i + 16] = min(s.n_deck, 128) * (1 / 128)
    out[i + 17] = (s.choice[seat] + 1) * (1 / MAX_TYPES)
    if s.phase == Phase.OPEN or s.phase == Phase.CLOSE:
        write_effect(s, seat, out[EFFECT:])


@rule
def write_effect(s, seat, out):
    """Whose effect it is, what it is about, and what the seat has chosen for it."""
    out[(lead(s) + s.turn - seat) % s.n_seats] = 1
    effect = acting_effect(s)
    out[MAX_SEATS + s.target[effect]] = 1
    i = MAX_SEATS + NUM_RACES + 1
    out[i] = s.who[effect] == Who.ALL
    out[i + 1] = (s.owes[seat] - s.n_turned[seat]) * (1 / 3)
    for k in range(s.n_turned[seat]):
        out[i + 2 + k] = (s.turned[seat, k] + 1) * (1 / MAX_TYPES)


@rule
def write_seat(s, seat, place, out):
    """Points if the game ended now, cards in hand, an effect to come, face-up cards by race and kind."""
    if place >= s.n_seats:
        out[:] = 0
        return
    j = (seat + place) % s.n_seats
    out[0] = 1
    out[1] = min(1.0, max(-1.0, s.points[j] * (1 / 128)))
    out[2] = (s.drafted - s.step if s.phase == Phase.DRAFT or s.phase == Phase.PLAY else 0) * (1 / PACKET)
    out[3] = s.fires[j]
    for race in range(NUM_RACES):
        out[4 + race] = s.tally[j, race, ANY_KIND] * (1 / TABLEAU)
    for kind in range(NUM_KINDS):
        out[4 + NUM_RACES + kind] = s.tally[j, ANY_RACE, kind] * (1 / TABLEAU)


@rule
def write_own(s, seat, types, out):
    """The ten blocks of the seat's own view, counts first, each scaled at the end."""
    before_me = out[BEFORE_ME * types : (BEFORE_ME + 1) * types]
    hand = out[HAND * types : (HAND + 1) * types]
    following = out[NEXT_LOOKS_AT * types : (NEXT_LOOKS_AT + 1) * types]
    away = out[AWAY * types : (AWAY + 1) * types]
    unseen = out[UNSEEN * types : (UNSEEN + 1) * types]
    before_me[:] = 0
    hand[:] = 0
    following[:] = 0
    away[:] = 0
    write_tableau(s, seat, types, out[UP * types :])
    write_gains(s, seat, out[GAIN * types : (GAIN + 1) * types])
    neighbour = s.gain[(seat + direction(s) + s.n_seats) % s.n_seats]
    next_gain = out[NEXT_GAIN * types : (NEXT_GAIN + 1) * types]
    for c in range(types):
        next_gain[c] = min(1.0, max(-1.0, neighbour[c] * (1 / 32)))
    if s.phase <= Phase.DRAFT:
        count_pile(s.packet[packet_of(s, seat)], before_me)
    count_pile(s.hand[seat], hand)
    write_packets(s, seat, following, away)
    out_of_game, known = s.out[seat], s.known_out[seat]
    for c in range(types):
        unseen[c] = s.pack[c] - s.shown[c] - out_of_game[c] - known[c]
    for c in range(types):
        unseen[c] = float(unseen[c] - before_me[c] - hand[c] - away[c]) * (1 / 12)
    # `float`: compiled and plain Python disagree on the product of a float32 and a number.
    for c in range(types):
        before_me[c] = float(before_me[c]) * (1 / 5)
        hand[c] = float(hand[c]) * (1 / 5)
        following[c] = float(following[c]) * (1 / 5)
        away[c] = float(away[c]) * (1 / 12)
    looks = out[LOOKS * types : (LOOKS + 1) * types]
    for c in range(types):
        looks[c] = s.looks[c]


@rule
def count_pile(pile, out):
    for k in range(len(pile)):
        if pile[k] != NO_CARD:
            out[pile[k]] += 1


@rule
def write_gains(s, seat, out):
    """Points that one more copy would add; while closing, points that closing it costs, negative."""
    if s.phase != Phase.CLOSE:
        gain = s.gain[seat]
        for c in range(len(out)):
            out[c] = min(1.0, max(-1.0, gain[c] * (1 / 32)))
        return
    out[:] = 0
    effect = acting_effect(s)
    for c in range(s.n_types):
        if is_target(s, effect, seat, c):
            out[c] = min(32, max(-32, gain_of(s, seat, c, -1))) * (1 / 32)


@rule
def write_tableau(s, seat, types, out):
    up, down = out[:types], out[types : 2 * types]
    cards = s.up[seat]
    closed = s.down[seat]
    for c in range(types):
        up[c] = cards[c] * (1 / 12)
    for c in range(types):
        down[c] = closed[c] * (1 / 12)


@rule
def write_packets(s, seat, following, away):
    """Cards of this round that are in others' hands or under way, and those that the next seat sees.

    Copies that others have played meanwhile are taken off (`play_like`), since they lie on the table.
    """
    matched = 0
    for p in range(s.n_seats):
        for t in range(first_sight(s, seat, p) + 1, PACKET):
            if is_away(s, seat, p, t):
                card = card_at(s, p, t)
                if s.phase == Phase.DRAFT:
                    away[card] += 1
                    if t >= s.drafted and is_next(s, seat, p):
                        following[card] += 1
                else:
                    play = play_like(s, seat, card, matched)
                    if play >= 0:
                        matched |= 1 << play
                    else:
                        away[card] += 1


@rule
def is_next(s, seat, p):
    """Whether packet `p` is before the seat that gets what `seat` passes on."""
    return seat_at(s, p, s.drafted) == (seat + direction(s) + s.n_seats) % s.n_seats


@rule
def write_likely(s, seat, types, out):
    """For each other seat the cards it may hold: of each group seen by `seat`, equal shares to
    all who have picked from it; less what it has played this round.
    """
    for place in range(MAX_SEATS - 1):
        out[(3 * place + 2) * types : (3 * place + 3) * types] = 0
    if s.drafted == 0:
        return
    # From the own packet on, so that sums are rounded alike at every seat.
    for k in range(s.n_seats):
        p = (seat + k) % s.n_seats
        sight = first_sight(s, seat, p)
        while sight < PACKET and sight < s.drafted:
            start, end = group_start(s, sight), group_end(s, sight)
            if end > start:
                share = 1 / (5 * (end - start))
                for taken in range(start, min(end, s.drafted)):
                    place = int((seat_at(s, p, taken) - seat + s.n_seats) % s.n_seats)
                    row = (3 * (place - 1) + 2) * types
                    for t in range(start, end):
                        i = row + card_at(s, p, t)
                        out[i] = float(out[i]) + share
            sight += s.n_seats
    if s.phase > Phase.DRAFT:
        for step in range(3):
            for place in range(1, s.n_seats):
                card = int(s.played[step, (seat + place) % s.n_seats])
                if card != NO_CARD:
                    i = (3 * (place - 1) + 2) * types + card
                    out[i] = max(0.0, float(out[i]) - 1 / 5)


# ------------------------------------------------------------------------------------ the labels
def observation_labels(names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of the entries of an observation, in order, for a deck with these cards (padded)."""
    labels = [f"phase {Phase(k).name.lower()}" for k in range(NUM_PHASES)]
    labels += ["I am asked", "round 1", "round 2", "round 3", "round 4", "picks made /5", "plays made /3"]
    labels += ["packets go clockwise"] + [f"{n} players" for n in range(2, MAX_SEATS + 1)]
    labels += ["rounds left /4", "ties for most fail", "leading place /4", "dealt /25", "deck /128"]
    labels += [f"my secret choice /{MAX_TYPES}"]
    labels += [f"effect of place {k}" for k in range(MAX_SEATS)]
    labels += [f"effect on {Race(k).name.lower()}" for k in range(NUM_RACES + 1)]
    labels += ["effect on all players", "cards I must turn /3"]
    labels += [f"turned {k} /{MAX_TYPES}" for k in (1, 2, 3)]
    for place in range(MAX_SEATS):
        own = f"place {place}: "
        labels += [f"{own}exists", f"{own}points /128", f"{own}hand /5", f"{own}effect to come"]
        labels += [f"{own}{Race(k).name.lower()} /12" for k in range(NUM_RACES)]
        labels += [f"{own}{Kind(k).name.lower()} /12" for k in range(NUM_KINDS)]
    scales = ("/5", "/5", "/12", "/12", "/32", "/32", "/5", "/12", "/12", "/16")
    for block, scale in zip(OWN_BLOCKS, scales, strict=True):
        labels += [f"{block} {scale}: {name}" for name in names]
    for place in range(1, MAX_SEATS):
        for block, scale in zip(OTHER_BLOCKS, ("/12", "/12", "/5"), strict=True):
            labels += [f"place {place} {block} {scale}: {name}" for name in names]
    return tuple(labels)


def observation_size(types: int) -> int:
    """Entries of an observation for a deck with room for `types` cards."""
    return FIRST_BLOCK + (len(OWN_BLOCKS) + 3 * (MAX_SEATS - 1)) * types
