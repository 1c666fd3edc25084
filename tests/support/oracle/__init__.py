"""A second implementation of the rules: plain, slow Python in the words of the game record, written from the rulings.

A turn is a coroutine that yields at each decision of a player, so that nothing here resembles the engine's stack of
decision points. `game.Game` plays a deal in the form of a record's first line with the numbers of the data files; it
imports nothing of `rc_env`. `bridge` joins it to the engine, `deal` draws deals, `record` writes games, `arrange` sets
positions up. `python tests/support/oracle --help` writes records of random games, and replays records.
"""
