"""Self-play training: learners (imitation, PPO, search), runs, checkpoints and evaluation."""
