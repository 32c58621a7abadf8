"""Listing what there is to ask after the numbers: compiled parts of `late`."""

from __future__ import annotations

import numpy as np

from evaluation.solve.ends import JOKER_MAIN, NOT_LATE, WILD_MAIN, late_mode
from evaluation.solve.wild import JOKER_TYPE
from fm_env.compiled import allocating_rule, rule

NO_ROWS = (
    np.zeros(0, np.int64),
    np.zeros((0, 6), np.int64),
    np.zeros((0, 2, 3), np.int64),
    np.zeros(0, np.int64),
)


@rule
def list_wild(
    who, mine, partners, her_lay, is_wild, her_main, one, both, lays, joker_points, index, cards, piles, modes
):
    """List pairs in which somebody lays a wild trump and the policy is asked; returns how many.

    Args:
        who: seat that follows the policy.
        mine: `[B, 3]` hand, lay and main card of its entries.
        partners: `[B, 2]` a hand that fits beside each, by the colour of its wild trump; -1 without.
        her_lay: the other fighter's lay.
        is_wild: whether she lays a wild trump.
        her_main: her main card if not.
        one: `[P, 3]` no pile, then the piles to ask about if one fighter is wild.
        both: as `one`, if both are.
        lays: `[L, 2]` colour and number of each lay.
        joker_points: as in `ends`.
        index: `[n]` out, or empty to count only; as the rest.
        cards: `[n, 6]`.
        piles: `[n, 2, 3]`.
        modes: `[n]`.
    """
    n = 0
    for k in range(len(mine)):
        main = mine[k, 2]
        wild = main >= WILD_MAIN
        if not wild and not is_wild:
            continue
        found = both if wild and is_wild else one
        for i in range(len(found)):
            if wild != (i > 0) or (wild and found[i, main - WILD_MAIN] == 0):
                continue
            for j in range(len(found)):
                if is_wild != (j > 0):
                    continue
                colour = 0
                if is_wild and (found[j, 0] == 0 or partners[k, 0] < 0):
                    colour = 1
                if partners[k, colour] < 0 or (is_wild and found[j, colour] == 0):
                    continue
                number = main_of(found[i, 2]) if wild else main
                her_number = main_of(found[j, 2]) if is_wild else her_main
                lay, other = lays[mine[k, 1]], lays[her_lay]
                if who == 0:
                    mode = late_mode(
                        who, number, her_number, lay[0], lay[1], other[0], other[1],
                        found[i, 0], found[i, 1], found[j, 0], found[j, 1], joker_points,
                    )  # fmt: skip
                else:
                    mode = late_mode(
                        who, her_number, number, other[0], other[1], lay[0], lay[1],
                        found[j, 0], found[j, 1], found[i, 0], found[i, 1], joker_points,
                    )  # fmt: skip
                if mode == NOT_LATE:
                    continue
                if len(index) > 0:
                    index[n] = k
                    modes[n] = mode
                    for c in range(3):
                        cards[n, c] = mine[k, c]
                        piles[n, who, c] = found[i, c]
                        piles[n, 1 - who, c] = found[j, c]
                    cards[n, 3] = partners[k, colour]
                    cards[n, 4] = her_lay
                    cards[n, 5] = WILD_MAIN + colour if is_wild else her_main
                n += 1
    return n


@rule
def main_of(kind):
    """Main card that a type which ended the draws becomes."""
    return JOKER_MAIN if kind == JOKER_TYPE else kind


@allocating_rule
def find_partners(pack, hands, wanted, other_hands, offered):
    """For each hand in `wanted`, the first of the hands `offered` that fits beside it, or -1."""
    out = np.full(len(wanted), -1, np.int64)
    for k in range(len(wanted)):
        for g in range(len(offered)):
            fits = True
            for t in range(len(pack)):
                fits &= hands[wanted[k], t] + other_hands[offered[g], t] <= pack[t]
            if fits:
                out[k] = offered[g]
                break
    return out
