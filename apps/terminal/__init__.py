"""A game in the terminal: what `rc play` and `rc watch` share."""
