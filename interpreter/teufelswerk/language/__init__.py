"""texts → words in a language."""
