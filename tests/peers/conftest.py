"""Variants beside the tables are not looked at by themselves: their games lie elsewhere. Replaying them loads them."""

collect_ignore_glob = ["games/*.rules.md"]
