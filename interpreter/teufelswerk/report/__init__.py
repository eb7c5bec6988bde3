"""The report: what a game and its variants do when they are played many times, as one page."""
