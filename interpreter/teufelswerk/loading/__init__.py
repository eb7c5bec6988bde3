"""path → model: the whole way, with all that a file builds upon; kept for the next start."""
