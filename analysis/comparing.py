"""What a paired design is worth: the variance reduction of a difference between two arms."""

from __future__ import annotations

from typing import NamedTuple


class VarianceReduction(NamedTuple):
    """How a design compares with independent games of the same number.

    Attributes
    ----------
    vrf : float or None
        Variance of the difference if all games were independent, over its variance in the design. It can be below 1.
    ess : float or None
        The number of independent games per arm that would be worth as much.
    """

    vrf: float | None
    ess: float | None


def variance_reduction(game_var_a: float | None, game_var_b: float | None, games: int, se: float | None) -> VarianceReduction:
    """Return VRF = (s2_A + s2_B) / (G SE^2) and ESS = G VRF of a difference A - B.

    Parameters
    ----------
    game_var_a, game_var_b : float or None
        Variance between single games of each arm, in the squared unit of the measure; None where it is not known.
    games : int
        Games per arm, G.
    se : float or None
        Standard error of the difference in the design that was played.

    Returns
    -------
    VarianceReduction
        Both None where the standard error is zero or something is unknown.

    Raises
    ------
    ValueError
        If a variance or the standard error is negative or not a number, or there is no game.
    """
    if games < 1:
        raise ValueError(f"games must be at least 1, got {games!r}")
    for name, number in (("game_var_a", game_var_a), ("game_var_b", game_var_b), ("se", se)):
        if number is not None and not number >= 0:
            raise ValueError(f"{name} must not be negative, got {number!r}")
    if game_var_a is None or game_var_b is None or se is None or se == 0:
        return VarianceReduction(None, None)
    vrf = (game_var_a + game_var_b) / (games * se**2)
    return VarianceReduction(vrf, games * vrf)
