"""The games: one package each, found by looking in this folder."""
