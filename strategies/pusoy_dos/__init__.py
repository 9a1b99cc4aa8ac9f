"""Strategies of Pusoy Dos, one module each, from the simplest to the strongest."""

from sim.strategy import Strategy
from strategies.pusoy_dos.control import CONTROL
from strategies.pusoy_dos.dumper import DUMPER
from strategies.pusoy_dos.endgame import ENDGAME
from strategies.pusoy_dos.lowest import LOWEST
from strategies.pusoy_dos.partition import PARTITION
from strategies.pusoy_dos.randomly import RANDOM
from strategies.pusoy_dos.saver import SAVER

STRATEGIES: tuple[Strategy, ...] = (RANDOM, LOWEST, DUMPER, SAVER, PARTITION, CONTROL, ENDGAME)
