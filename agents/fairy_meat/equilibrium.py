"""The agent `equilibrium`: plays a clash from solved tables.

In a clash whose options a table was solved for, it plays that equilibrium: it draws its declaration,
its lay and its number with the table's chances. In a duel, and in the fights of a whole table, it does
so wherever a fight is a blow or a shot between full hands of sizes that a table covers; the deck has
then lost some cards that the table still counts, and what a point is worth differs, so this is a good
habit and no equilibrium. All else is left to the bot `counter`: other phases, other options, larger
hands, positions that the table's own strategy never comes to, and uses of caught trumps, which
`counter` answers by exact arithmetic. A later exchange of one fight is played as a fight between what
is left.
"""

from __future__ import annotations

import functools
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from agents.api import Actions, Agent, Dispatcher
from agents.compiled import CompiledAgent
from agents.fairy_meat import BOTS, dispatch, sense
from agents.fairy_meat.clash_table import TABLES, Solved, Tables, load_tables, set_key, types_in
from agents.policy import sample_rows
from fm_env.contract import GameSpec, Mask, Observation
from fm_env.errors import LoadError
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.constants import NUM_CARDS, Phase
from fm_env.games.fairy_meat.observe import observation_labels
from fm_env.games.fairy_meat.observe_fight import ROW
from fm_env.games.fairy_meat.scenario import RULES_VERSION

Ints = npt.NDArray[np.int64]
_LABELS = observation_labels(2)
RULES = _LABELS.index("bout")
KIND = _LABELS.index("kind melee")
CLASH_SIZE = _LABELS.index("fairy 0: clash hand size /24") - _LABELS.index("fairy 0: exists")
ORDER = _LABELS.index("fairy 0: order cards /9") - _LABELS.index("fairy 0: exists")
USES = _LABELS.index("fairy 0: uses weapon 0") - _LABELS.index("fairy 0: exists")
WIDTH = ROW + 4
"""A fairy's row on a table for two."""
NUM_ACTIONS = act.NUM_FIXED + 2
"""Actions of a table for two; a whole table's begin with them, as its observation does with these entries."""

DEFAULT_RULES = (0, 0, 1, 1, 0, 1)
"""Fast Play, damage levels, jokers, joker main free, joker points, call off: those solved for."""


class Seen(NamedTuple):
    """What the tables need of a batch of observations."""

    phase: Ints
    role: Ints
    """0 attacker, 1 defender."""
    jokers_count: npt.NDArray[np.bool_]
    """A joker's damage counts: always in a bout."""
    fits: npt.NDArray[np.bool_]
    """Rules that a table was solved for."""
    hand: npt.NDArray[np.int64]
    """`[B, 21]` the hand as dealt, laid trumps included."""
    sizes: npt.NDArray[np.int64]
    """`[B, 2]` cards of the attacker and of the defender as dealt."""
    signs: Ints
    laid: npt.NDArray[np.int64]
    """`[B, 2]` own trumps laid, red and black."""
    other_laid: npt.NDArray[np.int64]
    """`[B, 2]` the other's, turned up."""
    other_down: Ints
    """The other's, face down."""


