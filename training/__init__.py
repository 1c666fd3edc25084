"""Self-play training: learners (imitation, PPO, search), runs, checkpoints and evaluation."""

if __name__ != "rc_env.training":
    raise ImportError(f"{__name__} is no package of its own: write `from rc_env import training`")
