"""Training on Ray's RLlib (extra `scale`, with `train`): the way to many machines.

    config = ppo_config(load_settings("duel"))  # a PPOConfig of RLlib's, to change as you like
    algorithm = config.build_algo()
    algorithm.train()
    save_policy("duellist", *exported(algorithm, settings))

`fm-env train-rllib` does all of it, with progress, checkpoints and resume.
"""
