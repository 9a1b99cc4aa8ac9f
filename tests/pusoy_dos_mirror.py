"""Players of the reference engine of Pusoy Dos, and compiled decisions that do the same with the same luck.

Keys and addresses of the streams are those of ``sim.keys`` and ``sim.rng``; the words are made by the plain generators of
``tests.reference.streams``. The random player draws from the private randomness of its seat. The fingerprint player decides by a
digest of everything that it sees, so that one differing field of one view soon shows in what is played. The proud player leads its
highest card.

The compiled engine knows no direction of play, which only relabels the seats (PD-A14): its seat s is the reference's seat -s when
play goes counter-clockwise. Seats are those of the compiled engine everywhere here, but in what the reference says.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from sim.bits import ONE, ZERO, highest, popcount
from sim.games.pusoy_dos.knowledge import lowest_legal
from sim.games.pusoy_dos.listing import MOST_PLAYS, list_answers, list_openings, list_plays
from sim.jit import kernel
from sim.keys import stream_key
from sim.rng import view_below, view_word
from sim.strategy import Player, Strategy, set_parameters
from sim.view import memory
from strategies.pusoy_dos.dumper import DUMPER
from tests.reference import streams
from tests.reference.pusoy_dos import DEFAULTS, Options, Play, State, all_plays, dumper, indices
from tests.reference.streams import Stream, philox4x64

GAME = "pusoy-dos"
CARDS, STRATEGY = 0, 2
"""Purposes of streams."""

SPREAD = 0x9E3779B97F4A7C15

Names = Sequence[str]


def turned(seat: int, options: Options) -> int:
    """A seat of one engine as the other one numbers it (the same both ways)."""
    return seat if options["direction"] == "cw" else -seat % options["players"]


# Cards ----------------------------------------------------------------------------------------------------------


class Dealt(NamedTuple):
    """Cards dealt once, before a left-over card goes to anybody: a mask for each seat, and what is left over."""

    hands: tuple[int, ...]
    leftover: int


def dealt(seed: int, unit: int, hand: int, redeal: int, options: Options) -> Dealt:
    """What is dealt for a hand of a unit after so many redeals: card by card from the highest (PD-2, PD-A12).

    A card goes to one of the free places, which are those of the first seat, then those of the second and so on; four players share the
    whole deck, three leave some over.
    """
    pieces = pieces_of(Stream(stream_key(seed, "cards", GAME), (0, unit, hand << 16 | redeal, CARDS)))
    players = options["players"]
    size = 17 if players == 3 and options["deal3"] == "51" else 13
    lowest = 1 if players == 3 and options["leftover"] == "remove_lowest" else 0
    places = [seat for seat in range(players) for _ in range(size)] + [players] * (52 - lowest - players * size)
    hands = [0] * (players + 1)
    for card in reversed(range(lowest, 52)):
        hands[places.pop(below_piece(pieces, len(places)))] |= 1 << card
    return Dealt(tuple(hands[:players]), hands[players] | lowest)


def pieces_of(stream: Stream) -> Iterator[int]:
    """The words of a stream in pieces of 16 bits, the lowest first."""
    while True:
        word = stream.next()
        for _ in range(4):
            yield word % 2**16
            word >>= 16


def below_piece(pieces: Iterator[int], n: int) -> int:
    """A uniform number below ``n``: the high half of ``piece * n``, unless the low half says that the piece is one too many."""
    while True:
        place, low = divmod(next(pieces) * n, 2**16)
        if low >= 2**16 % n:
            return place


class Dealer:
    """Stands in for the luck of the reference's ``deal``: what was dealt, one after another."""

    def __init__(self, deals: Sequence[Dealt], options: Options) -> None:
        self.left = iter(deals)
        self.options = options

    def shuffle(self, deck: list[int]) -> None:
        """Put a deck in the order in which the reference deals it: seat by seat, then what is left over."""
        hands, leftover = next(self.left)
        order = [card for seat in range(len(hands)) for card in indices(hands[turned(seat, self.options)])]
        order += [card for card in indices(leftover) if card in deck]
        assert sorted(order) == sorted(deck)
        deck[:] = order


