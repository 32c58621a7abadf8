"""Self-play training: a batch of games as an SB3 VecEnv, a regularised learner, and whole runs."""

import os

# Torch's threads spin while they wait for each other. On a machine that is busy with other things
# that made two threads ten times slower than one; sleeping costs little when it is idle. Works
# only if set before torch is first imported; the user's own choice stays.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
