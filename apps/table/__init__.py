"""One game as a person plays it."""
