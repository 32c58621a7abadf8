"""Views: any game as an environment of PettingZoo, Gymnasium and their vector forms.

A game offers all of them in a few lines:

    from fm_env import views

    env, raw_env, parallel_env, vec_env = views.makers("my_game")
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from fm_env.contract import Game
from fm_env.errors import FmEnvError, LoadError

if TYPE_CHECKING:
    from fm_env.views.aec import RawAECGame
    from fm_env.views.aec_wrapped import AECGame
    from fm_env.views.parallel import ParallelGame
    from fm_env.views.vector import VectorGame

__all__ = ["Makers", "from_json", "makers"]


class Makers(NamedTuple):
    """The constructors of a game's views; their arguments are those of the classes they return."""

    env: Callable[..., AECGame]
    """PettingZoo AEC in the usual wrappers."""
    raw_env: Callable[..., RawAECGame]
    """PettingZoo AEC without wrappers."""
    parallel_env: Callable[..., ParallelGame]
    """PettingZoo Parallel."""
    vec_env: Callable[..., VectorGame]
    """Gymnasium VectorEnv: one learner's seat in each of many games."""


def makers(game: str | Game) -> Makers:
    """The constructors of the views of `game` (a game or its name)."""
    from fm_env.views.aec import RawAECGame
    from fm_env.views.aec_wrapped import AECGame
    from fm_env.views.parallel import ParallelGame
    from fm_env.views.vector import VectorGame

    return Makers(
        partial(AECGame, game),
        partial(RawAECGame, game),
        partial(ParallelGame, game),
        partial(VectorGame, game),
    )


def from_json(text: str | bytes) -> AECGame | RawAECGame | ParallelGame:
    """The running game that `to_json` of any PettingZoo view wrote.

    Raises:
        LoadError: not such a text, damaged, or made under other rules.
    """
    from fm_env.views.aec import RawAECGame
    from fm_env.views.aec_wrapped import AECGame
    from fm_env.views.parallel import ParallelGame
    from fm_env.views.table import SCHEMA

    try:
        saved: dict[str, Any] = json.loads(text)
        schema, view = saved["schema"], saved["view"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise LoadError(f"saved game: {type(error).__name__}: {error}") from error
    if schema != SCHEMA:
        raise LoadError(f"saved game: schema {schema!r}, expected {SCHEMA}")
    views: dict[str, Any] = {"aec": AECGame, "raw_aec": RawAECGame, "parallel": ParallelGame}
    if not isinstance(view, str) or view not in views:
        raise LoadError(f"saved game: view {view!r}, expected one of {', '.join(views)}")
    try:
        return views[view]._from_dict(saved)
    except FmEnvError:
        raise
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        raise LoadError(f"saved game: {type(error).__name__}: {error}") from error
