"""scenes → verdicts: examples are run over all worlds that fit, and what they leave out is found."""
