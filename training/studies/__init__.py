"""Studies of the game and of bots: what a seat is worth, statistics, tuned weights."""
