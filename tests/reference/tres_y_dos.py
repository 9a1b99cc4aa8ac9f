"""Tres y Dos played slowly and plainly with real cards, straight from the numbered rules TYD-1 to TYD-17.

A card is ``rank * 4 + suit``, rank 0 = ace to 12 = king. Hands, pile and stock hold physical cards; players decide in
ranks, since only the equality of ranks matters (TYD-2). All randomness comes from a :class:`Luck`.

Where the rules leave the order of things open this engine does the following.

* Chairs 0 .. n-1 are numbered in the direction of play, so ``direction`` only relabels and has no effect (TYD-A1).
* Each player in turn order (left of the dealer first) gets the next five cards of the drawing order; the card after
  them is the up-card, the rest is the stock (TYD-3).
* ``show_dealt='immediate'``: everybody is asked before any show takes effect, for all show at the same moment.
* A turn is finished when its player has discarded and not won. Every decision of one turn sees the same
  ``View.turn``. The winning turn counts in ``HandResult.turns``; a dealt full house shown at the start of one's
  first turn finishes no turn, for nothing was drawn (TYD-6).
* The win check comes before the reshuffle of ``'eager_all'``: a hand that is won ends at once (TYD-10).
* ``'lazy_all'`` and ``'keep_top'`` shuffle at the wish to draw from the empty stock; the pile top seen at the wish
  counts as refused, also where it is then shuffled in.
* ``win_check='after_draw'`` looks at the six cards. The discard is still asked; a player who breaks the full house
  with it does not win. Five cards that are a full house were one before the discard too, and noticing is still
  drawn after the discard (TYD-A5), so both values of the option play the same (TYD-A4).
* ``auto_show=True``: a full house that went unnoticed can be noticed again only after the player's next discard.
* ``stake_mode`` decides nothing; the marbles are always counted (TYD-A14).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

RANKS = 13
DECK = range(52)
HAND_SIZE = 5
WHOLE_WIN = 840  # least common multiple of 1..8: every split of a hand is a whole number of these

Event = tuple[Any, ...]

DEFAULTS: dict[str, object] = {
    "players": 4,
    "pickup_discard_rule": "same_card",
    "show_dealt": "immediate",
    "auto_show": True,
    "notice_prob": 1.0,
    "tie_rule": "turn_order",
    "false_show": "no_penalty",
    "reshuffle": "lazy_all",
    "max_turns": 1000,
    "dealer_rotation": "left",
    "match_target": 3,
    "first_dealer": "random",
    "stake": 1,
    "stake_mode": "ante",
    "win_check": "after_discard",
    "direction": "cw",
}

CHOICES: dict[str, tuple[object, ...]] = {
    "players": (2, 3, 4, 5, 6, 7),
    "pickup_discard_rule": ("same_card", "same_rank"),
    "show_dealt": ("immediate", "own_turn"),
    "auto_show": (True, False),
    "tie_rule": ("turn_order", "random", "split"),
    "false_show": ("no_penalty",),
    "reshuffle": ("lazy_all", "eager_all", "keep_top"),
    "dealer_rotation": ("left", "winner_deals", "random", "fixed"),
    "first_dealer": ("random", "last_seat"),
    "stake_mode": ("none", "ante"),
    "win_check": ("after_discard", "after_draw"),
    "direction": ("cw", "ccw"),
}


class IllegalAction(Exception):
    """A player's decision breaks the rules."""


class Luck(Protocol):
    """All the chance of one hand."""

    def deck(self) -> Iterator[int]:
        """Return the drawing order of the 52 cards; only as many as the hand uses are taken from it."""

    def reshuffle(self, epoch: int, pile: list[int]) -> Iterator[int]:
        """Return the drawing order of recycled cards, given bottom to top; the first reshuffle has epoch 1."""

    def notice(self) -> bool:
        """Tell whether a player notices the full house he holds; asked only when ``notice_prob`` < 1."""

    def tie(self, k: int) -> int:
        """Return which of k >= 2 players who showed together wins, 0 .. k-1 in turn order (``tie_rule='random'``)."""


