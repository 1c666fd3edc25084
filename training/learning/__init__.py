"""Self-play training: what the learners share, imitation, PPO, runs and what they are worth."""
