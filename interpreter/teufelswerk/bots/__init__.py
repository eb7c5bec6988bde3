"""views → moves: players for any game, who know no more than their seat."""
