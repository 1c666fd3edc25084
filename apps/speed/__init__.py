"""Speed measurements: of this checkout, in comparison with another checkout, and of training."""