PLAYS = ("straights", "flush_order", "sf_order", "triples", "quads", "categories")
"""The options that say what cards are a play, and how high."""


def remembered_plays(hand: int, options: Options) -> list[Play]:
    """The reference's ``all_plays``, found once for each hand."""
    return _plays_of(hand, tuple(options[name] for name in PLAYS))


@lru_cache(maxsize=2000)
def _plays_of(hand: int, values: tuple[Any, ...]) -> list[Play]:
    return all_plays(hand, {**DEFAULTS, **dict(zip(PLAYS, values, strict=True))})


# What a seat sees -----------------------------------------------------------------------------------------------


class Seen(NamedTuple):
    """The compiled view's fields, in the order in which a digest takes them in; sets of seats and cards are masks."""

    seat: int
    players: int
    hand: int
    table: int
    must: int
    owner: int
    active: int
    next_seat: int
    top_single: int
    turn: int
    left: tuple[int, ...]
    played: tuple[int, ...]
    points: tuple[int, ...]


def seen(state: State, points: Sequence[int]) -> Seen:
    """What the reference shows, as the compiled view has it.

    Parameters
    ----------
    state : State
    points : sequence of int
        By seat, in the match so far.
    """
    options = state.options
    players = options["players"]

    def by_seat(values: Sequence[int]) -> tuple[int, ...]:
        return tuple(values[turned(seat, options)] for seat in range(players))

    left = by_seat(state.sizes)
    played = [0] * players
    passed = 0
    turn = 0
    for event in state.events:
        turn += event.kind in ("play", "pass")
        if event.kind == "play":
            played[event.seat] |= event.mask
        if event.kind == "pass":
            passed |= 1 << turned(event.seat, options)
        elif event.kind == "trick_end" or (event.kind == "play" and not options["pass_lockout"]):
            passed = 0
    seat = turned(state.seat, options)
    following = next(other for step in range(1, players + 1) if left[other := (seat + step) % players])
    return Seen(
        seat=seat,
        players=players,
        hand=state.hand,
        table=0 if state.table is None else state.table.mask,
        must=0 if state.must_card is None else 1 << state.must_card,
        owner=seat if state.owner is None else turned(state.owner, options),
        active=sum(1 << other for other in range(players) if left[other]) & ~passed,
        next_seat=following,
        top_single=int(options["last_card_rule"] == "highest_single" and left[following] == 1),
        turn=turn,
        left=left,
        played=by_seat(played),
        points=tuple(points),
    )


def digest(view: Seen) -> int:
    """A word that depends on every field."""
    word = 0
    for value in view:
        for part in value if isinstance(value, tuple) else (value,):
            word = ((word ^ part % 2**64) * SPREAD) % 2**64
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
    word = stirred(word, view.table)
    word = stirred(word, view.must)
    word = stirred(word, view.owner)
    word = stirred(word, view.active)
    word = stirred(word, view.next_seat)
    word = stirred(word, view.top_single)
    word = stirred(word, view.turn)
    for seat in range(view.players):
        word = stirred(word, np.uint64(view.sizes[seat]) - popcount(view.played[seat]))
    for seat in range(view.players):
        word = stirred(word, view.played[seat])
    for seat in range(view.players):
        word = stirred(word, view.points[seat])
    return word


# The same decisions twice ---------------------------------------------------------------------------------------


class SeatWords:
    """The private randomness of a seat for one decision."""

    def __init__(self, key: Sequence[int], unit: int, hand: int, seat: int, turn: int) -> None:
        self.key = key
        self.counter = (unit, hand << 40 | seat << 32 | turn, STRATEGY)
        self.used = 0

    def next(self) -> int:
        """Return the next word."""
        word = philox4x64((self.used >> 2, *self.counter), self.key)[self.used & 3]
        self.used += 1
        return word


