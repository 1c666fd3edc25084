"""Speed: of this checkout, against another checkout, and of training."""