class RandomSource(Protocol):
    """Source of the randomness of a strategy."""

    def below(self, n: int) -> int:
        """Return an integer uniform on 0 .. n-1."""


@dataclass
class View:
    """What a seat may know when it decides (TYD-4, TYD-A15). The lists are copies.

    Attributes
    ----------
    seat, players, dealer : int
        The deciding chair, the number of chairs, the dealer's chair.
    turn : int
        Turns finished so far at the table.
    hand : list of 13 int
        How many cards of each rank the seat holds: six in all when it discards, else five.
    top : int or None
        Rank of the pile's top card, None for an empty pile.
    drawn, took : int or None
        Rank just drawn from anywhere, rank just taken from the pile; set for the discard decision only.
    stock, pile : int
        Number of cards in the stock and in the pile.
    pile_counts : list of 13 int
        Ranks lying in the pile.
    known : list per seat of 13 int
        Cards a seat is known to hold: taken from the pile and no card of that rank thrown since, or shown falsely.
    thrown : list per seat of set of int
        Ranks the seat has discarded in this hand.
    refused : list per seat of set of int
        Ranks of pile tops the seat passed over by drawing from the stock.
    recycled : list of 13 int, or None
        Ranks of the cards last shuffled into the stock, None before any reshuffle.
    wins : list per seat of int
        Hands won so far in the match, in 840ths.
    """

    seat: int
    players: int
    turn: int
    hand: list[int]
    top: int | None
    drawn: int | None
    took: int | None
    stock: int
    pile: int
    pile_counts: list[int]
    known: list[list[int]]
    thrown: list[set[int]]
    refused: list[set[int]]
    recycled: list[int] | None
    wins: list[int]
    dealer: int


class Player(Protocol):
    """A strategy sitting on a chair."""

    def draw(self, view: View) -> str:
        """Return 'stock' or 'pile'."""

    def discard(self, view: View) -> int:
        """Return the rank of the card to discard."""

    def show(self, view: View) -> bool:
        """Tell whether to show the hand; asked only under ``auto_show=False``."""


@dataclass
class HandResult:
    """How a hand went.

    Attributes
    ----------
    events : list of tuple
        ('deal', seat, cards), ('up', card), ('draw', seat, 'stock' or 'pile', card), ('reshuffle', epoch, count),
        ('discard', seat, card), ('show', seat, cards, valid), ('win', seats), ('void',).
    shares : list of Fraction
        Share of the win per seat, summing to 1, or all 0 for a void hand.
    turns : int
        Finished turns of the table, the winning one included.
    void, dealt_win : bool
        No winner within ``max_turns``; won with the dealt hand before the winner's first draw.
    reshuffles : int
        Number of reshuffles.
    marbles : list of Fraction
        Net marbles per seat, summing to 0.
    dealer : int
        Chair of the dealer.
    """

    events: list[Event]
    shares: list[Fraction]
    turns: int
    void: bool
    dealt_win: bool
    reshuffles: int
    marbles: list[Fraction]
    dealer: int


@dataclass
class MatchResult:
    """How a match went.

    Attributes
    ----------
    hands : list of HandResult
        The hands in order.
    shares : list of Fraction
        Share of the match win per seat, summing to 1, or all 0 for a void match.
    hands_won : list of Fraction
        Won shares of hands per seat.
    void : bool
        Nobody reached the target within the allowed number of hands.
    """

    hands: list[HandResult]
    shares: list[Fraction]
    hands_won: list[Fraction]
    void: bool

    @property
    def hands_played(self) -> int:
        """Number of hands played, void ones included."""
        return len(self.hands)

    @property
    def turns(self) -> int:
        """Finished turns of all hands."""
        return sum(hand.turns for hand in self.hands)

    @property
    def voids(self) -> int:
        """Number of void hands."""
        return sum(hand.void for hand in self.hands)

    @property
    def marbles(self) -> list[Fraction]:
        """Net marbles per seat over all hands."""
        return [sum(column, Fraction(0)) for column in zip(*(hand.marbles for hand in self.hands), strict=True)]


