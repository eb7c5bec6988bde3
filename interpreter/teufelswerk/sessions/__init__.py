"""Moves → a game that is kept on the disk, can be gone back in, and is told moment by moment; how everyone stands."""
