"""Pusoy Dos played slowly: the independent witness for the compiled engine.

Everything is found by brute force from the numbered rules PD-1 .. PD-12, PD-V1 .. PD-V5 and options PD-A1 .. PD-A25.
Cards are strength indices here: ``index = rank_index * 4 + suit_index`` with ranks 3, 4, .., K, A, 2 (0..12) and the
suit's position in ``suit_order`` (low to high), so a bigger index is a higher single. A set of cards is a 52-bit mask
over these indices. ``to_house`` and ``from_house`` convert to the numbering of the rest of the code (ace low, clubs
first).

Readings
--------
Where the rules leave a corner open, this module reads them so:

1.  Straights (PD-A1, PD-A2). The order of a straight is the rank of its last card in sequence, then that card's suit:
    A-2-3-4-5 counts as 5-high, 2-3-4-5-6 as 6-high, and with the full wrap Q-K-A-2-3 as 3-high (the lowest of all).
    Only ``poker_natural_a5_high`` differs: 10-J-Q-K-A < 2-3-4-5-6 < A-2-3-4-5, the suit of the 2 breaking ties.
2.  Flushes (PD-A3) compare all five ranks from the top down: ``suit_first`` after the suit, ``rank_first`` before it.
3.  Straight flushes (PD-A4, PD-A25). A suited straight is a straight flush and nothing else while that category is on;
    when off it is a flush if flushes are on, else a straight if straights are on, else no play. The order of straights
    in force also orders straight flushes. Royal flushes are no category of their own (PD-A5).
4.  No other category falls back: with full houses off, three and two of a rank are no two pairs; with quads off, a
    bare or accompanied four is no two pairs either. Two pairs means the pattern 2-2-1.
5.  Two pairs rank below straights and compare by the rank of the higher pair, the rank of the lower pair, then the
    higher suit in the higher pair (as PD-4 does for pairs). The fifth card never decides (as PD-6).
6.  ``quads='four_card'``: a bare four of a kind is a play of size four, ordered by rank; four and a kicker is then no
    five-card hand. It is a size of its own, so ``categories`` (which lists five-card hands) does not touch it.
    ``quads='five_card'`` needs 'quads' in ``categories`` too.
7.  Bombs (PD-A7): four of a kind with a kicker and straight flushes also beat a single of rank 2 of any suit. After
    that the trick is a five-card trick, compared by the usual five-card order. A bare four (reading 6) and a suited
    straight that only counts as a flush (reading 3) are no bombs. Sizes on the table other than one are never bombed.
8.  Equal plays do not beat each other: an answer has to be strictly higher.
9.  Three players (PD-A12). ``dead``: the left-over cards are out of play. ``to_lowest_holder``: the seat with the
    lowest dealt card takes the left-over before anything else is looked at (instant wins, four twos, opening card), so
    it starts with 18 cards. ``remove_lowest``: the lowest card of the deck is set aside before the deal; with
    ``deal3='51'`` the other 51 are all dealt, with '39' twelve more are dead. With four players ``deal3`` and
    ``leftover`` have no effect.
10. Opening (PD-8, PD-A8, PD-A9, PD-A13). The lowest card in any hand after reading 9 is the opening card, its holder
    opens. ``play``: the first play contains it; ``single_only``: the first play is that card alone; ``free``: its
    holder opens with anything. With ``previous_winner`` the winner of the last deal opens with anything; without a
    last deal the lowest card opens as usual. A deal won at once (reading 13) has a winner like any other; a void deal
    (reading 14) leaves the previous winner as he was.
11. Passing (PD-9, PD-9a). With lockout a seat that passed is not asked again in this trick; without it every seat that
    holds cards and does not own the table is asked after each play until all of them have passed in succession. The
    owner of the table is never asked. A seat may pass though it could play. No pass is counted for a seat not asked.
12. Playing on (PD-A15). A finisher's last play stays on the table and the unlocked seats are asked in turn order; if
    nobody beats it the next seat in turn order that still holds cards leads, whether it was locked or not.
    ``immediate_control``: that seat leads a new trick at once and all locks end. When one seat alone holds cards the
    deal is over at once, that seat is not asked; it has the last place and is the loser (PD-A24).
    Turn order follows ``direction``. With ``first_out`` only the winner has a place, nobody is 'the loser'.
13. Instant wins (PD-A19) are looked at before the first play and before the redeal. Dragon: a hand with cards of all
    thirteen ranks, whatever its size. Several at once: the first such seat in turn order beginning with the opener
    wins; 'dragon' is named before 'four_twos' when a hand is both. The deal ends without a play, with ``play_on``
    too: only the winner has a place and no seat's cards leave its hand. The others pay for full hands under 'penalty'
    and score 0 under 'placement' (nobody else finished) and 'winner_only'. Nobody is the loser of PD-A24.
14. Redeal (PD-V2): a deal in which some seat holds all four twos, and which is not won at once, is void: no play, no
    score, not counted as a deal of the match; the cards are dealt again until none is void.
15. Penalties (PD-A17) are taken for the cards held when the deal ends, so with ``play_on`` the last seat alone pays,
    and the first seat out collects. ``penalty`` of a seat is computed under every scoring; only ``scoring='penalty'``
    turns it into points.
16. Penalty tables: the factor is that of the highest threshold reached, and the row for 13 also holds for more cards.
    An untouched hand always has 13 cards or more and so always meets the row for 13. ``relative``: each threshold t
    becomes ceil(t * d / 13), d = the cards this seat itself started with (18 for the one who took the left-over).
    'pips': ace 1, two 2, 10/J/Q/K 10 each; no thresholds.
17. ``two_mult`` multiplies any table's value, 'pips' and 'flat' too: by 2 for each two left, or once.
18. ``settle='pairwise'``: score = sum of all penalties - n times one's own, n = number of players.
19. ``win_bonus_twos`` (PD-A18) multiplies the winner's point under 'winner_only' by 2 to the number of twos in the play
    with which he went out (an instant win has no such play: factor 1); other scorings are not touched.
20. ``placement``: None means 5/3/1/0 for four, 5/3/0 for three; a shorter list is filled up with zeros, so (5, 3, 1)
    gives the last of three players his point. It needs ``play_on``.
21. ``highest_single`` (PD-A20) is a matter of legality: when the next seat in turn order that still holds cards (locked
    or not) holds exactly one, the only single that may be played is the highest one that is legal otherwise. Passing
    and plays of other sizes stay free, five-card bombs too.
22. ``pay_all`` (PD-A20): the deal's winner went out with a single that beat the single of the seat directly before him
    in turn order (a single of a seat further back, with locked seats between, does not count), and that seat, when it
    played, had a legal higher single, or was leading and had a legal play of another size. Whether the higher single
    would have been high enough does not matter; passing or bombing instead is no way out that counts. All penalties
    are then charged to that seat and nothing to the others, after which ``settle`` applies as ever. It matters under
    'penalty' only, and with ``play_on`` only the way the first seat went out counts.
23. Match: ``match_deals`` deals; with a ``match_target`` the number of deals does not matter and the match ends after
    the deal in which some seat's charged penalties reach the target. It needs ``scoring='penalty'``, where the least
    sum of charged penalties wins; with other scorings the most points win. Ties share the win equally ('none': all).
24. The dealer and the direction of the deal have no effect on a shuffled deck.
25. ``dumper`` (PD-O7) leads from the largest size among its legal plays: with ``quads='four_card'`` fours come between
    five and three cards. It answers with plays of the size on the table only, so it never bombs. The lowest play is
    the lowest legal one, so ``highest_single`` and the opening card bind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

RANKS = ("3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2")
HOUSE_SUITS = "CDHS"
TWO = RANKS.index("2")
DECK = (1 << 52) - 1

Options = Mapping[str, Any]


class Category(IntEnum):
    """Kinds of five-card hands, low to high (PD-5, PD-A25); smaller plays all carry ``PLAIN``."""

    PLAIN = 0
    TWO_PAIR = 1
    STRAIGHT = 2
    FLUSH = 3
    FULL_HOUSE = 4
    QUADS = 5
    STRAIGHT_FLUSH = 6


CATEGORY_NAMES = tuple(category.name.lower() for category in Category if category is not Category.PLAIN)

DEFAULTS: dict[str, Any] = {
    "players": 4,
    "straights": "rank_order",
    "flush_order": "suit_first",
    "sf_order": "rank_first",
    "triples": True,
    "quads": "five_card",
    "bombs": False,
    "opener": "lowest_card",
    "opening_must_include": "play",
    "pass_lockout": True,
    "suit_order": "CSHD",
    "deal3": "51",
    "leftover": "dead",
    "direction": "cw",
    "end": "first_out",
    "after_out": "must_be_beaten",
    "scoring": "penalty",
    "placement": None,
    "penalty_table": "b2_classic",
    "two_mult": "none",
    "penalty_scale": "absolute",
    "settle": "winner_collects",
    "match_deals": 10,
    "match_target": None,
    "win_bonus_twos": False,
    "instant_win": (),
    "redeal_four_twos": False,
    "last_card_rule": "off",
    "categories": ("straight", "flush", "full_house", "quads", "straight_flush"),
}

CHOICES: dict[str, tuple[Any, ...]] = {
    "players": (3, 4),
    "straights": ("rank_order", "no_two", "poker_natural", "poker_natural_a5_high", "both", "full_wrap"),
    "flush_order": ("suit_first", "rank_first"),
    "sf_order": ("rank_first", "suit_first"),
    "triples": (True, False),
    "quads": ("five_card", "not_playable", "four_card"),
    "bombs": (False, True),
    "opener": ("lowest_card", "previous_winner"),
    "opening_must_include": ("play", "single_only", "free"),
    "pass_lockout": (True, False),
    "deal3": ("51", "39"),
    "leftover": ("dead", "to_lowest_holder", "remove_lowest"),
    "direction": ("cw", "ccw"),
    "end": ("first_out", "play_on"),
    "after_out": ("must_be_beaten", "immediate_control"),
    "scoring": ("penalty", "winner_only", "placement", "none"),
    "penalty_table": ("b2_classic", "double10", "gs_8_10_13", "neo", "double13", "flat", "pips"),
    "two_mult": ("none", "per_two", "once"),
    "penalty_scale": ("absolute", "relative"),
    "settle": ("winner_collects", "pairwise"),
    "win_bonus_twos": (False, True),
    "redeal_four_twos": (False, True),
    "last_card_rule": ("off", "highest_single", "pay_all"),
}

PRESETS: dict[str, dict[str, Any]] = {
    "daly-city": {"suit_order": "DCHS"},
    "frazz": {"suit_order": "DCHS", "quads": "not_playable", "end": "play_on", "scoring": "none"},
}

# Thresholds of cards left and the factor that holds from there on; below the first one a card costs 1 (PD-A17).
PENALTY_STEPS: dict[str, tuple[tuple[int, int], ...]] = {
    "b2_classic": ((10, 2), (13, 3)),
    "double10": ((10, 2),),
    "gs_8_10_13": ((8, 2), (10, 3), (13, 4)),
    "neo": ((5, 2), (10, 3)),
    "double13": ((13, 2),),
    "flat": (),
}


class IllegalPlay(ValueError):
    """A choice that the rules do not allow."""


class Play(NamedTuple):
    """A legal combination: a play beats one of its size with a strictly lower ``(category, key)``."""

    size: int
    category: Category
    key: tuple[int, ...]
    mask: int

    @property
    def strength(self) -> tuple[int, tuple[int, ...]]:
        """What is compared between plays of one size."""
        return (int(self.category), self.key)


class Event(NamedTuple):
    """One thing that happened: kind, seat and the cards concerned (mask, 0 if none).

    Kinds: ``leftover`` (seat takes these cards), ``redeal`` and ``instant_win`` (seat holds these cards), ``play``,
    ``pass``, ``finish`` (seat ran out), ``trick_end`` (seat leads next).
    """

    kind: str
    seat: int
    mask: int = 0


@dataclass(frozen=True)
class State:
    """What a seat is asked with: its own cards, what the table knows, and its legal plays."""

    seat: int
    hand: int
    table: Play | None
    owner: int | None
    must_card: int | None
    sizes: tuple[int, ...]
    locked: frozenset[int]
    events: tuple[Event, ...]
    legal: tuple[Play, ...]
    options: Options


Chooser = Callable[[State], "int | Iterable[int] | None"]


@dataclass(frozen=True)
class HandResult:
    """How one deal went; per-seat values are tuples by seat, card sets are masks.

    ``must_card`` is the card that the opening play had to contain (None without obligation), ``penalty`` what each seat
    owes for its own cards, ``charged`` the same after ``pay_all`` (``payer`` is the seat that took all), ``leads`` the
    number of tricks led by size of the lead.
    """

    opener: int
    must_card: int | None
    winner: int | None
    loser: int | None
    places: tuple[int | None, ...]
    dealt: tuple[int, ...]
    cards_left: tuple[int, ...]
    hands_left: tuple[int, ...]
    penalty: tuple[int, ...]
    charged: tuple[int, ...]
    payer: int | None
    points: tuple[int, ...]
    plays: tuple[int, ...]
    passes: tuple[int, ...]
    leads: dict[int, int]
    instant_win: str | None
    redeal: bool
    events: tuple[Event, ...]


@dataclass(frozen=True)
class MatchResult:
    """How a match went: every counted deal, the sums by seat, and each seat's share of the win."""

    deals: tuple[HandResult, ...]
    redeals: int
    penalties: tuple[int, ...]
    points: tuple[int, ...]
    shares: tuple[Fraction, ...]


