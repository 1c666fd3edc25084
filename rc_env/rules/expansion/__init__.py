"""What only the second box has: its guilds, the promos and the module Contractors."""
