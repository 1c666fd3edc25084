"""Ivan Yakovlevich, the opponent of the solo game (R-30, R-31)."""