def resolve(overrides: Options | None = None, **more: Any) -> dict[str, Any]:
    """Full, checked set of options.

    Parameters
    ----------
    overrides : mapping, optional
        Options that differ from ``DEFAULTS``.
    **more
        The same as keywords; they win over ``overrides``.

    Returns
    -------
    dict
        All options of ``DEFAULTS``. ``opening_must_include`` True / False become 'play' / 'free' and ``placement`` a
        tuple with one entry per player.

    Raises
    ------
    ValueError
        For unknown names, unknown values and combinations the rules refuse (PD-12: placement needs play-on;
        PD-A12: 39 cards with the left-over to the lowest holder; reading 23).
    """
    given = {**(overrides or {}), **more}
    unknown = sorted(set(given) - set(DEFAULTS))
    if unknown:
        raise ValueError(f"unknown option {unknown[0]!r}")
    options = {**DEFAULTS, **given}
    must = options["opening_must_include"]
    if isinstance(must, bool):
        options["opening_must_include"] = "play" if must else "free"
    for name, allowed in CHOICES.items():
        if options[name] not in allowed:
            raise ValueError(f"{name}={options[name]!r} is none of {allowed}")
    if sorted(options["suit_order"]) != sorted(HOUSE_SUITS):
        raise ValueError(f"suit_order={options['suit_order']!r} is no permutation of C, D, H, S")
    options["categories"] = tuple(options["categories"])
    if not set(options["categories"]) <= set(CATEGORY_NAMES):
        raise ValueError(f"categories={options['categories']!r} holds a name other than {CATEGORY_NAMES}")
    options["instant_win"] = tuple(options["instant_win"])
    if not set(options["instant_win"]) <= {"dragon", "four_twos"}:
        raise ValueError(f"instant_win={options['instant_win']!r} holds a name other than dragon, four_twos")
    options["placement"] = _placement(options["placement"], options["players"])
    if options["match_deals"] < 1:
        raise ValueError("match_deals must be at least 1")
    if options["scoring"] == "placement" and options["end"] != "play_on":
        raise ValueError("scoring='placement' needs end='play_on'")
    if options["players"] == 3 and options["deal3"] == "39" and options["leftover"] == "to_lowest_holder":
        raise ValueError("with 39 cards dealt thirteen are left over: leftover='to_lowest_holder' needs deal3='51'")
    if options["match_target"] is not None:
        if options["scoring"] != "penalty":
            raise ValueError("match_target counts penalty points: it needs scoring='penalty'")
        if options["match_target"] < 1:
            raise ValueError("match_target must be at least 1")
    return options