def rank_of(card: int) -> int:
    """Return the rank 0 .. 12 of a card 0 .. 51."""
    return card // 4


def rank_counts(cards: Iterable[int]) -> list[int]:
    """Return how many cards of each of the 13 ranks there are."""
    counts = [0] * RANKS
    for card in cards:
        counts[rank_of(card)] += 1
    return counts


def is_full_house(counts: Sequence[int]) -> bool:
    """Tell whether the counts are exactly three of one rank and two of another (TYD-9)."""
    return sorted(count for count in counts if count > 0) == [2, 3]


def contains_full_house(counts: Sequence[int]) -> bool:
    """Tell whether three of one rank and two of another are among the cards (TYD-A4)."""
    return any(counts[triple] >= 3 and counts[pair] >= 2 for triple in range(RANKS) for pair in range(RANKS) if triple != pair)


@dataclass(frozen=True)
class Settings:
    """The options of a table, checked; see ``DEFAULTS`` for the defaults and ``CHOICES`` for the values."""

    players: int
    pickup_discard_rule: str
    show_dealt: str
    auto_show: bool
    notice_prob: float
    tie_rule: str
    false_show: str
    reshuffle: str
    max_turns: int
    dealer_rotation: str
    match_target: int
    first_dealer: str
    stake: int
    stake_mode: str
    win_check: str
    direction: str

    @classmethod
    def of(cls, options: Mapping[str, object]) -> Settings:
        """Return the settings of a table from the options that differ from the defaults.

        Raises
        ------
        ValueError
            If an option is unknown or its value is not allowed.
        """
        unknown = sorted(set(options) - set(DEFAULTS))
        if unknown:
            raise ValueError(f"unknown options: {', '.join(unknown)}")
        merged: dict[str, Any] = {**DEFAULTS, **options}
        for name, allowed in CHOICES.items():
            if merged[name] not in allowed:
                raise ValueError(f"{name} must be one of {allowed}, got {merged[name]!r}")
        if not 0 < merged["notice_prob"] <= 1:
            raise ValueError(f"notice_prob must lie in (0, 1], got {merged['notice_prob']!r}")
        for name, least in (("max_turns", 1), ("match_target", 1), ("stake", 0)):
            if merged[name] < least:
                raise ValueError(f"{name} must be at least {least}, got {merged[name]!r}")
        return cls(**merged)


class Stock:
    """A face-down stock, drawn lazily in the order luck gives.

    Parameters
    ----------
    order : iterator of int
        Drawing order.
    cards : iterable of int
        The cards the stock consists of.
    """

    def __init__(self, order: Iterator[int], cards: Iterable[int]) -> None:
        self._order = order
        self._cards = set(cards)

    def __len__(self) -> int:
        """Return the number of cards left."""
        return len(self._cards)

    def draw(self) -> int:
        """Draw the top card.

        Raises
        ------
        ValueError
            If luck names a card that is not in the stock.
        """
        card = next(self._order)
        if card not in self._cards:
            raise ValueError(f"card {card} is not in the stock")
        self._cards.remove(card)
        return card