class Equilibrium(Agent):
    """Plays clashes from solved tables, everything else as `counter`."""

    name = "equilibrium"

    def __init__(self) -> None:
        self._tables = shipped_tables()
        self._counter = CompiledAgent(BOTS["counter"], (0.7,), cast("Dispatcher", dispatch))
        self._rng = np.random.default_rng(0)

    def check(self, spec: GameSpec) -> None:
        """Refuse other games."""
        if spec.game != "fairy_meat":
            raise LoadError(f"agent 'equilibrium' plays fairy_meat, not {spec.game!r}")

    def reset(self, spec: GameSpec, seat: int, seed: int) -> None:
        """Restart its luck."""
        self.check(spec)
        self._rng = np.random.default_rng(seed)

    def fingerprint(self) -> str:
        """Hash of the tables."""
        return "-".join(str(tables.card["sha256"])[:8] for tables in self._tables.values()) or "no-tables"

    def act(self, observation: Observation, action_mask: Mask) -> int:
        """Sample one legal action."""
        return int(self.act_batch(observation[None], np.asarray(action_mask, np.bool_)[None], self._rng)[0])

    def act_batch(self, observations: Observation, masks: Mask, rng: np.random.Generator) -> Actions:
        """Sample legal actions, `[B]`."""
        chances, known = self.from_tables(observations, masks)
        actions = np.zeros(len(masks), np.int64)
        actions[known] = sample_rows(chances[known].astype(np.float32), rng.random(int(known.sum())))
        if not known.all():
            actions[~known] = self._counter.act_batch(observations[~known], masks[~known], rng)
        return actions

    def probabilities(self, observations: Observation, masks: Mask) -> npt.NDArray[np.float64]:
        """Exact chances `[B, A]`.

        Raises:
            SetupError: outside of fights, where `counter` doesn't tell its own.
        """
        out, known = self.from_tables(observations, masks)
        if not known.all():
            out[~known] = self._counter.probabilities(observations[~known], masks[~known])
        return out

    def from_tables(
        self, observations: Observation, masks: Mask
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """Chances `[B, A]`, and in which rows `[B]` a table has them; the other rows are 0."""
        out, known = np.zeros(masks.shape), np.zeros(len(masks), np.bool_)
        if masks.shape[1] not in (NUM_ACTIONS, act.NUM_TABLE):
            return out, known
        seen = read(observations[:, : len(_LABELS)])
        for name, tables in self._tables.items():
            fits = seen.fits & (seen.jokers_count == (name == BOUT))
            for a, d, role in tables.solved:
                pick = fits & (seen.role == role) & (seen.sizes == (a, d)).all(1)
                if pick.any():
                    rows = np.flatnonzero(pick)
                    known[rows] = self._look_up(tables, (a, d, role), seen, rows, masks, out)
        return out, known

    def _look_up(
        self,
        tables: Tables,
        which: tuple[int, int, int],
        seen: Seen,
        rows: Ints,
        masks: Mask,
        out: np.ndarray,
    ) -> npt.NDArray[np.bool_]:
        """Fill the chances of `rows`; False where the table has no answer."""
        a, d, role = which
        solved = tables.solved[which]
        hands = tables.rows(seen.hand[rows], (a, d)[role])
        done = np.zeros(len(rows), np.bool_)
        phase = seen.phase[rows]
        known = hands >= 0
        first = known & (phase == (Phase.DECLARE_DEFENDER if role else Phase.DECLARE_ATTACKER))
        if first.any():
            after = seen.signs[rows[first]] // 2 if role else 0
            add = solved.declare[after, hands[first]] / 255.0
            out[rows[first], act.DECLARE_ADD], out[rows[first], act.DECLARE_SUBTRACT] = add, 1.0 - add
            done[first] = True
        for stage, sets in ((Phase.LAY_TRUMPS, solved.lay), (Phase.LAY_MAIN, solved.main)):
            some = np.flatnonzero(known & (phase == stage))
            if len(some) == 0:
                continue
            at = rows[some]
            lay, other = np.zeros(len(some), np.int64), np.zeros(len(some), np.int64)
            if stage == Phase.LAY_MAIN:
                lay, other = lays_of(seen, at, solved)
            found = sets.find(set_key(hands[some], seen.signs[at], lay, other, solved.most))
            for k, row in enumerate(found):
                legal = np.flatnonzero(masks[at[k]])
                if len(legal) == 1:
                    out[at[k], legal] = 1.0
                elif row >= 0 and sets.first[row + 1] - sets.first[row] == len(legal):
                    chances = sets.chances[sets.first[row] : sets.first[row + 1]].astype(np.float64)
                    out[at[k], legal] = chances / chances.sum()
                else:
                    continue
                done[some[k]] = True
        return done


BOUT = "clash-joker-points"
"""The table for fights in a bout, where a joker's damage counts."""
CLASH = "clash"


@functools.cache
def shipped_tables() -> dict[str, Tables]:
    """The tables that come with the package, by name."""
    return {name: load_tables(TABLES / name, RULES_VERSION) for name in (CLASH, BOUT)}


def lays_of(seen: Seen, at: Ints, solved: Solved) -> tuple[Ints, Ints]:
    """Own lay and what is seen of the other's, as `set_key` takes them."""

    def number(laid: npt.NDArray[np.int64]) -> Ints:
        red, black = laid[:, 0], laid[:, 1]
        return np.where(red > 0, red, np.where(black > 0, solved.most + black, 0))

    down = seen.other_down[at]
    other = np.where(down > 0, 2 * solved.most + down, number(seen.other_laid[at]))
    return number(seen.laid[at]), other


def read(obs: Observation) -> Seen:
    """Turn observations of a table for two back into cards and counts."""

    def whole(x: np.ndarray) -> npt.NDArray[np.int64]:
        return np.rint(x).astype(np.int64)

    start = len(_LABELS) - 2 * WIDTH
    me, other = obs[:, start : start + WIDTH], obs[:, start + WIDTH :]
    phase = obs[:, sense.PHASE : sense.PHASE + 24].argmax(1)
    phase = np.where(obs[:, sense.PHASE : sense.PHASE + 24].any(1), phase, -1)
    role = np.where(me[:, sense.ATTACKER] > 0, 0, 1)
    rules = whole(obs[:, RULES : RULES + 7])
    is_bout = rules[:, 0] > 0
    wanted = np.array(DEFAULT_RULES)
    same = (rules[:, 1:] == wanted) | (np.arange(6) == 4)  # joker points choose the table
    kind = obs[:, KIND] + obs[:, KIND + 1] > 0
    laid = whole(me[:, sense.LAID : sense.LAID + 2] * 24)
    shown = whole(other[:, sense.LAID : sense.LAID + 2] * 24)
    down = whole(other[:, sense.FACE_DOWN] * 16)
    cards = obs[:, sense.OWN : sense.OWN + NUM_CARDS]
    scale = np.where(np.arange(NUM_CARDS) < 18, 4.0, 16.0)
    hand = types_in(whole(cards * scale))
    hand[:, 18:20] += laid
    own_size = hand.sum(1)
    other_size = whole(other[:, sense.HAND] * 24) + shown.sum(1) + down
    # Before the defender has drawn: what she is going to draw.
    early = phase == Phase.DECLARE_ATTACKER
    other_size = np.where(early, size_to_come(me, other, is_bout), other_size)
    sizes = np.stack(
        [np.where(role == 0, own_size, other_size), np.where(role == 0, other_size, own_size)], 1
    )
    subtracts = [me[:, sense.SUBTRACTS] > 0, other[:, sense.SUBTRACTS] > 0]
    attacker = np.where(role == 0, subtracts[0], subtracts[1])
    defender = np.where(role == 0, subtracts[1], subtracts[0])
    signs = 2 * attacker.astype(np.int64) + defender
    clash_sizes = whole(np.stack([me[:, CLASH_SIZE], other[:, CLASH_SIZE]], 1) * 24)
    dealt = is_bout | (np.stack([own_size, other_size], 1) == clash_sizes).all(1)
    fits = same.all(1) & kind & dealt
    return Seen(phase, role, is_bout | (rules[:, 5] > 0), fits, hand, sizes, signs, laid, shown, down)


def size_to_come(me: np.ndarray, other: np.ndarray, is_bout: np.ndarray) -> Ints:
    """Cards that the defender will draw: her Live with the weapon's modifier, and her Order Card (F-35)."""
    live = np.rint(other[:, sense.LIVE] * 12)
    for slot in range(1, 4):
        modifier = np.rint(me[:, sense.WEAPON + (slot - 1) * sense.WEAPON_WIDTH + 2] * 2)
        live = live + modifier * (me[:, USES + slot] > 0)
    drawn = np.maximum(live, 0) + (other[:, ORDER] > 0)
    return np.where(is_bout, drawn, np.rint(other[:, CLASH_SIZE] * 24)).astype(np.int64)
