"""Games of ours that somebody else has written too, replayed there decision by decision.

`replaying.py` is for all games. A module that is called like a game holds its table: how cards, moves and results of
that game are named there. It finds itself in `tables.py`.
"""
