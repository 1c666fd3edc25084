"""A game in words: notation, and the facts of an observation or a game."""