class Hand:
    """One hand of Tres y Dos in progress; :func:`play_hand` is the way in."""

    def __init__(self, settings: Settings, luck: Luck, players: Sequence[Player], dealer: int, wins: Sequence[int]) -> None:
        n = settings.players
        self.settings = settings
        self.luck = luck
        self.players = players
        self.dealer = dealer
        self.wins = wins
        self.turn_order = [(dealer + 1 + step) % n for step in range(n)]
        self.events: list[Event] = []
        self.turns = 0
        self.reshuffles = 0
        self.known = [[0] * RANKS for _ in range(n)]
        self.thrown: list[set[int]] = [set() for _ in range(n)]
        self.refused: list[set[int]] = [set() for _ in range(n)]
        self.recycled: list[int] | None = None
        self.hands: list[list[int]] = [[] for _ in range(n)]
        self.pile: list[int] = []
        self.stock = Stock(luck.deck(), DECK)
        self.deal()

    def deal(self) -> None:
        """Deal five cards to everybody and turn the up-card (TYD-3)."""
        for seat in self.turn_order:
            self.hands[seat] = [self.stock.draw() for _ in range(HAND_SIZE)]
            self.events.append(("deal", seat, tuple(self.hands[seat])))
        self.pile.append(self.stock.draw())
        self.events.append(("up", self.pile[-1]))

    def play(self) -> HandResult:
        """Play the hand to its end."""
        if self.settings.show_dealt == "immediate":
            showers = self.shows_of_dealt_hands()
            if showers:
                return self.won(self.settle_tie(showers), dealt_win=True)
        while self.turns < self.settings.max_turns:
            seat = self.turn_order[self.turns % len(self.turn_order)]
            first_turn = self.turns < len(self.turn_order)
            if self.settings.show_dealt == "own_turn" and first_turn and self.wins_by_showing(seat):
                return self.won([seat], dealt_win=True)
            won = self.take_turn(seat)
            self.turns += 1
            if won:
                return self.won([seat], dealt_win=False)
        return self.void()

    # The deal ---------------------------------------------------------------------------------------------------

    def shows_of_dealt_hands(self) -> list[int]:
        """Return the seats that show a full house as soon as the cards are dealt, in turn order (TYD-10)."""
        wishes = [seat for seat in self.turn_order if self.wants_to_show(seat)]
        return [seat for seat in wishes if self.show(seat)]

    def settle_tie(self, showers: list[int]) -> list[int]:
        """Return the winners among those who showed at the same moment (TYD-11, TYD-A6)."""
        if len(showers) == 1 or self.settings.tie_rule == "split":
            return showers
        if self.settings.tie_rule == "random":
            return [showers[self.luck.tie(len(showers))]]
        return [showers[0]]

    # A turn -----------------------------------------------------------------------------------------------------

    def take_turn(self, seat: int) -> bool:
        """Play one turn (TYD-6); tell whether it won the hand."""
        drawn, source = self.draw(seat)
        six_contain_it = contains_full_house(rank_counts(self.hands[seat]))
        self.discard(seat, drawn, taken=drawn if source == "pile" else None)
        may_win = six_contain_it if self.settings.win_check == "after_draw" else True
        if self.wins_by_showing(seat) and may_win:
            return True
        if self.settings.reshuffle == "eager_all" and len(self.stock) == 0:
            self.recycle(self.pile, kept=[])
        return False

    def draw(self, seat: int) -> tuple[int, str]:
        """Let the seat draw; return the card and where it came from."""
        source = self.players[seat].draw(self.view(seat))
        if source == "pile":
            card = self.take_from_pile(seat)
        elif source == "stock":
            card = self.draw_from_stock(seat)
        else:
            raise IllegalAction(f"seat {seat} must draw from 'stock' or 'pile', not from {source!r}")
        self.hands[seat].append(card)
        self.events.append(("draw", seat, source, card))
        return card, source

    def take_from_pile(self, seat: int) -> int:
        """Take the pile's top card, which everybody sees."""
        if not self.pile:
            raise IllegalAction(f"seat {seat} cannot draw from the empty pile")
        card = self.pile.pop()
        self.known[seat][rank_of(card)] += 1
        return card

    def draw_from_stock(self, seat: int) -> int:
        """Draw from the stock, after a reshuffle if it is empty (TYD-14, TYD-A9).

        The stock can be empty only under 'lazy_all' and 'keep_top', and then at least 17 cards lie in the pile
        (TYD-15): 'keep_top' always finds cards under the top one.
        """
        if self.pile:
            self.refused[seat].add(rank_of(self.pile[-1]))
        if len(self.stock) == 0:
            if self.settings.reshuffle == "keep_top":
                self.recycle(self.pile[:-1], kept=self.pile[-1:])
            else:
                self.recycle(self.pile, kept=[])
        return self.stock.draw()

    def recycle(self, cards: list[int], kept: list[int]) -> None:
        """Shuffle the cards, listed bottom to top, into a new stock and keep the others as the pile."""
        self.reshuffles += 1
        self.events.append(("reshuffle", self.reshuffles, len(cards)))
        self.recycled = rank_counts(cards)
        self.stock = Stock(self.luck.reshuffle(self.reshuffles, list(cards)), cards)
        self.pile = list(kept)

    def discard(self, seat: int, drawn: int, taken: int | None) -> None:
        """Let the seat discard, with the card taken from the pile if any (TYD-7, TYD-A2)."""
        took = None if taken is None else rank_of(taken)
        rank = self.players[seat].discard(self.view(seat, drawn=rank_of(drawn), took=took))
        held = sorted(card for card in self.hands[seat] if rank_of(card) == rank)
        if not held:
            raise IllegalAction(f"seat {seat} holds no card of rank {rank}")
        if self.settings.pickup_discard_rule == "same_rank" and rank == took:
            raise IllegalAction(f"seat {seat} may not discard rank {rank}, the rank just taken from the pile")
        others = [card for card in held if card != taken]
        if not others:
            raise IllegalAction(f"seat {seat} may not discard the card just taken from the pile, of rank {rank}")
        card = others[0]
        self.hands[seat].remove(card)
        self.pile.append(card)
        self.thrown[seat].add(rank)
        if self.known[seat][rank] > 0:
            self.known[seat][rank] -= 1
        self.events.append(("discard", seat, card))

    # Showing ----------------------------------------------------------------------------------------------------

    def holds_full_house(self, seat: int) -> bool:
        """Tell whether the seat's five cards win (TYD-9)."""
        return is_full_house(rank_counts(self.hands[seat]))

    def wants_to_show(self, seat: int) -> bool:
        """Tell whether the seat shows now: by its own decision, or by noticing that it holds a full house (TYD-A5)."""
        if not self.settings.auto_show:
            return self.players[seat].show(self.view(seat))
        if not self.holds_full_house(seat):
            return False
        return self.settings.notice_prob == 1 or self.luck.notice()

    def show(self, seat: int) -> bool:
        """Lay the hand open; a false show has no penalty, but everybody has seen the cards (TYD-12, TYD-A7)."""
        valid = self.holds_full_house(seat)
        self.events.append(("show", seat, tuple(sorted(self.hands[seat])), valid))
        if not valid:
            self.known[seat] = rank_counts(self.hands[seat])
        return valid

    def wins_by_showing(self, seat: int) -> bool:
        """Tell whether the seat shows a full house now."""
        return self.wants_to_show(seat) and self.show(seat)

    # The end ----------------------------------------------------------------------------------------------------

    def won(self, winners: list[int], dealt_win: bool) -> HandResult:
        """Return the result of a hand with winners, who share it equally."""
        self.events.append(("win", tuple(winners)))
        shares = [Fraction(int(seat in winners), len(winners)) for seat in range(self.settings.players)]
        marbles = [self.settings.stake * (self.settings.players * share - 1) for share in shares]
        return self.result(shares, marbles, dealt_win=dealt_win, void=False)

    def void(self) -> HandResult:
        """Return the result of a hand nobody won in time (TYD-A11)."""
        self.events.append(("void",))
        nothing = [Fraction(0)] * self.settings.players
        return self.result(nothing, list(nothing), dealt_win=False, void=True)

    def result(self, shares: list[Fraction], marbles: list[Fraction], dealt_win: bool, void: bool) -> HandResult:
        """Return the result of the hand."""
        return HandResult(
            events=self.events,
            shares=shares,
            turns=self.turns,
            void=void,
            dealt_win=dealt_win,
            reshuffles=self.reshuffles,
            marbles=marbles,
            dealer=self.dealer,
        )

    # What a seat sees -------------------------------------------------------------------------------------------

    def view(self, seat: int, drawn: int | None = None, took: int | None = None) -> View:
        """Return what the seat may know now."""
        return View(
            seat=seat,
            players=self.settings.players,
            turn=self.turns,
            hand=rank_counts(self.hands[seat]),
            top=rank_of(self.pile[-1]) if self.pile else None,
            drawn=drawn,
            took=took,
            stock=len(self.stock),
            pile=len(self.pile),
            pile_counts=rank_counts(self.pile),
            known=[list(counts) for counts in self.known],
            thrown=[set(ranks) for ranks in self.thrown],
            refused=[set(ranks) for ranks in self.refused],
            recycled=None if self.recycled is None else list(self.recycled),
            wins=list(self.wins),
            dealer=self.dealer,
        )


