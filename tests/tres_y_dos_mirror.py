"""Players of the reference engine of Tres y Dos, and compiled decisions that do the same with the same luck.

Keys and addresses of the streams are those of ``sim.keys`` and ``sim.rng``; the words are made by the plain generators
of ``tests.reference.streams``. The fingerprint player decides by a digest of everything that it sees, so that one
differing field of one view soon shows in what is played.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sim.bits import ONE, TWO, ZERO, count_of, exactly_1, exactly_2, exactly_3, exactly_4, popcount, rank_bit, rank_of
from sim.games.tres_y_dos.engine import full_house
from sim.games.tres_y_dos.view import NO_RANK, PILE, STOCK
from sim.jit import kernel
from sim.keys import stream_key
from sim.rng import view_below
from sim.strategy import Player, Strategy, set_parameters
from tests.reference import streams
from tests.reference import tres_y_dos as reference
from tests.reference.streams import Stream, draw_order, philox4x64
from tests.reference.tres_y_dos import Greedy, RandomPlayer, StockOnly, View, legal_discards

GAME = "tres-y-dos"
RANKS = 13

CARDS, STRATEGY, TABLE = 0, 2, 5
"""Purposes of streams."""

FIRST_DEALER, DEALER, TIE, NOTICE = 0, 1, 2, 3
"""Uses of the table's streams."""

DRAW, DISCARD, SHOW, SHOW_DEALT = 0, 1, 2, 3
"""Which words of a turn's private randomness a decision begins with, in multiples of 2**32."""


# Luck -----------------------------------------------------------------------------------------------------------


def cards_stream(seed: int, unit: int, hand: int, epoch: int) -> Stream:
    """The stream of a deck (epoch 0) or of a reshuffle."""
    return Stream(stream_key(seed, "cards", GAME), (0, unit, hand << 16 | epoch, CARDS))


def table_stream(seed: int, unit: int, hand: int, use: int) -> Stream:
    """The stream of one use of the table's luck."""
    return Stream(stream_key(seed, "table", GAME), (0, unit, hand << 16 | use, TABLE))


class UnitLuck:
    """The luck of one hand of a unit, for the reference engine."""

    def __init__(self, seed: int, unit: int, hand: int, notice_prob: float) -> None:
        self.seed, self.unit, self.hand = seed, unit, hand
        self.notice_prob = notice_prob
        self.noticing = table_stream(seed, unit, hand, NOTICE)
        self.epoch = 0

    def deck(self) -> Iterator[int]:
        """Return the drawing order of the deck."""
        return draw_order(cards_stream(self.seed, self.unit, self.hand, 0), range(52))

    def reshuffle(self, epoch: int, pile: list[int]) -> Iterator[int]:
        """Return the drawing order of a pile that was shuffled."""
        self.epoch = epoch
        return draw_order(cards_stream(self.seed, self.unit, self.hand, epoch), pile)

    def notice(self) -> bool:
        """Tell whether the next word, as a number in [0, 1), is below the probability."""
        return (self.noticing.next() >> 11) / 2**53 < self.notice_prob

    def tie(self, k: int) -> int:
        """Return which of those who tie wins."""
        return table_stream(self.seed, self.unit, self.hand, TIE).below(k)


class SeatWords:
    """The private randomness of a seat for one decision."""

    def __init__(self, seed: int) -> None:
        self.key = stream_key(seed, "strategy", GAME)

    def start(self, unit: int, hand: int, seat: int, turn: int, kind: int) -> None:
        """Begin the words of a decision."""
        self.counter = (unit, hand << 40 | seat << 32 | turn, STRATEGY)
        self.used = kind << 32

    def next(self) -> int:
        """Return the next word."""
        word = philox4x64((self.used >> 2, *self.counter), self.key)[self.used & 3]
        self.used += 1
        return word

    def below(self, n: int) -> int:
        """Return an integer uniform on 0 .. n-1."""
        return streams.below(self, n)


# What a seat sees -----------------------------------------------------------------------------------------------


def packed(counts: Sequence[int]) -> int:
    """Counts of the thirteen ranks as one word, four bits a rank."""
    return sum(count << 4 * rank for rank, count in enumerate(counts))


