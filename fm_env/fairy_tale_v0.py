"""Fairy Tale as environments.

from fm_env import fairy_tale_v0

env = fairy_tale_v0.env(scenario="expert", num_players=4, render_mode="human")   # PettingZoo AEC
env = fairy_tale_v0.parallel_env(scenario="basic", num_players=3)                # PettingZoo Parallel
envs = fairy_tale_v0.vec_env(256, "expert", num_players=2, opponents=["greedy"]) # Gymnasium VectorEnv
env = gymnasium.make("fm_env/FairyTale-v0", scenario="expert", num_players=2, opponent="greedy")
"""

from fm_env import views
from fm_env.views.registration import register_pettingzoo

env, raw_env, parallel_env, vec_env = views.makers("fairy_tale")
from_json = views.from_json
register_pettingzoo("fairy_tale", __name__)

__all__ = ["env", "from_json", "parallel_env", "raw_env", "vec_env"]
