"""Keys of the random streams: which seed, purpose family, game and scheme lead to which two words."""

import hashlib
import secrets

import numpy as np
import numpy.typing as npt

SCHEME = 1
"""Version of the addressing scheme; it enters every key and every stored result."""

FAMILIES = ("cards", "strategy", "table")
"""Purpose families in the order in which an engine receives their keys."""


def stream_key(seed: int, family: str, game: str) -> tuple[int, int]:
    """Two 64-bit words for one family of streams.

    Neither rules nor strategy names enter: arms of an experiment share the luck. A seat's key gives no card key away.

    Parameters
    ----------
    seed : int
        The seed of the run, 0 or more.
    family : str
        One of ``FAMILIES``, or ``analysis``.
    game : str
        The game's name.
    """
    text = f"{seed}|{family}|{game}|{SCHEME}".encode()
    digest = hashlib.blake2b(text, digest_size=16).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little")


def engine_keys(seed: int, game: str) -> npt.NDArray[np.uint64]:
    """The keys an engine needs: uint64 array of shape (6,), two words for each of ``FAMILIES``."""
    return np.array([word for family in FAMILIES for word in stream_key(seed, family, game)], dtype=np.uint64)


def fresh_seed() -> int:
    """A seed that nobody has used before: 48 random bits, few enough to read aloud."""
    return secrets.randbits(48)
