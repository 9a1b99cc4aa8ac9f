"""Helpers of the suite that every registered game must pass without a line written for it."""
