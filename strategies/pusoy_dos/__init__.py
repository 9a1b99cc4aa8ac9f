"""Strategies of Pusoy Dos, one module each, from the simplest to the strongest."""

from sim.strategy import Strategy
from strategies.pusoy_dos.dumper import DUMPER

STRATEGIES: tuple[Strategy, ...] = (DUMPER,)