def _placement(value: Any, players: int) -> tuple[int, ...]:
    """Points by place, one per player (PD-A16)."""
    if value is None:
        value = (5, 3, 1, 0) if players == 4 else (5, 3, 0)
    points = tuple(int(point) for point in value)
    if len(points) > players:
        raise ValueError(f"placement={value!r} has more places than players")
    return points + (0,) * (players - len(points))


def rank_of(card: int) -> int:
    """Rank index 0..12 (3 low, 2 high) of a strength index."""
    return card // 4


def suit_of(card: int) -> int:
    """Suit's position 0..3 in the suit order of a strength index."""
    return card % 4


def card(text: str, suit_order: str = "CSHD") -> int:
    """Strength index of a card such as '3C', '10H' or 'TD' under a suit order (PD-1, PD-A11)."""
    rank = text[:-1].replace("10", "T")
    if rank not in RANKS or text[-1:] not in suit_order:
        raise ValueError(f"{text!r} is no card of this deck")
    return RANKS.index(rank) * 4 + suit_order.index(text[-1])


def cards(text: str, suit_order: str = "CSHD") -> tuple[int, ...]:
    """Strength indices of cards separated by blanks."""
    return tuple(card(word, suit_order) for word in text.split())


def mask(cards_or_text: Iterable[int] | str, suit_order: str = "CSHD") -> int:
    """52-bit mask of some cards (indices or text); a card named twice is an error."""
    listed = cards(cards_or_text, suit_order) if isinstance(cards_or_text, str) else tuple(cards_or_text)
    result = 0
    for index in listed:
        if not 0 <= index < 52:
            raise ValueError(f"{index} is no card of this deck")
        if result >> index & 1:
            raise ValueError(f"card {index} is there twice")
        result |= 1 << index
    return result


