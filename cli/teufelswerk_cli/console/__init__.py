"""Words, options and keys ↔ the terminal: what every command shares."""
