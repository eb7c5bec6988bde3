"""a text that is being written → what an editor asks about it: findings, repairs, names, outline, what may follow."""