def _checked_table(options: Mapping[str, object], players: Sequence[Player], dealer: int | None) -> Settings:
    settings = Settings.of(options)
    if len(players) != settings.players:
        raise ValueError(f"{settings.players} players needed, got {len(players)}")
    if dealer is not None and not 0 <= dealer < settings.players:
        raise ValueError(f"dealer must be a chair 0..{settings.players - 1}, got {dealer}")
    return settings


def play_hand(
    options: Mapping[str, object],
    luck: Luck,
    players: Sequence[Player],
    dealer: int | None = None,
    wins: Sequence[int] | None = None,
) -> HandResult:
    """Play one hand.

    Parameters
    ----------
    options : mapping
        The options that differ from ``DEFAULTS``.
    luck : Luck
        The chance of this hand.
    players : sequence of Player
        One for each chair.
    dealer : int, optional
        Chair of the dealer; by default the last chair, so that chair 0 begins (TYD-5).
    wins : sequence of int, optional
        Hands won so far in the match per seat, in 840ths; none by default. Only shown to the players.

    Raises
    ------
    IllegalAction
        If a player breaks the rules.
    ValueError
        If the options, the number of players or the dealer do not fit, or luck names a card twice.
    """
    settings = _checked_table(options, players, dealer)
    dealer = settings.players - 1 if dealer is None else dealer
    wins = [0] * settings.players if wins is None else wins
    return Hand(settings, luck, players, dealer, wins).play()


