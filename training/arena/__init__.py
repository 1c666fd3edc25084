"""How strong bots are, and what happens in their games."""
