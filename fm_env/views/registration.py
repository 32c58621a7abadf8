"""Names under which `gymnasium.make` and `pettingzoo.make` find the views.

Gymnasium 1.x has no entry points for plug-ins, so the names exist once `fm_env` has been imported,
which `gymnasium.make("fm_env:fm_env/FairyMeat-v0")` does by itself.
"""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

NAMES = {
    "fm_env/AngryMiniatures-v0": "angry_miniatures",
    "fm_env/FairyMeat-v0": "fairy_meat",
    "fm_env/FairyTale-v0": "fairy_tale",
    "fm_env/SwordAndShield-v0": "sword_and_shield",
}
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


def register_pettingzoo(game: str, module: str) -> None:
    """Tell PettingZoo (1.27 or later; earlier ones have no registry) about a game's module of views.

    `pettingzoo.make("aec", "fm_env/fairy_meat-v0")` then works, and so does "parallel".
    """
    import pettingzoo

    if not hasattr(pettingzoo, "register"):
        return
    name = f"fm_env/{game}-v0"
    if name not in pettingzoo.aec_registry:
        pettingzoo.register("aec", name, f"{module}:env")
    if name not in pettingzoo.parallel_registry:
        pettingzoo.register("parallel", name, f"{module}:parallel_env")