def play_match(
    options: Mapping[str, object],
    luck_of_hand: Callable[[int], Luck],
    players: Sequence[Player],
    first_dealer: int,
    random_dealer: Callable[[int], int],
    max_hands: int = 1000,
) -> MatchResult:
    """Play hands until a seat has won ``match_target`` of them, split hands counting their share (TYD-16).

    Those who have reached the target with the highest total share the match. The dealer of the next hand (TYD-A12):
    'left' the next chair, 'winner_deals' the winner (after a void or split hand the dealer stays), 'random' the chair
    named by ``random_dealer``, 'fixed' the same chair.

    Parameters
    ----------
    options : mapping
        The options that differ from ``DEFAULTS``.
    luck_of_hand : callable
        From the index of a hand, 0, 1, ..., to its chance.
    players : sequence of Player
        One for each chair.
    first_dealer : int
        The chair drawn to deal first under ``first_dealer='random'``; under 'last_seat' the last chair deals first
        whatever was drawn (TYD-A16).
    random_dealer : callable
        From the index of a hand, 1, 2, ..., to its dealer, asked only under ``dealer_rotation='random'``.
    max_hands : int
        A match not over after so many hands is void.

    Raises
    ------
    IllegalAction, ValueError
        As :func:`play_hand`.
    """
    settings = _checked_table(options, players, first_dealer)
    n = settings.players
    dealer = n - 1 if settings.first_dealer == "last_seat" else first_dealer
    hands: list[HandResult] = []
    won = [Fraction(0)] * n
    while max(won) < settings.match_target and len(hands) < max_hands:
        if hands:
            dealer = _next_dealer(settings, hands[-1], len(hands), random_dealer)
        wins = [int(total * WHOLE_WIN) for total in won]
        hands.append(play_hand(options, luck_of_hand(len(hands)), players, dealer, wins))
        won = [total + share for total, share in zip(won, hands[-1].shares, strict=True)]
    if max(won) < settings.match_target:
        return MatchResult(hands, shares=[Fraction(0)] * n, hands_won=won, void=True)
    best = [seat for seat in range(n) if won[seat] == max(won)]
    shares = [Fraction(int(seat in best), len(best)) for seat in range(n)]
    return MatchResult(hands, shares=shares, hands_won=won, void=False)


