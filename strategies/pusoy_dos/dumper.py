"""``dumper``: gets rid of as many cards as it can with each lead, always its lowest ones."""

from sim.games.pusoy_dos.knowledge import lowest_legal
from sim.strategy import Strategy

DUMPER = Strategy(
    "pusoy-dos",
    "dumper",
    """Leads its lowest play of the largest size it has: five cards before three, two and one. In answer it plays the lowest
    that beats the table, and passes only when it has nothing.""",
    {"play": lowest_legal},
    source="the five-card-first player of several public programs; PD-O7 defines it to the card",
)
