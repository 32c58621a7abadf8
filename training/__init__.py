"""Self-play training: a batch of games as an SB3 VecEnv, a regularised learner, and whole runs."""
