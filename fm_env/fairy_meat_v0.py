"""Fairy Meat as environments.

from fm_env import fairy_meat_v0

env = fairy_meat_v0.env(scenario="duel", render_mode="human")        # PettingZoo AEC
env = fairy_meat_v0.parallel_env(scenario="duel")                    # PettingZoo Parallel
envs = fairy_meat_v0.vec_env(256, "duel", opponents=["median"])      # Gymnasium VectorEnv
env = gymnasium.make("fm_env/FairyMeat-v0", scenario="duel", opponent="median")
"""

from fm_env import views
from fm_env.views.registration import register_pettingzoo

env, raw_env, parallel_env, vec_env = views.makers("fairy_meat")
from_json = views.from_json
register_pettingzoo("fairy_meat", __name__)

__all__ = ["env", "from_json", "parallel_env", "raw_env", "vec_env"]
