"""Benchmarks: how fast the compiled core is, as ratios to plain C doing the same work in turn."""
