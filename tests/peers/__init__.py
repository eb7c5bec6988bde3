"""Games of ours that somebody else has written too, replayed there decision by decision.

`replaying.py` is for all games. Each has its table in `games/`: how cards, moves and results are named there.
"""
