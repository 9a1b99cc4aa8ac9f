"""The compiled core of tresdos: cards, random streams, games, engines and the runner. Imports nothing from the floors above."""
