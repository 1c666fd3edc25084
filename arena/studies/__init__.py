"""Studies of the game and of bots: the value of each seat, game statistics, tuning of weights, calibration."""