def seen(view: View, rule: str, target: int, own_draws: Sequence[int]) -> dict[str, int | list[int]]:
    """The reference's view in the fields and words of the compiled one.

    Parameters
    ----------
    view : View
    rule : str
        The table's ``pickup_discard_rule``.
    target : int
        Hands that win the match, 0 for a single hand.
    own_draws : sequence of 13 int
        Ranks that the seat has drawn from the stock since the last reshuffle: the compiled view's ``recycled`` is
        without them, because the seat knows that they have left the stock. The reference leaves that to the player.
    """
    recycled = view.recycled or [0] * RANKS
    marks = [
        [int(rank in view.thrown[seat]) + 2 * int(rank in view.refused[seat]) for rank in range(RANKS)] for seat in range(view.players)
    ]
    legal = [int(rank in legal_discards(view, rule)) for rank in range(RANKS)] if view.drawn is not None else []
    return {
        "seat": view.seat,
        "players": view.players,
        "hand": packed(view.hand),
        "legal": packed(legal),
        "pile_counts": packed(view.pile_counts),
        "recycled": packed([all_of - own for all_of, own in zip(recycled, own_draws, strict=True)]),
        "top": NO_RANK if view.top is None else view.top,
        "drawn": NO_RANK if view.drawn is None else view.drawn,
        "taken": NO_RANK if view.took is None else view.took,
        "turn": view.turn,
        "dealer": view.dealer,
        "target": target,
        "known": [packed(counts) for counts in view.known],
        "marks": [packed(counts) for counts in marks],
        "wins": list(view.wins),
    }


SPREAD = 0x9E3779B97F4A7C15


def digest(fields: dict[str, int | list[int]]) -> int:
    """A word that depends on every field, in the order in which :func:`seen` lists them (``legal`` left out)."""
    word = 0
    for name, value in fields.items():
        for part in value if isinstance(value, list) else [value]:
            if name != "legal":
                word = ((word ^ part) * SPREAD) % 2**64
                word ^= word >> 29
    return word


@kernel
def stirred(word, part):
    """One more part of a digest."""
    word = (word ^ np.uint64(part)) * np.uint64(SPREAD)
    return word ^ (word >> np.uint64(29))


@kernel
def view_digest(view):
    """The digest of a compiled view."""
    word = stirred(ZERO, view.seat)
    word = stirred(word, view.players)
    word = stirred(word, view.hand)
    word = stirred(word, view.pile_counts)
    word = stirred(word, view.recycled)
    word = stirred(word, view.top)
    word = stirred(word, view.drawn)
    word = stirred(word, view.taken)
    word = stirred(word, view.turn)
    word = stirred(word, view.dealer)
    word = stirred(word, view.target)
    for seat in range(view.players):
        word = stirred(word, view.known[seat])
    for seat in range(view.players):
        word = stirred(word, view.marks[seat])
    for seat in range(view.players):
        word = stirred(word, view.wins[seat])
    return word


class Fingerprint:
    """Decides by the digest of what it sees: where to draw, which legal rank to throw, whether to show."""

    def __init__(self, rule: str) -> None:
        self.rule = rule
        self.word = 0

    def draw(self, view: View) -> str:
        """Draw from the stock if there is no pile, else by a bit of the digest."""
        return "stock" if view.top is None or self.word >> 40 & 1 == 0 else "pile"

    def discard(self, view: View) -> int:
        """Throw a legal rank chosen by the digest."""
        legal = legal_discards(view, self.rule)
        return legal[(self.word >> 32) % len(legal)]

    def show(self, view: View) -> bool:
        """Show by two bits of the digest."""
        return self.word >> 50 & 3 == 0


# The same in compiled form --------------------------------------------------------------------------------------


@kernel
def nth_rank(ranks, n):
    """The n-th lowest of the ranks marked by one bit each."""
    for _ in range(n):
        ranks &= ranks - ONE
    return np.int64(rank_of(ranks))


@kernel
def any_of(view, ranks):
    """One of some ranks at random, using no randomness where there is no choice."""
    count = popcount(ranks)
    if count == ONE:
        return nth_rank(ranks, 0)
    return nth_rank(ranks, view_below(view, count))


@kernel
def greedy_draw(view):
    """Take the top discard if one or two of its rank are held."""
    if view.top == NO_RANK:
        return STOCK
    held = count_of(view.hand, view.top)
    return PILE if held in (ONE, TWO) else STOCK