def _next_dealer(settings: Settings, last: HandResult, hand: int, random_dealer: Callable[[int], int]) -> int:
    if settings.dealer_rotation == "left":
        return (last.dealer + 1) % settings.players
    if settings.dealer_rotation == "random":
        return random_dealer(hand)
    if settings.dealer_rotation == "winner_deals" and 1 in last.shares:
        return last.shares.index(Fraction(1))
    return last.dealer


# Strategies -----------------------------------------------------------------------------------------------------


def legal_discards(view: View, pickup_discard_rule: str = "same_card") -> list[int]:
    """Return the ranks the seat may discard, ascending (TYD-7, TYD-A2)."""
    if pickup_discard_rule == "same_rank":
        return [rank for rank in range(RANKS) if view.hand[rank] > 0 and rank != view.took]
    return [rank for rank in range(RANKS) if view.hand[rank] - int(rank == view.took) > 0]


def _pick(source: RandomSource, choices: Sequence[int]) -> int:
    """Return one of the choices at random, using no randomness where there is no choice."""
    return choices[0] if len(choices) == 1 else choices[source.below(len(choices))]


class Greedy:
    """The yardstick strategy of TYD-O9.

    Parameters
    ----------
    pickup_discard_rule : str
        The rule of the table; under 'same_rank' the rank just taken is passed over.
    """

    def __init__(self, pickup_discard_rule: str = "same_card") -> None:
        self.pickup_discard_rule = pickup_discard_rule

    def draw(self, view: View) -> str:
        """Take the top discard iff one or two of its rank are held."""
        return "pile" if view.top is not None and view.hand[view.top] in (1, 2) else "stock"

    def discard(self, view: View) -> int:
        """Discard of a four of a kind, else the lowest single, else of the lowest pair, else of the lowest triple."""
        legal = legal_discards(view, self.pickup_discard_rule)
        return min(legal, key=lambda rank: ((4, 1, 2, 3).index(view.hand[rank]), rank))

    def show(self, view: View) -> bool:
        """Show a full house at once."""
        return is_full_house(view.hand)


class StockOnly:
    """Policy G of TYD-O7: win if possible, else throw a random singleton, else of a random pair; never take the pile.

    Parameters
    ----------
    source : RandomSource
        Used only where several ranks are eligible.
    """

    def __init__(self, source: RandomSource) -> None:
        self.source = source

    def draw(self, view: View) -> str:
        """Draw from the stock."""
        return "stock"

    def discard(self, view: View) -> int:
        """Discard into a full house (the lowest rank that does it), else a random singleton, else of a random pair."""
        held = [rank for rank in range(RANKS) if view.hand[rank] > 0]
        for rank in held:
            if is_full_house([count - int(other == rank) for other, count in enumerate(view.hand)]):
                return rank
        singles = [rank for rank in held if view.hand[rank] == 1]
        return _pick(self.source, singles or [rank for rank in held if view.hand[rank] == 2])

    def show(self, view: View) -> bool:
        """Show a full house at once."""
        return is_full_house(view.hand)


class RandomPlayer:
    """Decides uniformly among the legal decisions: places to draw from, ranks to discard, to show or not.

    Parameters
    ----------
    source : RandomSource
        Used only where several decisions are legal.
    pickup_discard_rule : str
        The rule of the table.
    """

    def __init__(self, source: RandomSource, pickup_discard_rule: str = "same_card") -> None:
        self.source = source
        self.pickup_discard_rule = pickup_discard_rule

    def draw(self, view: View) -> str:
        """Draw from the stock or from the pile, from the stock if there is no pile."""
        if view.top is None:
            return "stock"
        return ("stock", "pile")[self.source.below(2)]

    def discard(self, view: View) -> int:
        """Discard any legal rank."""
        return _pick(self.source, legal_discards(view, self.pickup_discard_rule))

    def show(self, view: View) -> bool:
        """Show or not, whatever is held."""
        return self.source.below(2) == 1
