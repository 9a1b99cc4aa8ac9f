"""Errors that a user can mend (exit code 2) or that a run ends with (exit code 1)."""


class UsageError(ValueError):
    """Something asked for that does not exist or is not defined; the text says what is wrong and what would be right."""


class RunError(RuntimeError):
    """A run that failed while playing: a strategy raised, acted illegally or never returned."""