@kernel
def greedy_discard(view):
    """Discard of a four of a kind, else the lowest single, else of the lowest pair, else of the lowest triple."""
    for ranks in (exactly_4(view.hand), exactly_1(view.hand), exactly_2(view.hand), exactly_3(view.hand)):
        if ranks & view.legal != ZERO:
            return nth_rank(ranks & view.legal, 0)
    return -1


@kernel
def stock_draw(view):
    """Draw from the stock."""
    return STOCK


@kernel
def policy_g_discard(view):
    """Discard into a full house (the lowest rank that does it), else a random single, else of a random pair."""
    for rank in range(np.uint64(RANKS)):
        if count_of(view.hand, rank) != ZERO and full_house(view.hand - rank_bit(rank)):
            return np.int64(rank)
    singles = exactly_1(view.hand)
    return any_of(view, singles if singles != ZERO else exactly_2(view.hand))


@kernel
def random_draw(view):
    """Draw from the stock or the pile."""
    return STOCK if view.top == NO_RANK else view_below(view, 2)


@kernel
def random_discard(view):
    """Discard any legal rank."""
    return any_of(view, view.legal)


@kernel
def random_show(view):
    """Show or not, whatever is held."""
    return view_below(view, 2)


@kernel
def fingerprint_draw(view):
    """As :meth:`Fingerprint.draw`."""
    if view.top == NO_RANK or (view_digest(view) >> np.uint64(40)) & ONE == ZERO:
        return STOCK
    return PILE


@kernel
def fingerprint_discard(view):
    """As :meth:`Fingerprint.discard`."""
    return nth_rank(view.legal, np.int64((view_digest(view) >> np.uint64(32)) % popcount(view.legal)))


@kernel
def fingerprint_show(view):
    """As :meth:`Fingerprint.show`."""
    return np.int64((view_digest(view) >> np.uint64(50)) & np.uint64(3) == ZERO)


COMPILED: dict[str, Player] = {
    name: set_parameters(Strategy(GAME, name, "as in the reference", decisions), {})
    for name, decisions in {
        "greedy": {"draw": greedy_draw, "discard": greedy_discard},
        "stock-only": {"draw": stock_draw, "discard": policy_g_discard},
        "random": {"draw": random_draw, "discard": random_discard, "show": random_show},
        "fingerprint": {"draw": fingerprint_draw, "discard": fingerprint_discard, "show": fingerprint_show},
    }.items()
}
"""Compiled players by the name of the reference's player who does the same."""


class Seated:
    """A player of the reference on a chair: keeps what it was shown and gives it the luck of its decision."""

    def __init__(self, name: str, seed: int, unit: int, rule: str, target: int) -> None:
        self.unit, self.rule, self.target = unit, rule, target
        self.words = SeatWords(seed)
        self.fingerprint = Fingerprint(rule)
        players: dict[str, reference.Player] = {
            "greedy": Greedy(rule),
            "stock-only": StockOnly(self.words),
            "random": RandomPlayer(self.words, rule),
            "fingerprint": self.fingerprint,
        }
        self.player = players[name]
        self.seen: list[dict[str, int | list[int]]] = []

    def new_hand(self, hand: int, luck: UnitLuck) -> None:
        """Sit down to the next hand of the unit."""
        self.hand, self.luck = hand, luck
        self.epoch = 0
        self.own_draws = [0] * RANKS
        self.last = (-1, DRAW)

    def draw(self, view: View) -> str:
        """Ask the player."""
        self.asked(view, DRAW)
        return self.player.draw(view)

    def discard(self, view: View) -> int:
        """Ask the player."""
        self.asked(view, DISCARD)
        return self.player.discard(view)

    def show(self, view: View) -> bool:
        """Ask the player."""
        self.asked(view, SHOW if self.last == (view.turn, DISCARD) else SHOW_DEALT)
        return self.player.show(view)

    def asked(self, view: View, kind: int) -> None:
        """Keep in mind what is shown, and begin the decision's private randomness."""
        if self.epoch != self.luck.epoch:
            self.epoch = self.luck.epoch
            self.own_draws = [0] * RANKS
        if kind == DISCARD and view.took is None and view.drawn is not None and self.epoch > 0:
            self.own_draws[view.drawn] += 1
        self.last = (view.turn, kind)
        self.words.start(self.unit, self.hand, view.seat, view.turn, kind)
        self.seen.append(seen(view, self.rule, self.target, self.own_draws))
        self.fingerprint.word = digest(self.seen[-1])
