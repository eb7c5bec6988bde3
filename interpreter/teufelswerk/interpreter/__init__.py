"""core → positions and moves, one at a time: the reference, whose meaning every engine follows; who sees what."""