def picked(state: State, word: int) -> int | None:
    """One of the legal plays, the first in an order that a word gives; a pass when there is none."""
    plays = [play.mask for play in state.legal]
    return min(plays, key=lambda play: ((play ^ word) * SPREAD) % 2**64) if plays else None


def random_play(state: State, words: SeatWords) -> int | None:
    """Passes a quarter of the time where it may, else plays anything."""
    if state.table is not None and streams.below(words, 4) == 0:
        return None
    return picked(state, words.next())


def fingerprint_play(state: State, view: Seen) -> int | None:
    """The same by the digest of what it sees."""
    word = digest(view)
    return None if state.table is not None and word >> 60 & 3 == 0 else picked(state, word)


def proud_play(state: State) -> int | None:
    """Leads its highest single, answers as `dumper` does."""
    return dumper(state) if state.table is not None else max(play.mask for play in state.legal if play.size == 1)


@kernel
def picked_play(view, word):
    """As :func:`picked`."""
    plays = memory(view)
    if view.table != ZERO:
        count = list_answers(view.hand, view.strength, view, plays)
    elif view.must != ZERO:
        count = list_openings(view.hand, view.must, view, plays)
    else:
        count = list_plays(view.hand, view, plays)
    best = ZERO
    for i in range(count):
        play = plays[np.uint64(i)]
        if view.top_single != 0 and popcount(play) == ONE and play != ONE << highest(view.hand):
            continue
        if best == ZERO or (play ^ word) * np.uint64(SPREAD) < (best ^ word) * np.uint64(SPREAD):
            best = play
    return np.int64(best)


@kernel
def random_choice(view):
    """As :func:`random_play`."""
    if view.table != ZERO and view_below(view, 4) == 0:
        return 0
    return picked_play(view, view_word(view))


@kernel
def fingerprint_choice(view):
    """As :func:`fingerprint_play`."""
    word = view_digest(view)
    if view.table != ZERO and (word >> np.uint64(60)) & np.uint64(3) == ZERO:
        return 0
    return picked_play(view, word)


@kernel
def proud_choice(view):
    """As :func:`proud_play`."""
    if view.table != ZERO:
        return lowest_legal(view)
    return np.int64(view.must if view.must != ZERO else ONE << highest(view.hand))


def _compiled(name: str, choice: Callable[..., Any]) -> Player:
    return set_parameters(Strategy(GAME, name, "as in the reference", {"play": choice}, memory=MOST_PLAYS), {})


COMPILED: Mapping[str, Player] = {
    "dumper": set_parameters(DUMPER, {}),
    "random": _compiled("random", random_choice),
    "fingerprint": _compiled("fingerprint", fingerprint_choice),
    "proud": _compiled("proud", proud_choice),
}
"""Compiled players by the names that :class:`Table` knows."""


class Table:
    """The players of the reference around one table, each with the luck of its seat.

    Parameters
    ----------
    names : sequence of str
        Who sits in each seat.
    seed, unit : int
    hands : iterator of (int, sequence of int)
        For each hand in which somebody is asked: its number in the unit, and the points by seat before it.
    """

    def __init__(self, names: Names, seed: int, unit: int, hands: Iterator[tuple[int, Sequence[int]]]) -> None:
        self.names, self.unit, self.hands = names, unit, hands
        self.key = stream_key(seed, "strategy", GAME)
        self.hand = 0
        self.points: Sequence[int] = ()
        self.limited = 0

    def __call__(self, state: State) -> int | None:
        """Ask whoever sits there."""
        if not any(event.kind in ("play", "pass") for event in state.events):
            self.hand, self.points = next(self.hands)
        view = seen(state, self.points)
        self.limited += view.top_single
        name = self.names[view.seat]
        if name == "dumper":
            return dumper(state)
        if name == "proud":
            return proud_play(state)
        if name == "random":
            return random_play(state, SeatWords(self.key, self.unit, self.hand, view.seat, view.turn))
        return fingerprint_play(state, view)
