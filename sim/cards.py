"""Playing cards as numbers and as text.

A card is a number from 0 to 51: rank * 4 + suit, ranks A 2 3 … T J Q K as 0 … 12, suits clubs, diamonds, hearts, spades as 0 … 3.
A rank number says nothing of strength: each game has its own order. Text is read generously (``7H``, ``TH``, ``10h``, ``7♥``) and
written in one form (``TH``).
"""

from collections.abc import Iterable

RANKS = "A23456789TJQK"
SUITS = "CDHS"
SUIT_SYMBOLS = "♣♦♥♠"
RANK_NAMES = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
DECK_SIZE = 52

_WHITE_SYMBOLS = "♧♢♡♤"


class CardError(ValueError):
    """A text or number that is no card of a 52-card deck."""


def parse_rank(text: str) -> int:
    """The rank written as ``A``, ``2`` … ``9``, ``T`` or ``10``, ``J``, ``Q``, ``K`` (any case), 0 to 12.

    Raises
    ------
    CardError
        If the text is no rank.
    """
    word = text.strip().upper()
    if word == "10":
        word = "T"
    if len(word) != 1 or word not in RANKS:
        raise CardError(f"no rank '{text}': ranks are {' '.join(RANKS)} (10 may be written for T)")
    return RANKS.index(word)


def parse_card(text: str) -> int:
    """The card written as rank and suit: ``7H``, ``TH``, ``10h``, ``7♥``.

    Raises
    ------
    CardError
        If the text is no card.
    """
    word = text.strip().replace("\ufe0e", "").replace("\ufe0f", "")
    for marks in (SUIT_SYMBOLS, _WHITE_SYMBOLS):
        for letter, mark in zip(SUITS, marks, strict=True):
            word = word.replace(mark, letter)
    suit = word[-1:].upper()
    if len(word) < 2 or suit not in SUITS:
        raise CardError(f"no card '{text}': a card is a rank ({' '.join(RANKS)}) and a suit ({' '.join(SUITS)}), as in 7H or TH")
    try:
        return parse_rank(word[:-1]) * 4 + SUITS.index(suit)
    except CardError:
        raise CardError(f"no card '{text}': a card is a rank ({' '.join(RANKS)}) and a suit ({' '.join(SUITS)}), as in 7H or TH") from None


def parse_cards(text: str) -> list[int]:
    """Cards written one after another, parted by blanks or commas, each at most once.

    Raises
    ------
    CardError
        If a word is no card or a card comes twice.
    """
    cards: list[int] = []
    for word in text.replace(",", " ").split():
        card = parse_card(word)
        if card in cards:
            raise CardError(f"{card_text(card)} comes twice in '{text}'")
        cards.append(card)
    return cards


def card_text(card: int) -> str:
    """The canonical text of a card, as in ``TH``.

    Raises
    ------
    CardError
        If the number is not 0 to 51.
    """
    if not 0 <= card < DECK_SIZE:
        raise CardError(f"no card number {card}: a 52-card deck has numbers 0 to 51")
    return RANKS[card >> 2] + SUITS[card & 3]


def cards_text(cards: Iterable[int]) -> str:
    """Canonical text of several cards, parted by blanks."""
    return " ".join(card_text(card) for card in cards)


def rank_counts(counts: int) -> list[int]:
    """A counted-rank word (four bits a rank) as a list of thirteen counts."""
    return [(int(counts) >> (4 * rank)) & 15 for rank in range(13)]


def ranks_text(counts: int) -> str:
    """A counted-rank word in words: ``7 7 K K 3`` (most frequent first, then by rank)."""
    held = rank_counts(counts)
    order = sorted((rank for rank in range(13) if held[rank]), key=lambda rank: (-held[rank], rank))
    return " ".join(RANKS[rank] for rank in order for _ in range(held[rank]))
