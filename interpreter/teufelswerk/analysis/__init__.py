"""model, core → findings: what is wrong with a game as a whole."""