def indices(card_mask: int) -> tuple[int, ...]:
    """Strength indices in a mask, ascending."""
    if card_mask & ~DECK:
        raise ValueError("the mask holds cards that are not in this deck")
    return tuple(index for index in range(52) if card_mask >> index & 1)


def name(index: int, suit_order: str = "CSHD") -> str:
    """Text of a strength index, such as 'TD'."""
    return RANKS[rank_of(index)] + suit_order[suit_of(index)]


def to_house(index: int, suit_order: str = "CSHD") -> int:
    """Number of a strength index in the common numbering: rank * 4 + suit, ace 0 .. king 12, suits C, D, H, S."""
    return (rank_of(index) + 2) % 13 * 4 + HOUSE_SUITS.index(suit_order[suit_of(index)])


def from_house(number: int, suit_order: str = "CSHD") -> int:
    """Strength index of a card in the common numbering."""
    if not 0 <= number < 52:
        raise ValueError(f"{number} is no card of this deck")
    return (number // 4 - 2) % 13 * 4 + suit_order.index(HOUSE_SUITS[number % 4])


@cache
def straight_orders(straights: str) -> dict[frozenset[int], tuple[int, int]]:
    """Rank sets that are straights -> (order among straights, rank whose suit breaks ties) (PD-A1, PD-A2).

    Parameters
    ----------
    straights : str
        A value of the option of that name.

    Returns
    -------
    dict
        Keys are sets of five rank indices.
    """
    ace, two = RANKS.index("A"), RANKS.index("2")
    no_two = list(range(8))  # lowest ranks of 3-7 .. 10-A
    first_ranks = {
        "no_two": no_two,
        "rank_order": [*no_two, RANKS.index("J")],
        "poker_natural": [ace, two, *no_two],
        "poker_natural_a5_high": [ace, two, *no_two],
        "both": [ace, two, *no_two, RANKS.index("J")],
        "full_wrap": list(range(13)),
    }[straights]
    result = {}
    for first in first_ranks:
        sequence = [(first + step) % 13 for step in range(5)]
        result[frozenset(sequence)] = (sequence[-1], sequence[-1])
    if straights == "poker_natural_a5_high":
        highest = RANKS.index("A")
        result[frozenset([two, 0, 1, 2, 3])] = (highest + 1, two)
        result[frozenset([ace, two, 0, 1, 2])] = (highest + 2, two)
    return result


def classify(mask_or_cards: int | Iterable[int], options: Options = DEFAULTS) -> Play | None:
    """What a set of cards is as a play (PD-3 to PD-6).

    Parameters
    ----------
    mask_or_cards : int or iterable of int
        A 52-bit mask, or strength indices.
    options : mapping
        Full options, as ``resolve`` gives them.

    Returns
    -------
    Play or None
        None if these cards are no legal combination.

    Raises
    ------
    ValueError
        For cards outside the deck or named twice.
    """
    card_mask = mask_or_cards if isinstance(mask_or_cards, int) else mask(mask_or_cards)
    return _classify(indices(card_mask), options)


def _classify(held: tuple[int, ...], options: Options) -> Play | None:
    """``classify`` for different indices in ascending order."""
    size = len(held)
    if size == 5:
        found = _five_cards(held, options)
        if found is None:
            return None
        category, key = found
    else:
        allowed = size in (1, 2) or (size == 3 and options["triples"]) or (size == 4 and options["quads"] == "four_card")
        if not allowed or len({rank_of(c) for c in held}) != 1:
            return None
        category = Category.PLAIN
        # Singles and pairs of one rank compare by their highest suit; threes and fours of one rank cannot meet.
        key = (rank_of(held[-1]), suit_of(held[-1])) if size <= 2 else (rank_of(held[-1]),)
    return Play(size, category, key, sum(1 << c for c in held))


def _five_cards(held: tuple[int, ...], options: Options) -> tuple[Category, tuple[int, ...]] | None:
    """Category and key of five ascending cards, None if they are no five-card hand."""
    on = options["categories"]
    ranks = [c // 4 for c in held]
    suits = [c % 4 for c in held]
    different = set(ranks)
    if len(different) == 5:
        return _five_ranks(ranks, suits, options)
    if len(different) == 4:
        return None
    # In five ascending cards a group of three or four always covers the middle one.
    middle = ranks[2]
    pattern = sorted(ranks.count(rank) for rank in different)
    if pattern == [1, 4] and "quads" in on and options["quads"] == "five_card":
        return Category.QUADS, (middle,)
    if pattern == [2, 3] and "full_house" in on:
        return Category.FULL_HOUSE, (middle,)
    if pattern == [1, 2, 2] and "two_pair" in on:
        high, low = sorted((rank for rank in different if ranks.count(rank) == 2), reverse=True)
        top_suit = max(suit for rank, suit in zip(ranks, suits, strict=True) if rank == high)
        return Category.TWO_PAIR, (high, low, top_suit)
    return None


def _five_ranks(ranks: list[int], suits: list[int], options: Options) -> tuple[Category, tuple[int, ...]] | None:
    """Category and key of five cards of five different ranks."""
    on = options["categories"]
    straight = straight_orders(options["straights"]).get(frozenset(ranks))
    suited = len(set(suits)) == 1
    if straight is not None and suited and "straight_flush" in on:
        key = (straight[0], suits[0])
        return Category.STRAIGHT_FLUSH, key if options["sf_order"] == "rank_first" else key[::-1]
    if suited and "flush" in on:
        down = tuple(reversed(ranks))
        return Category.FLUSH, (suits[0], *down) if options["flush_order"] == "suit_first" else (*down, suits[0])
    if straight is not None and "straight" in on:
        order, tie_rank = straight
        return Category.STRAIGHT, (order, suits[ranks.index(tie_rank)])
    return None


def beats(play: Play, table: Play, options: Options = DEFAULTS) -> bool:
    """Whether a play may be put on another one (PD-4 to PD-7, bombs PD-A7)."""
    if play.size == table.size:
        return play.strength > table.strength
    return bool(options["bombs"]) and is_bomb(play) and table.size == 1 and table.key[0] == TWO


def is_bomb(play: Play) -> bool:
    """Whether a play could beat a single two (PD-A7)."""
    return play.category in (Category.QUADS, Category.STRAIGHT_FLUSH)


def all_plays(hand: int, options: Options = DEFAULTS, sizes: Iterable[int] = (1, 2, 3, 4, 5)) -> list[Play]:
    """Every legal combination within a hand, by trying every subset.

    Parameters
    ----------
    hand : int
        Mask of the hand.
    options : mapping
        Full options.
    sizes : iterable of int
        Sizes to try.

    Returns
    -------
    list of Play
        By size, each size in lexicographic order of its ascending cards.
    """
    held = indices(hand)
    found = (_classify(subset, options) for size in sizes for subset in combinations(held, size))
    return [play for play in found if play is not None]


def legal_plays(
    hand: int,
    table: Play | None,
    must_card: int | None = None,
    options: Options = DEFAULTS,
    next_size: int | None = None,
) -> list[Play]:
    """Every play that a seat may make (PD-7 to PD-9, PD-A9, PD-A20).

    Parameters
    ----------
    hand : int
        Mask of the hand.
    table : Play or None
        What is to be beaten; None on lead.
    must_card : int or None
        The opening card if this is the opening play and an obligation holds.
    options : mapping
        Full options.
    next_size : int or None
        Cards of the next seat in turn order, for the last-card rule.

    Returns
    -------
    list of Play
        Passing is not in the list: it is legal whenever ``table`` is not None.
    """
    return _legal_among(all_plays(hand, options), table, must_card, options, next_size)


def _legal_among(plays: Sequence[Play], table: Play | None, must_card: int | None, options: Options, next_size: int | None) -> list[Play]:
    """``legal_plays`` once all combinations of the hand are known."""
    if table is not None:
        legal = [play for play in plays if beats(play, table, options)]
    else:
        legal = list(plays)
        if must_card is not None:
            legal = [play for play in legal if play.mask >> must_card & 1]
            if options["opening_must_include"] == "single_only":
                legal = [play for play in legal if play.size == 1]
    if options["last_card_rule"] == "highest_single" and next_size == 1:
        best_single = max((play.key for play in legal if play.size == 1), default=None)
        legal = [play for play in legal if play.size != 1 or play.key == best_single]
    return legal


def deal(options: Options, rng: Random) -> tuple[list[int], tuple[int, ...]]:
    """A shuffled deal (PD-2, PD-A12).

    Parameters
    ----------
    options : mapping
        Full options.
    rng : random.Random
        The only source of chance.

    Returns
    -------
    hands : list of int
        One mask per seat.
    leftover : tuple of int
        Indices of the cards that were not dealt; with ``remove_lowest`` the removed card comes first.
    """
    players = options["players"]
    deck = list(range(52))
    removed: list[int] = []
    if players == 3 and options["leftover"] == "remove_lowest":
        removed = [deck.pop(0)]
    rng.shuffle(deck)
    size = 17 if players == 3 and options["deal3"] == "51" else 13
    hands = [mask(deck[seat * size : (seat + 1) * size]) for seat in range(players)]
    return hands, (*removed, *deck[players * size :])


def penalty(left: int, dealt: int, options: Options = DEFAULTS) -> int:
    """Penalty points for the cards a seat still holds (PD-A17).

    Parameters
    ----------
    left : int
        Mask of the cards left.
    dealt : int
        Number of cards the seat started with, for ``penalty_scale='relative'``.
    options : mapping
        Full options.

    Returns
    -------
    int
        Points, 0 for an empty hand.
    """
    held = indices(left)
    if options["penalty_table"] == "pips":
        points = sum(_pips(c) for c in held)
    else:
        factor = 1
        for threshold, step_factor in PENALTY_STEPS[options["penalty_table"]]:
            if options["penalty_scale"] == "relative":
                threshold = -(-threshold * dealt // 13)
            if len(held) >= threshold:
                factor = step_factor
        points = factor * len(held)
    twos = sum(rank_of(c) == TWO for c in held)
    if options["two_mult"] == "per_two":
        points *= 2**twos
    elif options["two_mult"] == "once" and twos:
        points *= 2
    return points


def _pips(index: int) -> int:
    """Face value of a card: ace 1, two 2, tens and court cards 10."""
    rank = RANKS[rank_of(index)]
    if rank == "A":
        return 1
    return 10 if rank in "TJQK" else int(rank)


def settle(charged: Sequence[int], winner: int, options: Options = DEFAULTS) -> tuple[int, ...]:
    """Zero-sum points from the penalties charged to each seat (PD-A17)."""
    total = sum(charged)
    if options["settle"] == "pairwise":
        return tuple(total - len(charged) * own for own in charged)
    return tuple(total if seat == winner else -own for seat, own in enumerate(charged))


def instant_win(hand: int, options: Options) -> str | None:
    """Name of the instant win that a hand is, None if it is none (PD-A19)."""
    held_ranks = [rank_of(c) for c in indices(hand)]
    if "dragon" in options["instant_win"] and len(set(held_ranks)) == 13:
        return "dragon"
    if "four_twos" in options["instant_win"] and held_ranks.count(TWO) == 4:
        return "four_twos"
    return None


def dumper(state: State) -> int | None:
    """The yardstick strategy of PD-O7: the lowest play, on lead from the largest size there is.

    Parameters
    ----------
    state : State
        What the seat knows.

    Returns
    -------
    int or None
        Mask of the cards to play, None to pass.
    """
    if state.table is None:
        size = max(play.size for play in state.legal)
    else:
        size = state.table.size
    candidates = [play for play in state.legal if play.size == size]
    if not candidates:
        return None
    return min(candidates, key=lambda play: (play.strength, play.mask)).mask


def play_hand(
    options: Options,
    hands: Sequence[int | Iterable[int]],
    leftover: Iterable[int],
    choose: Chooser | Sequence[Chooser],
    opener_hint: int | None = None,
) -> HandResult:
    """Play one deal to its end.

    Parameters
    ----------
    options : mapping
        Full options, as ``resolve`` gives them.
    hands : sequence of masks or of card iterables
        The dealt cards by seat, before a left-over card is handed out. Any sizes from one card on are accepted.
    leftover : iterable of int
        Cards not dealt.
    choose : callable or sequence of callables
        Asked with a ``State``; gives the cards to play (mask or indices) or None to pass. One for all seats, or one
        per seat.
    opener_hint : int, optional
        The winner of the deal before; only used with ``opener='previous_winner'``.

    Returns
    -------
    HandResult
        A void deal (PD-V2) has ``redeal`` True and no winner.

    Raises
    ------
    IllegalPlay
        If a choice is not allowed.
    ValueError
        If the hands do not fit the options or overlap.
    """
    return _Hand(options, hands, leftover, choose, opener_hint).run()


class _Hand:
    """One deal in progress."""

    def __init__(
        self,
        options: Options,
        hands: Sequence[int | Iterable[int]],
        leftover: Iterable[int],
        choose: Chooser | Sequence[Chooser],
        opener_hint: int | None,
    ) -> None:
        self.options = options
        self.players: int = options["players"]
        self.hands = [hand if isinstance(hand, int) else mask(hand) for hand in hands]
        spare = tuple(leftover)
        self._check(spare)
        self.choosers = [choose] * self.players if callable(choose) else list(choose)
        self.events: list[Event] = []
        if self.players == 3 and options["leftover"] == "to_lowest_holder":
            self._hand_over(spare)
        self.dealt = tuple(hand.bit_count() for hand in self.hands)
        # Combinations of what remains of a hand are the combinations of the whole hand that are still in it.
        self.combinations: list[list[Play]] = [[] for _ in range(self.players)]
        lowest = min(indices(hand)[0] for hand in self.hands)
        self.opener = next(seat for seat, hand in enumerate(self.hands) if hand >> lowest & 1)
        self.must_card: int | None = lowest if options["opening_must_include"] != "free" else None
        if options["opener"] == "previous_winner" and opener_hint is not None:
            if not 0 <= opener_hint < self.players:
                raise ValueError(f"there is no seat {opener_hint}")
            self.opener, self.must_card = opener_hint, None
        self.finished: list[int] = []
        self.plays = [0] * self.players
        self.passes = [0] * self.players
        self.leads: dict[int, int] = {}
        self.table: Play | None = None
        self.owner: int | None = None
        self.passed: set[int] = set()
        self.careless: int | None = None  # owner of a single on the table who could have done better (PD-A20)
        self.payer: int | None = None
        self.winning_play = 0

    def _check(self, spare: tuple[int, ...]) -> None:
        """The zones are disjoint sets of cards of the deck, one hand per seat, none empty."""
        if len(self.hands) != self.players:
            raise ValueError(f"{len(self.hands)} hands for {self.players} players")
        if not all(self.hands):
            raise ValueError("every seat needs a card")
        mask(c for zone in (*map(indices, self.hands), spare) for c in zone)

    def _hand_over(self, spare: tuple[int, ...]) -> None:
        """The left-over card goes to the seat with the lowest dealt card."""
        if len(spare) != 1:
            raise ValueError(f"leftover='to_lowest_holder' needs one left-over card, not {len(spare)}")
        taker = min(range(self.players), key=lambda seat: indices(self.hands[seat])[0])
        self.hands[taker] |= 1 << spare[0]
        self.events.append(Event("leftover", taker, 1 << spare[0]))

    def _turn_order(self, after: int) -> list[int]:
        """All seats in the direction of play, beginning with the one after ``after``, ending with ``after``."""
        step = 1 if self.options["direction"] == "cw" else -1
        return [(after + step * turn) % self.players for turn in range(1, self.players + 1)]

    def _next_active(self, after: int) -> int:
        """The next seat after this one that holds cards."""
        return next(seat for seat in self._turn_order(after) if self.hands[seat])

    def _next_to_ask(self, after: int) -> int | None:
        """The next seat that holds cards, does not own the table and has not passed; None ends the trick."""
        for seat in self._turn_order(after):
            if self.hands[seat] and seat != self.owner and seat not in self.passed:
                return seat
        return None

    def _over(self) -> bool:
        """Whether the deal is finished (PD-11)."""
        if self.options["end"] == "first_out":
            return bool(self.finished)
        return len(self.finished) == self.players - 1

    def run(self) -> HandResult:
        """Play the deal."""
        for seat in [self.opener, *self._turn_order(self.opener)[:-1]]:
            kind = instant_win(self.hands[seat], self.options)
            if kind is not None:
                self.events.append(Event("instant_win", seat, self.hands[seat]))
                return self._result(winner=seat, instant=kind)
        if self.options["redeal_four_twos"]:
            twos = mask(TWO * 4 + suit for suit in range(4))
            for seat, hand in enumerate(self.hands):
                if hand & twos == twos:
                    self.events.append(Event("redeal", seat, twos))
                    return self._result(winner=None, redeal=True)
        self.combinations = [all_plays(hand, self.options) for hand in self.hands]
        leader: int | None = self.opener
        while leader is not None:
            leader = self._trick(leader)
        return self._result(winner=self.finished[0])

    def _trick(self, leader: int) -> int | None:
        """One trick; gives the seat that leads the next one, None when the deal is over."""
        self.table, self.owner, self.passed = None, None, set()
        asked: int | None = leader
        while asked is not None:
            seat = asked
            if self._ask(seat):
                self.owner = seat
                if not self.options["pass_lockout"]:
                    self.passed.clear()
                if self._over():
                    return None
                if not self.hands[seat] and self.options["after_out"] == "immediate_control":
                    break
            else:
                self.passed.add(seat)
            asked = self._next_to_ask(seat)
        assert self.owner is not None
        next_leader = self.owner if self.hands[self.owner] else self._next_active(self.owner)
        self.events.append(Event("trick_end", next_leader))
        return next_leader

    def _ask(self, seat: int) -> bool:
        """Ask one seat; True if it played, False if it passed."""
        must_card = self.must_card if not any(self.plays) else None
        next_seat = self._next_active(seat)
        legal = _legal_among(
            [play for play in self.combinations[seat] if play.mask & self.hands[seat] == play.mask],
            self.table,
            must_card,
            self.options,
            self.hands[next_seat].bit_count(),
        )
        state = State(
            seat=seat,
            hand=self.hands[seat],
            table=self.table,
            owner=self.owner,
            must_card=must_card,
            sizes=tuple(hand.bit_count() for hand in self.hands),
            locked=frozenset(self.passed) if self.options["pass_lockout"] else frozenset(),
            events=tuple(self.events),
            legal=tuple(legal),
            options=self.options,
        )
        chosen = self.choosers[seat](state)
        if chosen is None:
            if self.table is None:
                raise IllegalPlay(f"seat {seat} leads and may not pass")
            self.passes[seat] += 1
            self.events.append(Event("pass", seat))
            return False
        chosen_mask = chosen if isinstance(chosen, int) else mask(chosen)
        play = next((play for play in legal if play.mask == chosen_mask), None)
        if play is None:
            shown = " ".join(name(c, self.options["suit_order"]) for c in indices(chosen_mask))
            raise IllegalPlay(f"seat {seat} may not play {shown}")
        self._put(seat, play, legal)
        return True

    def _put(self, seat: int, play: Play, legal: list[Play]) -> None:
        """Put a legal play on the table."""
        leading = self.table is None
        if leading:
            self.leads[play.size] = self.leads.get(play.size, 0) + 1
        self.plays[seat] += 1
        self.hands[seat] &= ~play.mask
        self.events.append(Event("play", seat, play.mask))
        if not self.hands[seat]:
            if not self.finished:
                self.winning_play = play.mask
                if play.size == 1 and self.careless is not None and self._turn_order(self.careless)[0] == seat:
                    self.payer = self.careless
            self.finished.append(seat)
            self.events.append(Event("finish", seat))
        could_do_better = any((other.size == 1 and other.key > play.key) or (leading and other.size != 1) for other in legal)
        self.careless = seat if play.size == 1 and could_do_better else None
        self.table = play

    def _result(self, winner: int | None, instant: str | None = None, redeal: bool = False) -> HandResult:
        """Places, penalties and points of the deal as it stands (PD-12, PD-A15 to PD-A20)."""
        options = self.options
        places: list[int | None] = [None] * self.players
        loser = None
        if winner is not None:
            places[winner] = 1
        if options["end"] == "play_on" and self.finished:
            loser = next(seat for seat, hand in enumerate(self.hands) if hand)
            for place, seat in enumerate([*self.finished, loser], start=1):
                places[seat] = place
        penalties = [0] * self.players
        if not redeal:
            penalties = [0 if seat == winner else penalty(hand, self.dealt[seat], options) for seat, hand in enumerate(self.hands)]
        payer = self.payer if options["last_card_rule"] == "pay_all" else None
        charged = penalties if payer is None else [sum(penalties) * (seat == payer) for seat in range(self.players)]
        return HandResult(
            opener=self.opener,
            must_card=self.must_card,
            winner=winner,
            loser=loser,
            places=tuple(places),
            dealt=self.dealt,
            cards_left=tuple(hand.bit_count() for hand in self.hands),
            hands_left=tuple(self.hands),
            penalty=tuple(penalties),
            charged=tuple(charged),
            payer=payer,
            points=self._points(winner, places, charged),
            plays=tuple(self.plays),
            passes=tuple(self.passes),
            leads=self.leads,
            instant_win=instant,
            redeal=redeal,
            events=tuple(self.events),
        )

    def _points(self, winner: int | None, places: Sequence[int | None], charged: Sequence[int]) -> tuple[int, ...]:
        """Points by seat under the scoring in force."""
        options = self.options
        if winner is None or options["scoring"] == "none":
            return (0,) * self.players
        if options["scoring"] == "penalty":
            return settle(charged, winner, options)
        if options["scoring"] == "placement":
            return tuple(0 if place is None else options["placement"][place - 1] for place in places)
        bonus = 1
        if options["win_bonus_twos"]:
            bonus = 2 ** sum(rank_of(c) == TWO for c in indices(self.winning_play))
        return tuple(bonus * (seat == winner) for seat in range(self.players))


def play_match(options: Options, choose: Chooser | Sequence[Chooser], rng: Random) -> MatchResult:
    """Play a match (PD-A8, PD-A17).

    Parameters
    ----------
    options : mapping
        Full options.
    choose : callable or sequence of callables
        As for ``play_hand``.
    rng : random.Random
        Shuffles every deal.

    Returns
    -------
    MatchResult
        Void deals (PD-V2) are counted in ``redeals`` only.
    """
    players = options["players"]
    deals: list[HandResult] = []
    redeals = 0
    penalties = [0] * players
    points = [0] * players
    target = options["match_target"]
    previous_winner: int | None = None
    while (max(penalties) < target) if target is not None else (len(deals) < options["match_deals"]):
        hands, leftover = deal(options, rng)
        result = play_hand(options, hands, leftover, choose, previous_winner)
        if result.redeal:
            redeals += 1
            continue
        deals.append(result)
        previous_winner = result.winner
        penalties = [total + own for total, own in zip(penalties, result.charged, strict=True)]
        points = [total + own for total, own in zip(points, result.points, strict=True)]
    merit = [-total for total in penalties] if options["scoring"] == "penalty" else points
    winners = [seat for seat in range(players) if merit[seat] == max(merit)]
    shares = tuple(Fraction(seat in winners, len(winners)) for seat in range(players))
    return MatchResult(tuple(deals), redeals, tuple(penalties), tuple(points), shares)
