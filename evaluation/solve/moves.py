"""What may be laid in a clash, and what of it is seen: the tree above the last open questions.

    declare (A) - declare (D) - lay trumps, both in secret - lay main cards, both in secret

A lay is 0 (None) or `1 + colour * most + n - 1`. What both have seen of the two lays is a `Show`:
counts and colours where both laid, a bare number where one said None.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from evaluation.solve.deal import BLACK_TRUMP, JOKER_TYPE, NUMBERS_END, RED_TRUMP, Deal, make_deal
from evaluation.solve.ends import JOKER_MAIN, NO_MAIN, WILD_MAIN
from fm_env.contract import Scenario
from fm_env.errors import SetupError
from fm_env.games.fairy_meat.constants import Combat, Kind, Play

ATTACKER, DEFENDER = 0, 1
SIGNS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
"""What attacker and defender declared; the index is `2 * (A subtracts) + (D subtracts)`."""


@dataclass(frozen=True)
class Rules:
    """The options of a clash that its tree and its ends depend on."""

    levels: bool
    joker_points: bool
    joker_main_free: bool
    call_off: bool


@dataclass(frozen=True)
class Show:
    """What both know after the trumps are laid."""

    lays: tuple[tuple[int, ...], tuple[int, ...]]
    """Lays that each fighter may have made: two (of either colour) where hers lie face down."""
    is_shown: bool
    """Both laid, so all are turned up."""


class Moves:
    """Hands, lays and main cards of one scenario."""

    def __init__(self, scenario: Scenario) -> None:
        """Read a clash under UnclEvl's combat.

        Raises:
            SetupError: another scenario, another combat, fixed hands, an empty hand, a spell, or a deck
                with trumps of several ranks.
        """
        s = scenario.setup
        if scenario.spec.game != "fairy_meat" or scenario.spec.scenario != "clash" or s.play != Play.CLASH:
            raise SetupError(
                f"scenario: expected a clash of fairy_meat, got {scenario.spec.scenario!r}"
                f" of {scenario.spec.game!r}"
            )
        if s.combat != Combat.UNCLEVL:
            raise SetupError("combat: expected 'unclevl'; only its clashes have something to solve")
        if s.kind == Kind.PRICK:
            raise SetupError("kind: expected melee, ranged or wrestle; a spell may be turned round")
        if int(s.hand.sum()) > 0:
            raise SetupError("setup: expected hands that are dealt, not given")
        a, d = (int(n) for n in s.hand_size)
        if a < 1 or d < 1:
            raise SetupError(f"a, d: expected at least one card each, got {a} and {d}")
        self.scenario = scenario
        self.kind = int(s.kind)
        self.rules = Rules(
            levels=bool(s.damage_levels) and s.kind != Kind.WRESTLE,
            joker_points=bool(s.joker_points) and s.kind == Kind.MELEE,
            joker_main_free=bool(s.joker_main_free),
            call_off=bool(s.call_off),
        )
        self.deal: Deal = make_deal(s.pack, a, d)
        self.most = max(1, max(int(h.counts[:, RED_TRUMP:JOKER_TYPE].max()) for h in self.deal.hands))
        """Trumps of a colour that one hand can hold."""

    @property
    def num_lays(self) -> int:
        """None and `most` of each colour."""
        return 1 + 2 * self.most

    def lay(self, colour: int, n: int) -> int:
        """Number of a lay."""
        return 0 if n == 0 else 1 + colour * self.most + n - 1

    def colour_and_n(self, lay: int) -> tuple[int, int]:
        """What a lay's number stands for; None is (0, 0)."""
        return (0, 0) if lay == 0 else ((lay - 1) // self.most, (lay - 1) % self.most + 1)

    @cached_property
    def lays(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """`[H, L]` for each fighter: lays that each hand allows (U-07, U-21)."""
        return self._lays(ATTACKER), self._lays(DEFENDER)

    def _lays(self, who: int) -> npt.NDArray[np.bool_]:
        hands = self.deal.hands[who].counts
        out = np.zeros((len(hands), self.num_lays), np.bool_)
        out[:, 0] = True
        bare = (hands[:, :NUMBERS_END].sum(1) == 0) & (hands[:, JOKER_TYPE] == 0)
        for colour in range(2):
            n = hands[:, RED_TRUMP + colour].astype(np.int64)
            if who == ATTACKER and not self.rules.call_off:
                n = n - (bare & (hands[:, BLACK_TRUMP - colour] == 0))
            for k in range(1, self.most + 1):
                out[:, self.lay(colour, k)] = n >= k
        return out

    def mains(self, hand: npt.NDArray[Any], lay: int) -> list[int]:
        """Main cards that a hand may lay after a lay, as codes of `ends` (U-16, U-18, U-20)."""
        colour, n = self.colour_and_n(lay)
        found = [t for t in range(NUMBERS_END) if hand[t] > 0]
        joker = [JOKER_MAIN] if hand[JOKER_TYPE] > 0 else []
        if found:
            return found + (joker if self.rules.joker_main_free else [])
        wild = [WILD_MAIN + c for c in range(2) if hand[RED_TRUMP + c] - (n if c == colour else 0) > 0]
        return joker + wild or [NO_MAIN]

    @cached_property
    def shows(self) -> tuple[Show, ...]:
        """Everything that the two lays can show."""
        lays = range(1, self.num_lays)
        hidden = [tuple(self.lay(colour, n) for colour in range(2)) for n in range(1, self.most + 1)]
        found = [Show(((0,), (0,)), False)]
        found += [Show((both, (0,)), False) for both in hidden]
        found += [Show(((0,), both), False) for both in hidden]
        found += [Show(((mine,), (hers,)), True) for mine in lays for hers in lays]
        usable = [{int(k) for k in np.flatnonzero(self.lays[who].any(0))} for who in range(2)]
        return tuple(show for show in found if all(usable[who] & set(show.lays[who]) for who in range(2)))
