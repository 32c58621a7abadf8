"""Sword and Shield as environments.

from fm_env import sword_and_shield_v0

env = sword_and_shield_v0.env(knights=["bear", "fox"], render_mode="human")   # PettingZoo AEC
env = sword_and_shield_v0.parallel_env()                                      # PettingZoo Parallel
envs = sword_and_shield_v0.vec_env(256, opponents=["reader"])                 # Gymnasium VectorEnv
env = gymnasium.make("fm_env/SwordAndShield-v0", opponent="hitter")
"""

from fm_env import views
from fm_env.views.registration import register_pettingzoo

env, raw_env, parallel_env, vec_env = views.makers("sword_and_shield")
from_json = views.from_json
register_pettingzoo("sword_and_shield", __name__)

__all__ = ["env", "from_json", "parallel_env", "raw_env", "vec_env"]
