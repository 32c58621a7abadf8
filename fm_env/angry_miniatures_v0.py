"""Angry Miniatures as environments.

from fm_env import angry_miniatures_v0

env = angry_miniatures_v0.env(scenario="skirmish", render_mode="human")      # PettingZoo AEC
env = angry_miniatures_v0.parallel_env(scenario="skirmish", teams="build")   # PettingZoo Parallel
envs = angry_miniatures_v0.vec_env(256, "duel", opponents=["rusher"])        # Gymnasium VectorEnv
env = gymnasium.make("fm_env/AngryMiniatures-v0", scenario="duel", opponent="kiter")
"""

from fm_env import views
from fm_env.views.registration import register_pettingzoo

env, raw_env, parallel_env, vec_env = views.makers("angry_miniatures")
from_json = views.from_json
register_pettingzoo("angry_miniatures", __name__)

__all__ = ["env", "from_json", "parallel_env", "raw_env", "vec_env"]
