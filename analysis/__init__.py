"""Experiments and statistics over what the compiled core played."""
