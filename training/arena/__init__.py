"""Matches and tournaments between bots: strength, ratings and what happens in their games."""
