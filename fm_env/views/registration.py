"""Names under which `gymnasium.make` finds the views.

Gymnasium 1.x has no entry points for plug-ins, so the names exist once `fm_env` has been imported,
which `gymnasium.make("fm_env:fm_env/FairyMeat-v0")` does by itself.
"""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

NAMES = {"fm_env/FairyMeat-v0": "fairy_meat"}
"""Gymnasium's id to the game's name."""


def register_views() -> None:
    """Tell Gymnasium about all ids; harmless if it was told before."""
    for name, game in NAMES.items():
        if name not in registry:
            register(
                name,
                entry_point="fm_env.views.gym_env:SeatGame",
                vector_entry_point="fm_env.views.vector:VectorGame",
                kwargs={"game": game},
                disable_env_checker=False,
            )
