"""A game that people play at the terminal: screens, prompts, saved games."""
