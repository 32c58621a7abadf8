"""Points: plain cards, counted cards, friends, stories and the Trickster (T:52-65, T:76-84)."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_tale.constants import MOST, NO_CARD, Kind, Phase, Race

ANY_RACE = int(Race.ANY)
ANY_KIND = int(Kind.ANY)


@rule
def count_for(s, seat, story, q):
    """Face-up cards of a seat that count for condition `q` of a story (T-16: the story itself too)."""
    card = s.need_card[story, q]
    if card != NO_CARD:
        return int(s.up[seat, card])
    return int(s.tally[seat, s.need_race[story, q], s.need_kind[story, q]])


@rule
def lacks(s, seat, story, q):
    """Cards that are missing for condition `q`; 0 or less: it is fulfilled.

    For "the most" (T-15) one card at least, and nobody may have more; where ties fail, nobody may
    have as many.
    """
    mine = count_for(s, seat, story, q)
    least = s.need_least[story, q]
    if least != MOST:
        return least - mine
    most = 1
    for other in range(s.n_seats):
        if other != seat:
            most = max(most, count_for(s, other, story, q) + s.strict_most)
    return most - mine


@rule
def counts_toward(s, card, story, q):
    """1 if a card is one that condition `q` of a story counts (T-17: a race, a kind or a name)."""
    named = s.need_card[story, q]
    if named != NO_CARD:
        return 1 if named == card else 0
    race, kind = s.need_race[story, q], s.need_kind[story, q]
    if race != ANY_RACE and race != s.race[card]:
        return 0
    return 1 if kind == ANY_KIND or kind == s.kind[card] else 0


@rule
def is_told(s, seat, story, card, change):
    """Whether all conditions hold (T-17) after `change` (+1, -1, 0) face-up copies of `card`."""
    for q in range(s.n_needs[story]):
        missing = lacks(s, seat, story, q)
        if change != 0:
            missing -= change * counts_toward(s, card, story, q)
        if missing > 0:
            return False
    return True


@rule
def points_without_almighty(s, seat):
    """What the face-up cards score (T-13, T-14, T-19, T-21)."""
    total = 0
    for c in range(s.n_types):
        n = s.up[seat, c]
        total += s.plain[c] * n + s.own[c] * n * n
    for k in range(s.n_friends):
        d = s.friend_types[k]
        total += s.value[d] * s.up[seat, d] * s.up[seat, s.friend[d]]
    for k in range(s.n_stories):
        story = s.story_types[k]
        if s.up[seat, story] > 0 and is_told(s, seat, story, story, 0):
            total += s.value[story] * s.up[seat, story]
    return int(total)


@rule
def worth_of_name(s, seat, card):
    """Points that one more copy of a name adds, where it is not a card of its own (T-18)."""
    more = int(s.own[card] * s.up[seat, card])
    for k in range(s.n_friends):
        d = s.friend_types[k]
        if s.friend[d] == card:
            more += int(s.value[d] * s.up[seat, d])
    for k in range(s.n_stories):
        story = s.story_types[k]
        if s.up[seat, story] > 0:
            missing, named = 0, 0
            for q in range(s.n_needs[story]):
                lacking = max(0, lacks(s, seat, story, q))
                missing += lacking
                if s.need_card[story, q] == card:
                    named += lacking
            if missing == 1 and named == 1:
                more += int(s.value[story] * s.up[seat, story])
    return more


@rule
def worth_of_almighty(s, seat):
    """The best name for the Trickster; the engine names it (T-18)."""
    best = 0
    for k in range(s.n_names):
        best = max(best, worth_of_name(s, seat, s.names[k]))
    return best


@rule
def count_points(s, seat):
    """The score of a tableau (T-18 with the Trickster, if it lies face up)."""
    total = points_without_almighty(s, seat)
    if s.almighty != NO_CARD and s.up[seat, s.almighty] > 0:
        total += worth_of_almighty(s, seat)
    return total


@rule
def gain_of(s, seat, card, change):
    """Points that `change` (+1 or -1) face-up copies of `card` bring, whatever a Trickster may name."""
    n = int(s.up[seat, card])
    total = change * int(s.plain[card]) + int(s.own[card]) * (change * 2 * n + 1)
    for k in range(s.n_friends):
        d = s.friend_types[k]
        if d == card:
            total += change * int(s.value[d] * s.up[seat, s.friend[d]])
        elif s.friend[d] == card:
            total += change * int(s.value[d] * s.up[seat, d])
    for k in range(s.n_stories):
        story = s.story_types[k]
        before = int(s.up[seat, story])
        after = before + change if story == card else before
        if before + after > 0:
            if before > 0 and is_told(s, seat, story, story, 0):
                total -= int(s.value[story]) * before
            if after > 0 and is_told(s, seat, story, card, change):
                total += int(s.value[story]) * after
    return total


@rule
def count_gains(s, seat):
    """`gain_of` one more copy, for all cards at once."""
    gain = s.gain[seat]
    up = s.up[seat]
    for c in range(len(gain)):
        gain[c] = s.plain[c] + s.own[c] * (2 * up[c] + 1)
    for k in range(s.n_friends):
        d = s.friend_types[k]
        gain[d] += s.value[d] * up[s.friend[d]]
        gain[s.friend[d]] += s.value[d] * up[d]
    for k in range(s.n_stories):
        story = s.story_types[k]
        if is_told(s, seat, story, story, 1):
            gain[story] += s.value[story]
        if up[story] > 0:
            add_to_completing(s, seat, story, gain)


@rule
def add_to_completing(s, seat, story, gain):
    """Adds the worth of an unfinished story to each card that would finish it."""
    worst = 0
    for q in range(s.n_needs[story]):
        worst = max(worst, lacks(s, seat, story, q))
    if worst == 1:
        worth = s.value[story] * s.up[seat, story]
        for c in range(s.n_types):
            if is_told(s, seat, story, c, 1):
                gain[c] += worth


@rule
def count_table(s):
    """Points and gains of all seats after the table has changed."""
    for seat in range(s.n_seats):
        s.points[seat] = count_points(s, seat)
        count_gains(s, seat)


@rule
def returns(s, out):
    """Placement (T-23): the share of the others beaten less the share of those who did better.

    +1 for beating everybody, -1 for losing to everybody, the sum is zero. Equal scores share their
    place (T-20).
    """
    for seat in range(len(out)):
        out[seat] = 0.0
    if s.phase != Phase.OVER:
        return
    for seat in range(s.n_seats):
        better = 0
        for other in range(s.n_seats):
            if s.points[seat] > s.points[other]:
                better += 1
            elif s.points[seat] < s.points[other]:
                better -= 1
        out[seat] = better / (s.n_seats - 1)
