"""A move → what is legal, as instructions: how many choices there are, and the one that has a number."""
