"""What a seat may know, as numbers from its own chair (`observe_fight`, `observe_table`)."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat.constants import MAX_FIGURES, Play
from fm_env.games.fairy_meat.observe_fight import PAIR, fight_labels, observe_fight
from fm_env.games.fairy_meat.observe_table import observe_table, table_labels


@rule
def observe(s, seat, out):
    """Write everything `seat` knows into `out` f4[F]."""
    if s.play == Play.SKIRMISH:
        observe_table(s, seat, out)
    else:
        observe_fight(s, seat, out)


def observation_labels(max_fairies: int) -> tuple[str, ...]:
    """Names of the entries of an observation, in order.

    A whole table begins with the fight at hand, just as a duel would show it.
    """
    if max_fairies == MAX_FIGURES:
        return fight_labels(PAIR) + table_labels()
    return fight_labels(max_fairies)


def observation_size(max_fairies: int) -> int:
    """Entries of an observation on a table for `max_fairies` fairies."""
    return len(observation_labels(max_fairies))
