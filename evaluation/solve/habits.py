"""How a profile plays: how often each role subtracts, says None, bluffs; exact, not sampled."""

from __future__ import annotations

import numpy as np

from evaluation.solve.cfr import Profile, Strategy
from evaluation.solve.deal import BLACK_TRUMP, NUMBERS_END, RED_TRUMP, Floats, Hands
from evaluation.solve.layout import Layout

ROLES = ("attacker", "defender")


def habits(layout: Layout, profile: Profile) -> dict[str, dict[str, float]]:
    """Rates by role when both follow the profile.

    Returns:
        For `"attacker"` and `"defender"`: `subtracts`, the share of declarations; `says_none`, the share
        of lays among hands that hold a trump; `trumps`, how many such a hand lays; `bluffs`, the share of
        numbers that aren't of the colour of the trumps laid with them.
    """
    return {ROLES[who]: _of_role(layout, profile, who) for who in range(2)}


def _of_role(layout: Layout, profile: Profile, who: int) -> dict[str, float]:
    moves, me = layout.moves, layout.sides[who]
    hands, other_hands = moves.deal.hands[who], moves.deal.hands[1 - who]
    mine, hers = profile[who], profile[1 - who]
    held = hands.counts[:, RED_TRUMP : BLACK_TRUMP + 1].sum(1) > 0
    counts = np.array([moves.colour_and_n(lay)[1] for lay in range(moves.num_lays)])
    colours = np.array([moves.colour_and_n(lay)[0] for lay in range(moves.num_lays)])
    subtracts = none = laid = with_trump = bluffs = numbers = 0.0
    for s in range(4):
        declared = _declared(mine, who, s) * hands.ways
        here = declared * _beside(other_hands, hands, len(moves.deal.subs), _declared(hers, 1 - who, s))
        if (s % 2 if who == 1 else s // 2) == 1:
            subtracts += here.sum()
        with_trump += here[held].sum()
        none += (here * mine.lay[s, :, 0])[held].sum()
        laid += (here[:, None] * mine.lay[s] * counts)[held].sum()
        for node, show in enumerate(moves.shows):
            if not any(show.lays[who]):
                continue
            lays = list(show.lays[1 - who])
            reach = _declared(hers, 1 - who, s) * hers.lay[s][:, lays].sum(1)
            beside = _beside(other_hands, hands, len(moves.deal.subs), reach) * declared
            sets = np.arange(me.start[node], me.start[node + 1])
            first, last = me.first[sets[0]] if len(sets) else 0, me.first[me.start[node + 1]]
            owner, main = me.owner[first:last], me.main[first:last]
            weight = beside[me.hand[owner]] * mine.lay[s, me.hand[owner], me.lay[owner]]
            weight = weight * mine.main[s, first:last]
            is_number = main < NUMBERS_END
            numbers += weight[is_number].sum()
            bluffs += weight[is_number & ((main & 1) != colours[me.lay[owner]])].sum()
    share = {"subtracts": subtracts / moves.deal.total, "says_none": none / with_trump}
    return share | {"trumps": laid / with_trump, "bluffs": bluffs / numbers if numbers > 0 else 0.0}


def _declared(play: Strategy, who: int, s: int) -> Floats:
    """`[H]` chance of a fighter's own declaration in `s`."""
    return play.declare[s // 2, :, s % 2] if who == 1 else play.declare[0, :, s // 2]


def _beside(source: Hands, target: Hands, num_subs: int, f: Floats) -> Floats:
    """`sum_y prod C(p - x, y) f(y)` for each hand `x` of `target`."""
    sums = np.zeros(num_subs + 1)
    np.add.at(sums, source.sub, source.spread * f[:, None])
    return (target.gather * sums[target.sub]).sum(1)
