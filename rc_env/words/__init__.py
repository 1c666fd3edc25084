"""A game in words: notation, facts, and the generated tables and pages of the documentation."""
