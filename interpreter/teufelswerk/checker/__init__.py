"""nodes → model: every name looked up, every type known."""
