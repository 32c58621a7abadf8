"""Playing: three cards each, revealed together, and what they do: HUNT, OPEN, CLOSE (T:29-36, T:66-75)."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_tale.constants import MAX_SEATS, NO_CARD, PACKET, PLAYS, Kind, Op, Phase, Race, Who
from fm_env.games.fairy_tale.draft import lead, remove, seat_at

ANY_RACE = int(Race.ANY)
ANY_KIND = int(Kind.ANY)


# ------------------------------------------------------------------------------------- the table
@rule
def tally(s, seat, card, change):
    """Keep the number of face-up cards by race and kind."""
    race, kind = s.race[card], s.kind[card]
    s.tally[seat, race, kind] += change
    s.tally[seat, race, ANY_KIND] += change
    s.tally[seat, ANY_RACE, kind] += change
    s.tally[seat, ANY_RACE, ANY_KIND] += change


@rule
def lay_up(s, seat, card):
    s.up[seat, card] += 1
    tally(s, seat, card, 1)


@rule
def turn_down(s, seat, card):
    s.up[seat, card] -= 1
    s.down[seat, card] += 1
    tally(s, seat, card, -1)


@rule
def turn_up(s, seat, card):
    s.down[seat, card] -= 1
    lay_up(s, seat, card)


# ------------------------------------------------------------------------------------ the reveal
@rule
def reveal(s):
    """All turn their cards over together (T-03): hunts come first, the rest waits in a list.

    The list holds what was revealed in this step, so a card opened later does nothing again (T-02),
    and a hunted one has lost its effect even if it is opened in the same step (T-05).
    """
    for seat in range(s.n_seats):
        card = s.choice[seat]
        s.choice[seat] = NO_CARD
        remove(s.hand[seat], card)
        s.played[s.step, seat] = card
        lay_up(s, seat, card)
        s.shown[card] += 1
        s.fires[seat] = s.op[card] == Op.OPEN or s.op[card] == Op.CLOSE
    for seat in range(s.n_seats):
        card = s.played[s.step, seat]
        if is_hunted(s, card):
            turn_down(s, seat, card)
            s.fires[seat] = 0
    s.phase = Phase.OPEN
    s.turn = 0
    resume_effects(s)


@rule
def is_hunted(s, card):
    """A HUNT takes every matching card of the same step, whoever played it, and no older one (T-04).

    All hunts happen at once: a hunter that is hunted herself has hunted (T-03).
    """
    for seat in range(s.n_seats):
        hunter = s.played[s.step, seat]
        if s.op[hunter] == Op.HUNT and concerns(s, hunter, card):
            return True
    return False


@rule
def concerns(s, effect, card):
    """Whether the effect of a card is about the race of another; ANY is about all (T-09)."""
    return s.target[effect] == ANY_RACE or s.target[effect] == s.race[card]


# ----------------------------------------------------------------------------------- the effects
@rule
def resume_effects(s):
    """Go on to the next effect that leaves somebody a choice, or to the end of the step.

    All OPENs, then all CLOSEs (T-01, T-03), each in seat order from the leading seat (T-07). An effect
    that was listed at the reveal happens even if its card is closed meanwhile (T-03).
    """
    while True:
        if s.turn == s.n_seats:
            if s.phase == Phase.CLOSE:
                break
            s.phase = Phase.CLOSE
            s.turn = 0
        seat = (lead(s) + s.turn) % s.n_seats
        if s.fires[seat] and s.op[s.played[s.step, seat]] == s.phase - 1:
            if begin_effect(s, seat):
                return
            turn_cards(s)
            s.fires[seat] = 0
        s.turn += 1
    end_step(s)


@rule
def finish_effect(s):
    """Everybody asked has chosen: the cards turn, and the next effect follows."""
    turn_cards(s)
    s.fires[(lead(s) + s.turn) % s.n_seats] = 0
    s.turn += 1
    resume_effects(s)


@rule
def is_target(s, effect, seat, card):
    """Whether a seat may turn a card for an effect (T-08, T-09): one of the printed race, face down
    for an OPEN, face up for a CLOSE, any age, the card that does it too; copies chosen already are gone.
    """
    if not concerns(s, effect, card):
        return False
    left = int(s.down[seat, card]) if s.op[effect] == Op.OPEN else int(s.up[seat, card])
    for k in range(s.n_turned[seat]):
        left -= s.turned[seat, k] == card
    return left > 0


@rule
def acting_effect(s):
    """The card whose effect is being resolved."""
    return s.played[s.step, (lead(s) + s.turn) % s.n_seats]


@rule
def begin_effect(s, seat):
    """Ask the owners of all tableaux concerned (T-06: each picks for herself); False if nobody has a choice.

    Turning is a duty as far as there are targets (T-08). Where all targets are alike, or all of
    them must be turned, everyone can see what happens and nobody is asked (T-24).
    """
    effect = s.played[s.step, seat]
    asked = False
    for j in range(s.n_seats):
        s.owes[j] = 0
        s.n_turned[j] = 0
        if s.who[effect] == Who.ALL or j == seat:
            targets, kinds = count_targets(s, effect, j)
            s.owes[j] = min(s.count[effect], targets)
            if kinds == 1 or targets == s.owes[j]:
                choose_first(s, effect, j)
            asked = asked or s.n_turned[j] < s.owes[j]
    return asked


@rule
def count_targets(s, effect, seat):
    """Cards that a seat may turn, and how many different ones."""
    targets, kinds = 0, 0
    for card in range(s.n_types):
        if s.op[effect] == Op.OPEN:
            n = int(s.down[seat, card])
        else:
            n = int(s.up[seat, card])
        if n > 0 and concerns(s, effect, card):
            targets += n
            kinds += 1
    return targets, kinds


@rule
def choose_first(s, effect, seat):
    """Choose for a seat that has nothing to choose."""
    for card in range(s.n_types):
        while s.n_turned[seat] < s.owes[seat] and is_target(s, effect, seat, card):
            s.turned[seat, s.n_turned[seat]] = card
            s.n_turned[seat] += 1


@rule
def turn_cards(s):
    """All have picked for this effect: their cards turn together (T-07)."""
    for seat in range(s.n_seats):
        for k in range(s.owes[seat]):
            if s.phase == Phase.OPEN:
                turn_up(s, seat, s.turned[seat, k])
            else:
                turn_down(s, seat, s.turned[seat, k])
            s.turned[seat, k] = NO_CARD
        s.owes[seat] = 0
        s.n_turned[seat] = 0


# --------------------------------------------------------------------------------------- the ends
@rule
def end_step(s):
    s.fires[:] = 0
    s.turn = 0
    s.step += 1
    s.phase = Phase.PLAY
    if s.step == PLAYS:
        end_round(s)


@rule
def end_round(s):
    """The two unused cards of each go, face down (T-11), and the lead moves on (T-07)."""
    for seat in range(s.n_seats):
        remember_unused(s, seat)
    for seat in range(s.n_seats):
        for k in range(PACKET - PLAYS):
            s.out[seat, s.hand[seat, k]] += 1
    s.hand[:] = NO_CARD
    s.took[:] = NO_CARD
    s.played[:] = NO_CARD
    s.step = 0
    s.drafted = 0
    s.dealt = 0
    s.round_number += 1
    s.phase = Phase.DEAL if s.round_number < s.rounds else Phase.OVER


@rule
def remember_unused(s, seat):
    """What a seat can be sure of about the others' unused cards (T-12, T-25).

    Of each card that it saw in passing and that others took, as many copies are unused as were taken
    and not played this round. What it saw in a round is forgotten beyond that.
    """
    matched = 0
    for p in range(s.n_seats):
        seen = False
        for t in range(PACKET):
            picker = seat_at(s, p, t)
            if picker == seat:
                seen = True
            elif seen:
                card = s.took[t, p]
                play = play_like(s, seat, card, matched)
                if play >= 0:
                    matched |= 1 << play
                else:
                    s.known_out[seat, card] += 1


@rule
def play_like(s, seat, card, matched):
    """Number of a play of this card this round by others than `seat`, not yet in the bit set; or -1."""
    for step in range(PLAYS):
        for other in range(s.n_seats):
            play = step * MAX_SEATS + other
            if s.played[step, other] == card and other != seat and not matched >> play & 1:
                return play
    return -1
