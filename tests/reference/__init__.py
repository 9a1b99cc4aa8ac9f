"""Slow, obviously right reference implementations, independent of the engines they bear witness against."""
