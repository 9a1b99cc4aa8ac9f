"""Strategies of Tres y Dos, one module each, from the simplest to the strongest."""

from sim.strategy import Strategy
from strategies.tres_y_dos.greedy import GREEDY
from strategies.tres_y_dos.guarded import GUARDED
from strategies.tres_y_dos.outs import OUTS
from strategies.tres_y_dos.pattern import PATTERN
from strategies.tres_y_dos.randomly import RANDOM
from strategies.tres_y_dos.reader import READER
from strategies.tres_y_dos.stock_only import STOCK_ONLY
from strategies.tres_y_dos.tips import TIPS

STRATEGIES: tuple[Strategy, ...] = (RANDOM, STOCK_ONLY, GREEDY, PATTERN, OUTS, TIPS, GUARDED, READER)
