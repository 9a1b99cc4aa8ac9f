"""The tests of tresdos."""
