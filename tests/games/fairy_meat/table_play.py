"""Positions on the whole table, played through the public Match.

Figures are called by their letters in the order in which they are given, as in `play.py`; unless told
otherwise the first belongs to seat 0, the second to seat 1 and so on. They stand on an empty table of
48 by 48 inches, unarmed and without Twinkle. Fights are by the Fast Play rules unless told otherwise.
"""

from __future__ import annotations

from typing import Any

from fm_env.games.fairy_meat.constants import INCH
from fm_env.match import Match
from tests.games.fairy_meat.play import LETTERS, asked, game

CALLS = "KQJT9876"
"""Ranks of the Order Cards that fairies hold: the first to act has the King, the rest follow."""


def box(x: float, y: float, width: float, depth: float, height: float) -> dict[str, Any]:
    return {"kind": "box", "x": x, "y": y, "width": width, "depth": depth, "height": height}


def cylinder(x: float, y: float, radius: float, height: float) -> dict[str, Any]:
    return {"kind": "cylinder", "x": x, "y": y, "radius": radius, "height": height}


def corpse(x: float, y: float, meat_live: int = 1, meat_kill: int = 1, **more: Any) -> dict[str, Any]:
    """A figure without Live and Kill."""
    return {"x": x, "y": y, "live": 0, "kill": 0, "meat_live": meat_live, "meat_kill": meat_kill, **more}


def position(*figures: dict[str, Any], pieces: Any = (), draws: str = "", **options: Any) -> Match:
    """The first choice of a position; draws that aren't named come from seed 1."""
    options = {"combat": "fast_play", "size_in": 48, "num_players": 2, "attacker_bonus": 0, **options}
    plain = {"twinkle": 0}
    start: dict[str, Any] = {
        "figures": [{"seat": k, **plain, **figure} for k, figure in enumerate(figures)],
        "items": options.pop("start_items", []),
    }
    options.setdefault("terrain", {"size": options["size_in"], "pieces": list(pieces)})
    return game().new_match(scenario="skirmish", setup=start, chance=draws.split(), seed=1, **options)


def turn(*figures: dict[str, Any], who: str = "A", draws: str = "", **options: Any) -> Match:
    """The moment the turn of `who` starts in round 1; the others still hold their Order Cards.

    `draws` are those of her turn. Nobody has Thought.
    """
    first = LETTERS.index(who)
    living = [k for k, one in enumerate(figures) if one.get("live", 3) + one.get("kill", 3) > 0]
    seats = [one.get("seat", k) for k, one in enumerate(figures)]
    calls = iter(CALLS[1:])
    card = {k: "Kr" if k == first else next(calls) + "b" for k in living}
    dealt = sorted(living, key=lambda k: (seats[k], k))  # in rotation, a seat's own one after the other
    m = position(*figures, draws=" ".join([*(card[k] for k in dealt), *draws.split()]), **options)
    return act(m, who)


def act(m: Match, who: str) -> Match:
    """Let `who` act next: she turns her card up at the next call of it, everybody else holds on."""
    f = LETTERS.index(who)
    while m.state.turn != f:
        moved = False
        for seat in m.pending:
            legal = m.legal(seat)
            if "end turn" in legal:
                m.play(seat, "end turn")
            elif "think 0" in legal:
                m.play(seat, "think 0")
            elif "hold" in legal:
                mine = asked(m, seat) == f
                at = [text for text in legal if text.startswith("act at")]
                m.play(seat, at[0] if mine and at else "hold")
            elif len(legal) == 1:
                m.play(seat, legal[0])
            else:
                continue
            moved = True
            break
        assert moved, f"{who} can't be brought to act:\n{m}"
    return m


def does(m: Match, *texts: str) -> Match:
    """Whoever is asked alone plays these texts one after the other."""
    for text in texts:
        (seat,) = m.pending
        m.play(seat, text)
    return m


def legal(m: Match) -> set[str]:
    """What the only seat that is asked may do."""
    (seat,) = m.pending
    return set(m.legal(seat))


def place(m: Match, f: str) -> tuple[float, float, float]:
    """Where a figure stands, in inches: x, y and the height under her."""
    x, y, z = (int(v) / INCH for v in m.state.pos[LETTERS.index(f)])
    return x, y, z


def named(m: Match, chooser: str, f: str) -> str:
    """How the player of `chooser` points at figure `f`."""
    seat = int(m.state.owner[LETTERS.index(chooser)])
    return f"fairy {int(m.state.place[seat, LETTERS.index(f)])}"


def sees(m: Match, f: str, g: str) -> int:
    """What `f` sees of `g`: 0 nothing, 1 a part, 2 all."""
    return int(m.state.sees[LETTERS.index(f), LETTERS.index(g)])


def touches(m: Match, f: str, g: str) -> bool:
    return bool(m.state.touch[LETTERS.index(f), LETTERS.index(g)])


def hands(m: Match) -> tuple[int, int]:
    """Cards in the hands of the attacker and the defender."""
    s = m.state
    return int(s.n_hand[s.attacker]), int(s.n_hand[s.defender])


def fight(m: Match, *wanted: str) -> Match:
    """Play the fight going on to its end: of these texts the first that is legal, else the first choice."""
    while m.state.attacker >= 0 and m.state.mover < 0:
        seat = m.pending[0]
        options = m.legal(seat)
        m.play(seat, next((text for text in wanted if text in options), options[0]))
    return m
