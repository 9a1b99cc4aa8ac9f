"""The version of the toolkit, written into every result."""

__version__ = "0.1.0"
