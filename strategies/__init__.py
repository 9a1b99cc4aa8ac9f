"""What players do: one package of strategies per game, and the loader of everybody else's."""
