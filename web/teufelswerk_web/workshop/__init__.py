"""A text that is being written → what it means now: its book, its figures, what differs; files in one folder."""
