"""Knows no game and no grammar: texts, bounds, chance, diagnostics, files."""
