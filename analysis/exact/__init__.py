"""Exact results: probabilities and expectations from counting arguments and dynamic programmes, never simulated."""
