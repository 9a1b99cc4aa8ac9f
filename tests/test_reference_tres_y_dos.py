"""The reference engine of Tres y Dos against the numbered rules TYD-n, their options TYD-An and oracles TYD-On."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod, sqrt
from statistics import mean, stdev

import pytest

from tests.reference.streams import Stream, draw_order
from tests.reference.tres_y_dos import (
    DEFAULTS,
    Event,
    Greedy,
    HandResult,
    IllegalAction,
    Luck,
    Player,
    RandomPlayer,
    StockOnly,
    View,
    contains_full_house,
    is_full_house,
    legal_discards,
    play_hand,
    play_match,
    rank_counts,
)

RANK_NAMES = "A23456789TJQK"
PLAYERS = range(2, 8)
FULL = "7C 7D 7H KC KD"
OTHER_FULL = "8C 8D 8H QC QD"


def rank(name: str) -> int:
    """Return the number of a rank."""
    return RANK_NAMES.index(name)


def cards(text: str) -> list[int]:
    """Return the numbers of cards written like 'AC TH 7S'."""
    return [rank(name[0]) * 4 + "CDHS".index(name[1]) for name in text.split()]


def counts(text: str) -> list[int]:
    """Return the rank counts of ranks written like '77KK3'."""
    return [text.count(name) for name in RANK_NAMES]


def shares(*parts: int | Fraction) -> list[Fraction]:
    """Return shares as the engine gives them."""
    return [Fraction(part) for part in parts]


class StackedLuck:
    """A stacked deck: the given cards first, then the others in ascending order; reshuffles leave the pile's order."""

    def __init__(self, *parts: str, notices: Sequence[bool] = (), tie: int = 0) -> None:
        self.front = cards(" ".join(parts))
        self.notices = list(notices)
        self.chosen_tie = tie
        self.ties: list[int] = []

    def deck(self) -> Iterator[int]:
        """Return the stacked order."""
        return iter(self.front + [card for card in range(52) if card not in self.front])

    def reshuffle(self, epoch: int, pile: list[int]) -> Iterator[int]:
        """Return the pile bottom to top."""
        return iter(pile)

    def notice(self) -> bool:
        """Return the next scripted answer."""
        return self.notices.pop(0)

    def tie(self, k: int) -> int:
        """Return the scripted shower and remember how many there were."""
        self.ties.append(k)
        return self.chosen_tie


class SeededLuck:
    """Shuffles from the stream of a unit; noticing has probability one half."""

    def __init__(self, unit: int) -> None:
        self.unit = unit
        self.others = Stream((1989, 1), (0, unit, 0, 1))

    def deck(self) -> Iterator[int]:
        """Return a random order of the deck."""
        return draw_order(Stream((1989, 0), (0, self.unit, 0, 0)), range(52))

    def reshuffle(self, epoch: int, pile: list[int]) -> Iterator[int]:
        """Return a random order of the pile."""
        return draw_order(Stream((1989, 0), (0, self.unit, epoch, 0)), pile)

    def notice(self) -> bool:
        """Notice every other time."""
        return self.others.below(2) == 1

    def tie(self, k: int) -> int:
        """Return any shower."""
        return self.others.below(k)


class Scripted:
    """Plays turns written like 'stock 5, pile 7' and answers ``show`` from a list, refusing when it has run out."""

    def __init__(self, turns: str = "", shows: Iterable[bool] = ()) -> None:
        self.turns = [turn.split() for turn in turns.split(",") if turn.strip()]
        self.shows = list(shows)
        self.views: list[tuple[str, View]] = []

    def draw(self, view: View) -> str:
        """Return where this turn draws."""
        self.views.append(("draw", view))
        return self.turns[0][0]

    def discard(self, view: View) -> int:
        """Return the rank this turn discards."""
        self.views.append(("discard", view))
        return rank(self.turns.pop(0)[1])

    def show(self, view: View) -> bool:
        """Return the next answer."""
        self.views.append(("show", view))
        return self.shows.pop(0) if self.shows else False

    def seen(self, decision: str) -> list[View]:
        """Return the views at one kind of decision."""
        return [view for name, view in self.views if name == decision]


class Stubborn:
    """Never shows, draws as told and discards the lowest legal rank."""

    def __init__(self, choose: Callable[[View], str]) -> None:
        self.choose = choose
        self.draw_views: list[View] = []
        self.discard_views: list[View] = []

    def draw(self, view: View) -> str:
        """Draw as told."""
        self.draw_views.append(view)
        return self.choose(view)

    def discard(self, view: View) -> int:
        """Discard the lowest legal rank."""
        self.discard_views.append(view)
        return legal_discards(view)[0]

    def show(self, view: View) -> bool:
        """Keep the hand to oneself."""
        return False


def always_stock(view: View) -> str:
    """Draw from the stock."""
    return "stock"


def stock_while_it_lasts(view: View) -> str:
    """Draw from the stock, then only from the pile."""
    return "stock" if view.stock > 0 else "pile"


class LastCardWinner:
    """Holds a full house, throws what it draws and shows when the stock has run out."""

    def draw(self, view: View) -> str:
        """Draw from the stock."""
        return "stock"

    def discard(self, view: View) -> int:
        """Throw the card drawn."""
        assert view.drawn is not None
        return view.drawn

    def show(self, view: View) -> bool:
        """Show late."""
        return view.stock == 0


@dataclass
class Truth:
    """What the seats really hold, as far as the watchers have seen it."""

    hands: dict[int, list[int]] = field(default_factory=dict)


class Watcher:
    """Checks every view its player is given against what must hold at that moment."""

    def __init__(self, player: Player, truth: Truth) -> None:
        self.player = player
        self.truth = truth

    def check(self, view: View, held: int) -> None:
        """Check that the view is consistent and that known cards are truly held."""
        others = 5 * (view.players - 1)
        assert sum(view.hand) == held
        assert held + others + view.stock + view.pile == 52
        assert sum(view.pile_counts) == view.pile
        assert (view.top is None) == (view.pile == 0)
        assert view.top is None or view.pile_counts[view.top] > 0
        self.truth.hands[view.seat] = view.hand
        for seat, hand in self.truth.hands.items():
            assert all(known <= really for known, really in zip(view.known[seat], hand, strict=True))
        for seat in range(view.players):
            assert sum(view.known[seat]) <= 5 + (seat == view.seat)

    def draw(self, view: View) -> str:
        """Check and pass on."""
        self.check(view, 5)
        assert view.drawn is None and view.took is None
        return self.player.draw(view)

    def discard(self, view: View) -> int:
        """Check and pass on."""
        self.check(view, 6)
        assert view.drawn is not None and view.took in (None, view.drawn)
        thrown = self.player.discard(view)
        self.truth.hands[view.seat] = [count - (place == thrown) for place, count in enumerate(view.hand)]
        return thrown

    def show(self, view: View) -> bool:
        """Check and pass on."""
        self.check(view, 5)
        return self.player.show(view)


def of_kind(result: HandResult, kind: str) -> list[Event]:
    """Return the events of one kind."""
    return [event for event in result.events if event[0] == kind]


def check_events(result: HandResult, players: int, reshuffle: str = "lazy_all") -> None:
    """Replay the events and check that every step is legal and conserves the cards."""
    hands: dict[int, list[int]] = {}
    pile: list[int] = []
    stock = set(range(52))
    drawn: tuple[str, int] | None = None
    turns = 0
    for event in result.events:
        match event:
            case ("deal", seat, dealt):
                assert len(dealt) == 5 and stock.issuperset(dealt)
                hands[seat] = list(dealt)
                stock -= set(dealt)
            case ("up", card):
                stock.remove(card)
                pile.append(card)
            case ("reshuffle", _, count):
                assert not stock
                kept = 1 if reshuffle == "keep_top" else 0
                stock, pile = set(pile[: len(pile) - kept]), pile[len(pile) - kept :]
                assert len(stock) == count == 52 - 5 * players - kept
            case ("draw", seat, "stock", card):
                assert drawn is None
                stock.remove(card)
                hands[seat].append(card)
                drawn = ("stock", card)
            case ("draw", seat, "pile", card):
                assert drawn is None and pile.pop() == card
                hands[seat].append(card)
                drawn = ("pile", card)
            case ("discard", seat, card):
                assert drawn is not None and drawn != ("pile", card)  # TYD-7
                hands[seat].remove(card)
                pile.append(card)
                drawn = None
                turns += 1
            case ("show", seat, shown, valid):
                assert list(shown) == sorted(hands[seat])
                assert valid == is_full_house(rank_counts(shown))
        everything = [*stock, *pile, *(card for hand in hands.values() for card in hand)]
        assert sorted(everything) == list(range(52))
        if drawn is None and event[0] in ("discard", "show"):
            assert all(len(hand) == 5 for hand in hands.values())  # TYD-O8
            assert len(stock) + len(pile) == 52 - 5 * players  # TYD-15
            assert pile
    assert turns == result.turns
    assert len(of_kind(result, "reshuffle")) == result.reshuffles
    assert sum(result.shares) == (0 if result.void else 1)
    assert sum(result.marbles) == 0
    assert result.events[-1][0] == ("void" if result.void else "win")


def draws(result: HandResult) -> list[str]:
    """Return where the cards were drawn from, in order."""
    return [event[2] for event in of_kind(result, "draw")]


# The rules ------------------------------------------------------------------------------------------------------


def test_worked_example() -> None:
    """The worked example of TYD section 1.1: player 1 wins on his second turn with K-K-K-7-7."""
    luck = StackedLuck("7C 7D KC KD 3C", "7H 5C 9D TS 2C", "QH 4D 6S 8C JD", "AS", "5H", "9H", "KS")
    players = [Scripted("stock 5, stock 3"), Scripted("pile 7"), Scripted("stock Q")]
    result = play_hand({"players": 3}, luck, players)
    assert result.events == [
        ("deal", 0, tuple(cards("7C 7D KC KD 3C"))),
        ("deal", 1, tuple(cards("7H 5C 9D TS 2C"))),
        ("deal", 2, tuple(cards("QH 4D 6S 8C JD"))),
        ("up", cards("AS")[0]),
        ("draw", 0, "stock", cards("5H")[0]),
        ("discard", 0, cards("5H")[0]),
        ("draw", 1, "pile", cards("5H")[0]),
        ("discard", 1, cards("7H")[0]),
        ("draw", 2, "stock", cards("9H")[0]),
        ("discard", 2, cards("QH")[0]),
        ("draw", 0, "stock", cards("KS")[0]),
        ("discard", 0, cards("3C")[0]),
        ("show", 0, tuple(cards("7C 7D KC KD KS")), True),
        ("win", (0,)),
    ]
    assert result.shares == [1, 0, 0]
    assert result.marbles == [2, -1, -1]
    assert (result.turns, result.void, result.dealt_win, result.reshuffles) == (4, False, False, 0)
    check_events(result, 3)


@pytest.mark.parametrize("n", PLAYERS)
def test_deal(n: int) -> None:
    """TYD-3: five cards each, one up-card, the rest is the stock; TYD-5: left of the dealer begins."""
    players = [Stubborn(always_stock) for _ in range(n)]
    result = play_hand({"players": n, "auto_show": False, "max_turns": n + 1}, SeededLuck(n), players, dealer=0)
    assert [event[1] for event in of_kind(result, "deal")] == [*range(1, n), 0]
    assert (players[1].draw_views[0].stock, players[1].draw_views[0].pile) == (51 - 5 * n, 1)
    assert [event[1] for event in of_kind(result, "discard")] == [*range(1, n), 0, 1]
    assert players[0].draw_views[0].dealer == 0


def test_default_dealer_is_the_last_chair() -> None:
    """TYD-A16: in a single hand the dealer is the last seat."""
    result = play_hand({"max_turns": 1}, SeededLuck(0), [Greedy()] * 4)
    assert result.dealer == 3
    assert of_kind(result, "discard")[0][1] == 0


@pytest.mark.parametrize("n", [1, 8])
def test_number_of_players(n: int) -> None:
    """TYD-1: two to seven players."""
    with pytest.raises(ValueError, match="players must be one of"):
        play_hand({"players": n}, SeededLuck(0), [Greedy()] * n)


def test_a_turn_draws_once_and_discards_once() -> None:
    """TYD-6: nobody passes, and a player can only draw from the stock or the pile."""
    with pytest.raises(IllegalAction, match="must draw from 'stock' or 'pile', not from 'nowhere'"):
        play_hand({"players": 2}, StackedLuck("7C 7D KC KD 3C", "2C 4C 6C 8C TC"), [Scripted("nowhere A"), Scripted()])


def test_a_card_not_held_cannot_be_discarded() -> None:
    """TYD-6."""
    luck = StackedLuck("7C 7D KC KD 3C", "2C 4C 6C 8C TC", "AS", "5H")
    with pytest.raises(IllegalAction, match="seat 0 holds no card of rank 9"):
        play_hand({"players": 2}, luck, [Scripted("stock T"), Scripted()])


@pytest.mark.parametrize("rule", ["same_card", "same_rank"])
def test_the_card_taken_from_the_pile_stays(rule: str) -> None:
    """TYD-7: the card taken from the pile may not be discarded in the same turn."""
    luck = StackedLuck("7C 7D KC KD 3C", "2C 4C 6C 8C TC", "AS")
    options = {"players": 2, "pickup_discard_rule": rule}
    with pytest.raises(IllegalAction, match="just taken from the pile"):
        play_hand(options, luck, [Scripted("pile A"), Scripted()])


@pytest.mark.parametrize("rule", ["same_card", "same_rank"])
def test_a_pile_card_kept_may_go_later(rule: str) -> None:
    """TYD-7: a pile card kept from an earlier turn may be discarded; TYD-8: the up-card may be taken."""
    luck = StackedLuck("7C 7D KC KD 3C", "2C 4C 6C 8C TC", "AS", "5H", "6H")
    options = {"players": 2, "pickup_discard_rule": rule, "max_turns": 3}
    result = play_hand(options, luck, [Scripted("pile 3, stock A"), Scripted("stock 5")])
    assert of_kind(result, "draw")[0] == ("draw", 0, "pile", cards("AS")[0])
    assert of_kind(result, "discard")[-1] == ("discard", 0, cards("AS")[0])
    check_events(result, 2)


def test_same_card_lets_a_twin_go_and_same_rank_does_not() -> None:
    """TYD-A2: taking a 7 and throwing another 7 is legal by the literal rule only."""
    parts = ("7C 2D KC KD 3C", "2C 4C 6C 8C TC", "7S")
    options: dict[str, object] = {"players": 2, "max_turns": 1}
    result = play_hand(options, StackedLuck(*parts), [Scripted("pile 7"), Scripted()])
    assert of_kind(result, "discard") == [("discard", 0, cards("7C")[0])]
    with pytest.raises(IllegalAction, match="may not discard rank 6, the rank just taken"):
        play_hand({**options, "pickup_discard_rule": "same_rank"}, StackedLuck(*parts), [Scripted("pile 7"), Scripted()])


def rank_multisets(size: int) -> Iterator[tuple[list[int], int]]:
    """Yield the rank counts of all hands of a size, with the number of hands that have them."""
    for ranks in combinations_with_replacement(range(13), size):
        held = [ranks.count(one) for one in range(13)]
        yield held, prod(comb(4, count) for count in held)


def test_winning_hands() -> None:
    """TYD-9, TYD-A8 and TYD-O1: 3,744 of 2,598,960 hands win, and four of a kind with one does not."""
    ways = {held: 0 for held in (True, False)}
    for held, number in rank_multisets(5):
        ways[is_full_house(held)] += number
        assert is_full_house(held) == contains_full_house(held) or number == 0
    assert ways == {True: 3744, False: 2598960 - 3744}
    assert not is_full_house(counts("7777K"))


def test_six_cards_that_contain_a_winning_hand() -> None:
    """TYD-O3: (165,984 + 936) of 20,358,520 sets of six cards, 3+3 and 4+2 among them."""
    ways = sum(number for held, number in rank_multisets(6) if contains_full_house(held))
    assert Fraction(ways, comb(52, 6)) == Fraction(321, 39151)
    assert contains_full_house(counts("777KKK"))
    assert contains_full_house(counts("7777KK"))
    assert not contains_full_house(counts("7777K3"))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_dealt_full_house_wins_before_any_turn(seat: int) -> None:
    """TYD-10, TYD-A3 'immediate'."""
    hands = ["2C 4C 6C 8C TC", "2D 4D 6D 8D TD"]
    hands.insert(seat, FULL)
    result = play_hand({"players": 3}, StackedLuck(*hands), [Scripted()] * 3)
    assert result.events[-2:] == [("show", seat, tuple(cards(FULL)), True), ("win", (seat,))]
    assert (result.turns, result.dealt_win) == (0, True)
    assert result.shares[seat] == 1
    check_events(result, 3)


@pytest.mark.parametrize(
    ("rule", "dealer", "expected", "ties"),
    [
        ("turn_order", 3, [0, 1, 0, 0], []),
        ("turn_order", 1, [0, 0, 0, 1], []),
        ("random", 3, [0, 0, 0, 1], [2]),
        ("split", 3, [0, Fraction(1, 2), 0, Fraction(1, 2)], []),
    ],
)
def test_ties(rule: str, dealer: int, expected: list[Fraction], ties: list[int]) -> None:
    """TYD-11, TYD-A6: several show at the same moment; the dealer's turn comes last."""
    hands = ["2C 4C 6C 9C TC", FULL, "2D 4D 6D 9D TD", OTHER_FULL]
    luck = StackedLuck(*(hands[(dealer + 1 + step) % 4] for step in range(4)), tie=1)
    result = play_hand({"tie_rule": rule}, luck, [Scripted()] * 4, dealer=dealer)
    assert result.shares == expected
    assert result.marbles == [4 * share - 1 for share in expected]
    assert luck.ties == ties
    assert sorted(event[1] for event in of_kind(result, "show")) == [1, 3]
    check_events(result, 4)


def test_no_tie_is_drawn_for_a_single_shower() -> None:
    """TYD-A6 'random'."""
    luck = dealt_luck(0, players=4)
    assert play_hand({"tie_rule": "random"}, luck, [Scripted()] * 4).shares == [1, 0, 0, 0]
    assert luck.ties == []


def test_own_turn_lets_a_dealt_full_house_be_overtaken() -> None:
    """TYD-A3: under 'own_turn' the first player completes his hand before the second may show."""
    parts = ("8C 8D QC QD 3C", FULL, "8H")
    immediate = play_hand({"players": 2}, StackedLuck(*parts), [Scripted("pile 3"), Scripted()])
    own_turn = play_hand({"players": 2, "show_dealt": "own_turn"}, StackedLuck(*parts), [Scripted("pile 3")] * 2)
    assert (immediate.shares, immediate.turns, immediate.dealt_win) == (shares(0, 1), 0, True)
    assert (own_turn.shares, own_turn.turns, own_turn.dealt_win) == (shares(1, 0), 1, False)


def test_own_turn_shows_before_the_first_draw() -> None:
    """TYD-A3: the dealt full house shows at the start of the first turn, which then finishes no turn."""
    luck = StackedLuck("8C 8D QC QD 3C", FULL, "AS", "2S")
    result = play_hand({"players": 2, "show_dealt": "own_turn"}, luck, [Scripted("stock 2"), Scripted()])
    assert (result.shares, result.turns, result.dealt_win) == (shares(0, 1), 1, True)
    assert len(of_kind(result, "draw")) == 1
    check_events(result, 2)


def test_a_player_need_not_show() -> None:
    """TYD-10, TYD-A5: under auto_show=False the strategy decides, at the deal and after each own discard."""
    parts = (FULL, "2C 4C 6C 8C TC", "AS", "2S", "3S", "4S")
    silent = Scripted("stock 2, stock 4", shows=[False, False, True])
    other = Scripted("stock 3")
    result = play_hand({"players": 2, "auto_show": False}, StackedLuck(*parts), [silent, other])
    assert (result.shares, result.turns, result.dealt_win) == (shares(1, 0), 3, False)
    assert [name for name, _ in silent.views] == ["show", "draw", "discard", "show", "draw", "discard", "show"]
    assert [name for name, _ in other.views] == ["show", "draw", "discard", "show"]
    assert [view.turn for view in silent.seen("show")] == [0, 0, 2]
    automatic = play_hand({"players": 2}, StackedLuck(*parts), [Scripted(), Scripted()])
    assert automatic.turns == 0


def test_show_is_asked_before_the_first_draw_under_own_turn() -> None:
    """TYD-A3 with TYD-A5: at the start of one's own first turn only, then after each own discard."""
    luck = StackedLuck("2H 4H 6H 8H TH", "2C 4C 6C 8C TC", "AS", "5S", "5D", "3S")
    players = [Scripted("stock 5, stock 3"), Scripted("stock 5")]
    options = {"players": 2, "auto_show": False, "show_dealt": "own_turn", "max_turns": 3}
    play_hand(options, luck, players)
    assert [name for name, _ in players[0].views] == ["show", "draw", "discard", "show", "draw", "discard", "show"]
    assert [view.turn for view in players[1].seen("show")] == [1, 1]


def test_false_show_costs_nothing_and_is_remembered() -> None:
    """TYD-12, TYD-A7: the cards go back into the hand, play continues, and everybody knows the hand."""
    luck = StackedLuck("7C 7D KC KD 3C", "2C 4C 6C 8C TC", "AS", "5H", "9H", "KS")
    players = [Scripted("stock 5, stock 3", shows=[True, False, True]), Scripted("stock 9")]
    result = play_hand({"players": 2, "auto_show": False}, luck, players)
    assert of_kind(result, "show") == [
        ("show", 0, tuple(cards("3C 7C 7D KC KD")), False),
        ("show", 0, tuple(cards("7C 7D KC KD KS")), True),
    ]
    assert result.shares == [1, 0]
    assert players[1].seen("show")[0].known == [[0] * 13, [0] * 13]  # all are asked before any show takes effect
    assert players[1].seen("draw")[0].known == [counts("77KK3"), [0] * 13]
    assert players[0].seen("discard")[1].known[0] == counts("77KK3")
    check_events(result, 2)


@pytest.mark.parametrize("show_dealt", ["immediate", "own_turn"])
def test_overlooking_a_full_house(show_dealt: str) -> None:
    """TYD-A5: noticing is drawn once for the dealt hand and once after each own discard that leaves a full house."""
    luck = StackedLuck(*(FULL, "2C 4C 6C 8C TC", "AS", "2S", "3S", "4S", "5S", "9S"), notices=[False, False, False, True])
    players = [Scripted("stock 2, stock 4, stock 9"), Scripted("stock 3, stock 5")]
    options = {"players": 2, "show_dealt": show_dealt, "notice_prob": 0.5}
    result = play_hand(options, luck, players)
    assert (result.shares, result.turns, result.dealt_win) == (shares(1, 0), 5, False)
    assert luck.notices == []


def test_noticing_is_drawn_for_every_dealt_full_house_in_turn_order() -> None:
    """TYD-A5 with TYD-A6: whoever overlooks his dealt full house is not among those who show."""
    luck = StackedLuck(FULL, OTHER_FULL, notices=[False, True])
    result = play_hand({"players": 2, "notice_prob": 0.5}, luck, [Scripted()] * 2)
    assert result.shares == shares(0, 1)
    assert luck.notices == []


def test_only_the_show_decision_counts_without_auto_show() -> None:
    """TYD-A5: noticing is never drawn under auto_show=False, nor when it is certain."""
    for options in ({"auto_show": False, "notice_prob": 0.5}, {"notice_prob": 1.0}):
        luck = StackedLuck(FULL, "2C 4C 6C 8C TC")
        assert play_hand({"players": 2, **options}, luck, [Greedy()] * 2).shares == [1, 0]


@pytest.mark.parametrize("n", PLAYERS)
def test_an_empty_stock_alone_changes_nothing(n: int) -> None:
    """TYD-13: players go on taking the pile's top card and nothing is reshuffled."""
    players = [Stubborn(stock_while_it_lasts) for _ in range(n)]
    result = play_hand({"players": n, "auto_show": False, "max_turns": 200}, SeededLuck(n), players)
    assert draws(result) == ["stock"] * (51 - 5 * n) + ["pile"] * (200 - (51 - 5 * n))
    assert result.reshuffles == 0
    check_events(result, n)


@pytest.mark.parametrize("n", PLAYERS)
def test_the_wish_for_the_empty_stock_reshuffles_the_whole_pile(n: int) -> None:
    """TYD-14: top card included; the player then draws from the stock, and his discard starts a new pile."""
    players = [Stubborn(always_stock) for _ in range(n)]
    result = play_hand({"players": n, "auto_show": False, "max_turns": 120}, SeededLuck(n), players)
    place = next(place for place, event in enumerate(result.events) if event[0] == "reshuffle")
    assert len([event for event in result.events[:place] if event[0] == "draw"]) == 51 - 5 * n
    assert result.events[place] == ("reshuffle", 1, 52 - 5 * n)
    assert result.events[place + 1][2] == "stock"
    turn = 51 - 5 * n
    at_wish = players[turn % n].draw_views[turn // n]
    at_discard = players[turn % n].discard_views[turn // n]
    assert (at_wish.stock, at_wish.pile, at_wish.recycled) == (0, 52 - 5 * n, None)
    assert (at_discard.stock, at_discard.pile, at_discard.top) == (51 - 5 * n, 0, None)
    assert at_discard.recycled == at_wish.pile_counts
    assert at_wish.top in at_discard.refused[turn % n]
    assert players[(turn + 1) % n].draw_views[(turn + 1) // n].pile == 1
    assert result.reshuffles == len(of_kind(result, "reshuffle")) == (120 - turn - 1) // (52 - 5 * n) + 1
    check_events(result, n)


@pytest.mark.parametrize("n", PLAYERS)
def test_eager_reshuffle(n: int) -> None:
    """TYD-A9 'eager_all': after the discard that follows the last stock card; the next player must draw the stock."""
    options = {"players": n, "auto_show": False, "reshuffle": "eager_all", "max_turns": 120}
    players = [Stubborn(always_stock) for _ in range(n)]
    result = play_hand(options, SeededLuck(n), players)
    place = next(place for place, event in enumerate(result.events) if event[0] == "reshuffle")
    assert len([event for event in result.events[:place] if event[0] == "discard"]) == 51 - 5 * n
    assert result.events[place - 1][0] == "discard"
    turn = 51 - 5 * n
    before, after = players[turn % n].draw_views[turn // n], players[turn % n].discard_views[turn // n]
    assert (before.stock, before.pile, before.top) == (52 - 5 * n, 0, None)
    assert before.refused == after.refused  # passing over an empty pile refuses nothing
    check_events(result, n, "eager_all")
    with pytest.raises(IllegalAction, match="cannot draw from the empty pile"):
        play_hand(options, SeededLuck(n), [Stubborn(lambda view: "stock" if view.turn < 51 - 5 * n else "pile")] * n)


def test_a_win_comes_before_the_eager_reshuffle() -> None:
    """TYD-10 with TYD-A9: the hand ends at once, so the turn of the last stock card may win without a reshuffle."""
    players: list[Player] = [LastCardWinner(), Stubborn(always_stock)]
    options = {"players": 2, "auto_show": False, "reshuffle": "eager_all"}
    result = play_hand(options, StackedLuck(FULL, "2C 4C 6C 8C TC"), players)
    assert (result.shares, result.turns, result.reshuffles) == (shares(1, 0), 41, 0)
    check_events(result, 2)


@pytest.mark.parametrize("n", PLAYERS)
def test_keep_top_leaves_the_top_card(n: int) -> None:
    """TYD-A9 'keep_top': at the wish for the empty stock all but the top card are shuffled."""
    options = {"players": n, "auto_show": False, "reshuffle": "keep_top", "max_turns": 120}
    players = [Stubborn(always_stock) for _ in range(n)]
    result = play_hand(options, SeededLuck(n), players)
    turn = 51 - 5 * n
    at_wish, at_discard = players[turn % n].draw_views[turn // n], players[turn % n].discard_views[turn // n]
    assert of_kind(result, "reshuffle")[0] == ("reshuffle", 1, 51 - 5 * n)
    assert (at_discard.stock, at_discard.pile, at_discard.top) == (50 - 5 * n, 1, at_wish.top)
    assert at_discard.recycled is not None and at_wish.top is not None
    at_discard.recycled[at_wish.top] += 1
    assert at_discard.recycled == at_wish.pile_counts
    check_events(result, n, "keep_top")


@pytest.mark.parametrize("max_turns", [1, 7, 300])
def test_a_hand_without_end_is_void(max_turns: int) -> None:
    """TYD-A11, TYD-A14: no winner, the stakes go back."""
    options = {"players": 3, "auto_show": False, "max_turns": max_turns, "stake": 5}
    result = play_hand(options, SeededLuck(1), [Stubborn(always_stock)] * 3)
    assert (result.void, result.turns, result.dealt_win) == (True, max_turns, False)
    assert result.shares == result.marbles == [0, 0, 0]
    assert result.events[-1] == ("void",)


def test_a_win_on_the_last_allowed_turn_counts() -> None:
    """TYD-A11."""
    luck = StackedLuck("7C 7D KC KD 3C", "2C 4C 6C 8C TC", "7S")
    result = play_hand({"players": 2, "max_turns": 1}, luck, [Scripted("pile 3"), Scripted()])
    assert (result.void, result.turns) == (False, 1)


@pytest.mark.parametrize("stake", [0, 1, 25])
def test_stakes(stake: int) -> None:
    """TYD-17, TYD-A14: everybody stakes the same, the winner takes all; 'none' and 'ante' keep the same books."""
    for stake_mode in ("none", "ante"):
        options = {"stake": stake, "stake_mode": stake_mode}
        result = play_hand(options, dealt_luck(0, players=4), [Scripted()] * 4)
        assert result.marbles == [3 * stake, -stake, -stake, -stake]


@pytest.mark.parametrize("seed", range(40))
def test_options_without_effect(seed: int) -> None:
    """TYD-A1, TYD-A4, TYD-A14: direction, the moment of the win check and the stake mode change no hand."""
    options = {"players": 3, "notice_prob": 0.5}
    plain = play_hand(options, SeededLuck(seed), [Greedy()] * 3)
    for change in ({"direction": "ccw"}, {"win_check": "after_draw"}, {"stake_mode": "none"}):
        assert play_hand({**options, **change}, SeededLuck(seed), [Greedy()] * 3) == plain


def test_breaking_the_full_house_with_the_discard_does_not_win() -> None:
    """TYD-A4: six cards that contain a winning hand win only if the discard leaves it."""
    parts = ("7C 7D KC KD 3C", "2C 4C 6C 8C TC", "7S")
    for win_check in ("after_draw", "after_discard"):
        options = {"players": 2, "win_check": win_check, "max_turns": 1}
        assert play_hand(options, StackedLuck(*parts), [Scripted("pile K"), Scripted()]).void
        assert not play_hand(options, StackedLuck(*parts), [Scripted("pile 3"), Scripted()]).void


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("false_show", "penalty"),
        ("reshuffle", "never"),
        ("tie_rule", None),
        ("notice_prob", 0.0),
        ("notice_prob", 1.5),
        ("max_turns", 0),
        ("match_target", 0),
        ("stake", -1),
        ("sorteo", 1),
    ],
)
def test_unknown_options_and_values(name: str, value: object) -> None:
    """Every option has its values and no others."""
    with pytest.raises(ValueError, match=name):
        play_hand({name: value}, SeededLuck(0), [Greedy()] * 4)


def test_the_table_must_fit() -> None:
    """As many players as chairs, a dealer among them, and a deck without a card twice."""
    with pytest.raises(ValueError, match="4 players needed, got 3"):
        play_hand({}, SeededLuck(0), [Greedy()] * 3)
    with pytest.raises(ValueError, match="dealer must be a chair"):
        play_hand({}, SeededLuck(0), [Greedy()] * 4, dealer=4)
    with pytest.raises(ValueError, match="card 0 is not in the stock"):
        play_hand({}, StackedLuck("AC AC"), [Greedy()] * 4)


def test_defaults() -> None:
    """The defaults of part 2: four players, literal discard rule, lazy reshuffle, first to three."""
    assert play_hand(DEFAULTS, SeededLuck(3), [Greedy()] * 4) == play_hand({}, SeededLuck(3), [Greedy()] * 4)
    assert [DEFAULTS[name] for name in ("players", "pickup_discard_rule", "show_dealt", "auto_show")] == [
        4,
        "same_card",
        "immediate",
        True,
    ]
    assert [DEFAULTS[name] for name in ("tie_rule", "reshuffle", "max_turns", "dealer_rotation", "match_target")] == [
        "turn_order",
        "lazy_all",
        1000,
        "left",
        3,
    ]


# What a seat sees -----------------------------------------------------------------------------------------------


def test_what_a_seat_sees() -> None:
    """TYD-4, TYD-A15: the top card, and everything that was face up."""
    luck = StackedLuck("7C 7D KC 4D 3C", "2C 4C 6C 8C TC", "7S", "AS", "AD", "9H")
    players = [Scripted("pile 3, pile 7, stock 9"), Scripted("stock 2, stock A")]
    play_hand({"players": 2, "max_turns": 5}, luck, players, wins=[840, 420])
    draw_views, discard_views = players[0].seen("draw"), players[0].seen("discard")
    assert draw_views[0] == View(
        seat=0,
        players=2,
        turn=0,
        hand=counts("77K43"),
        top=rank("7"),
        drawn=None,
        took=None,
        stock=41,
        pile=1,
        pile_counts=counts("7"),
        known=[counts(""), counts("")],
        thrown=[set(), set()],
        refused=[set(), set()],
        recycled=None,
        wins=[840, 420],
        dealer=1,
    )
    assert discard_views[0] == View(
        seat=0,
        players=2,
        turn=0,
        hand=counts("777K43"),
        top=None,
        drawn=rank("7"),
        took=rank("7"),
        stock=41,
        pile=0,
        pile_counts=counts(""),
        known=[counts("7"), counts("")],
        thrown=[set(), set()],
        refused=[set(), set()],
        recycled=None,
        wins=[840, 420],
        dealer=1,
    )
    assert discard_views[1] == View(
        seat=0,
        players=2,
        turn=2,
        hand=counts("777K42"),
        top=rank("3"),
        drawn=rank("2"),
        took=rank("2"),
        stock=40,
        pile=1,
        pile_counts=counts("3"),
        known=[counts("72"), counts("")],
        thrown=[{rank("3")}, {rank("2")}],
        refused=[set(), {rank("3")}],
        recycled=None,
        wins=[840, 420],
        dealer=1,
    )
    # Throwing a 7 took one off the 7s known; the other player refused it.
    assert discard_views[2].known == [counts("2"), counts("")]
    assert discard_views[2].thrown == [{rank("3"), rank("7")}, {rank("2"), rank("A")}]
    assert discard_views[2].refused == [{rank("A")}, {rank("3"), rank("7")}]
    assert (discard_views[2].drawn, discard_views[2].took, discard_views[2].pile) == (rank("9"), None, 3)


def test_views_are_copies() -> None:
    """A strategy that scribbles on its view changes nothing."""

    class Scribbler(Greedy):
        def discard(self, view: View) -> int:
            """Decide, then spoil the view."""
            choice = super().discard(view)
            view.hand.clear()
            view.known.clear()
            view.thrown.clear()
            view.refused.clear()
            view.pile_counts.clear()
            view.wins.clear()
            return choice

    clean = play_hand({"players": 2}, SeededLuck(5), [Greedy()] * 2)
    assert clean.turns > 2
    assert play_hand({"players": 2}, SeededLuck(5), [Scribbler()] * 2) == clean


@pytest.mark.parametrize("reshuffle", ["lazy_all", "eager_all", "keep_top"])
@pytest.mark.parametrize("n", PLAYERS)
def test_cards_are_conserved(n: int, reshuffle: str) -> None:
    """TYD-15, TYD-O8: at every step of hands full of random decisions, false shows among them."""
    for unit in range(12):
        rule = ("same_card", "same_rank")[unit % 2]
        options = {
            "players": n,
            "reshuffle": reshuffle,
            "pickup_discard_rule": rule,
            "auto_show": unit % 3 == 0,
            "show_dealt": ("immediate", "own_turn")[unit % 4 // 2],
            "notice_prob": 0.5,
            "win_check": ("after_discard", "after_draw")[unit % 5 % 2],
            "max_turns": 150,
        }
        source = Stream((1989, 2), (0, unit, n, 0))
        truth = Truth()
        players = [Watcher(RandomPlayer(source, rule), truth) for _ in range(n)]
        check_events(play_hand(options, SeededLuck(unit), players), n, reshuffle)


# Matches --------------------------------------------------------------------------------------------------------


def dealt_luck(*places: int, players: int) -> StackedLuck:
    """Return a deck that deals full houses to the given places in turn order and to nobody else."""
    full = [FULL, OTHER_FULL, "9C 9D 9H JC JD"]
    plain = [f"A{suit} 2{suit} 3{suit} 4{suit} 5{suit}" for suit in "CDHS"]
    hands = [full[places.index(place)] if place in places else plain[place] for place in range(players)]
    return StackedLuck(*hands)


@pytest.mark.parametrize(
    ("rotation", "dealers", "hands_won"),
    [
        ("left", [0, 1, 2, 0, 1, 2, 0], [2, 2, 3]),
        ("winner_deals", [0, 2, 1, 0, 2, 1, 0], [2, 2, 3]),
        ("fixed", [0, 0, 0], [0, 0, 3]),
        ("random", [0, 2, 0, 2, 0], [0, 2, 3]),
    ],
)
def test_dealer_rotation(rotation: str, dealers: list[int], hands_won: list[int]) -> None:
    """TYD-A12; play begins left of the dealer (TYD-5), here the second player in turn wins every hand."""
    options = {"players": 3, "dealer_rotation": rotation}
    asked: list[int] = []

    def random_dealer(hand: int) -> int:
        asked.append(hand)
        return 2 * (hand % 2)

    result = play_match(options, lambda hand: dealt_luck(1, players=3), [Greedy()] * 3, 0, random_dealer)
    assert [hand.dealer for hand in result.hands] == dealers
    assert result.hands_won == hands_won
    assert result.shares == [int(won == 3) for won in hands_won]
    assert asked == (list(range(1, len(dealers))) if rotation == "random" else [])
    assert result.marbles == [3 * won - len(dealers) for won in hands_won]
    assert (result.hands_played, result.voids, result.void) == (len(dealers), 0, False)


def never(hand: int) -> int:
    """Stand in for the dealer drawn at random where none may be drawn."""
    raise AssertionError(f"no dealer is drawn for hand {hand}")


def test_winner_deals_keeps_the_dealer_after_a_split_or_void_hand() -> None:
    """TYD-A12."""
    hands: list[Luck] = [dealt_luck(0, 1, players=3), dealt_luck(players=3), dealt_luck(0, players=3)]
    options = {"players": 3, "dealer_rotation": "winner_deals", "tie_rule": "split", "max_turns": 1}
    result = play_match(options, hands.__getitem__, [Greedy()] * 3, 1, never, max_hands=3)
    assert [hand.dealer for hand in result.hands] == [1, 1, 1]
    assert [hand.void for hand in result.hands] == [False, True, False]
    assert result.hands_won == [Fraction(1, 2), 0, Fraction(3, 2)]
    assert (result.voids, result.turns) == (1, 1)


@pytest.mark.parametrize("target", [1, 3, 5])
def test_match_target(target: int) -> None:
    """TYD-16, TYD-A13."""
    options = {"players": 2, "match_target": target, "dealer_rotation": "fixed"}
    result = play_match(options, lambda hand: dealt_luck(0, players=2), [Greedy()] * 2, 0, never)
    assert (result.hands_won, result.shares) == (shares(0, target), shares(0, 1))
    assert result.hands_played == target


@pytest.mark.parametrize(("first_dealer", "dealer"), [("random", 1), ("last_seat", 3)])
def test_first_dealer(first_dealer: str, dealer: int) -> None:
    """TYD-A16."""
    options = {"first_dealer": first_dealer, "match_target": 1}
    result = play_match(options, lambda hand: dealt_luck(0, players=4), [Greedy()] * 4, 1, never)
    assert result.hands[0].dealer == dealer


def test_a_match_may_be_shared() -> None:
    """TYD-16 with TYD-A6 'split': halves count, and equal totals share the match. The wins are shown in 840ths."""
    options = {"players": 2, "tie_rule": "split", "auto_show": False, "match_target": 1}
    players = [Scripted(shows=[True, True]), Scripted(shows=[True, True])]
    result = play_match(options, lambda hand: dealt_luck(0, 1, players=2), players, 1, never)
    assert [view.wins for view in players[0].seen("show")] == [[0, 0], [420, 420]]
    assert (result.hands_won, result.shares) == (shares(1, 1), shares(Fraction(1, 2), Fraction(1, 2)))
    assert result.marbles == [0, 0]


def test_the_highest_total_wins_the_match() -> None:
    """TYD-16: two seats pass the target with the same hand, 4/3 against 1."""
    places = [(0, 1), (0, 2, 3), (0, 1)]
    options = {"tie_rule": "split", "dealer_rotation": "fixed", "match_target": 1}
    result = play_match(options, lambda hand: dealt_luck(*places[hand], players=4), [Greedy()] * 4, 3, never)
    assert result.hands_won == [Fraction(4, 3), 1, Fraction(1, 3), Fraction(1, 3)]
    assert result.shares == [1, 0, 0, 0]


def test_a_match_without_end_is_void() -> None:
    """TYD-A11 for matches: nobody reaches the target."""
    options = {"players": 2, "max_turns": 1, "auto_show": False}
    players = [Stubborn(always_stock)] * 2
    result = play_match(options, SeededLuck, players, 0, never, max_hands=4)
    assert (result.void, result.hands_played, result.voids, result.turns) == (True, 4, 4, 4)
    assert result.shares == result.hands_won == result.marbles == [0, 0]


# Strategies -----------------------------------------------------------------------------------------------------


def view_of(hand: str, top: str | None = None, took: str | None = None) -> View:
    """Return the view of a player with this hand, for a decision that depends on little else."""
    return View(
        seat=0,
        players=2,
        turn=0,
        hand=counts(hand),
        top=None if top is None else rank(top),
        drawn=None if took is None else rank(took),
        took=None if took is None else rank(took),
        stock=30,
        pile=int(top is not None),
        pile_counts=counts(top or ""),
        known=[[0] * 13, [0] * 13],
        thrown=[set(), set()],
        refused=[set(), set()],
        recycled=None,
        wins=[0, 0],
        dealer=1,
    )


@pytest.mark.parametrize(
    ("hand", "top", "place"),
    [
        ("7KK52", "7", "pile"),
        ("77KK5", "7", "pile"),
        ("777K5", "7", "stock"),
        ("77KK5", "3", "stock"),
        ("77KK5", None, "stock"),
    ],
)
def test_greedy_draws(hand: str, top: str | None, place: str) -> None:
    """TYD-O9: take the top discard iff one or two of its rank are held."""
    assert Greedy().draw(view_of(hand, top)) == place


@pytest.mark.parametrize(
    ("hand", "thrown"),
    [
        ("7777AK", "7"),
        ("7777KK", "7"),
        ("777KA2", "A"),
        ("77KKQ5", "5"),
        ("77KKQQ", "7"),
        ("777KKK", "7"),
        ("777KK2", "2"),
    ],
)
def test_greedy_discards(hand: str, thrown: str) -> None:
    """TYD-O9: of a four of a kind, else the lowest single, else of the lowest pair, else of the lowest triple."""
    assert Greedy().discard(view_of(hand)) == rank(thrown)


def test_greedy_passes_over_the_rank_just_taken() -> None:
    """TYD-O9 with TYD-A2: under 'same_rank'."""
    view = view_of("77KKQQ", took="7")
    assert Greedy().discard(view) == rank("7")
    assert Greedy("same_rank").discard(view) == rank("Q")


def test_greedy_breaks_a_pair_before_a_triple() -> None:
    """TYD-O9: where the only single is the card just taken."""
    assert Greedy().discard(view_of("777KK2", took="2")) == rank("K")


def test_legal_discards() -> None:
    """TYD-7, TYD-A2."""
    assert legal_discards(view_of("7AAKQJ", took="7")) == [rank(name) for name in "AJQK"]
    assert legal_discards(view_of("77AKQJ", took="7")) == [rank(name) for name in "A7JQK"]
    assert legal_discards(view_of("77AKQJ", took="7"), "same_rank") == [rank(name) for name in "AJQK"]
    assert legal_discards(view_of("77AKQJ")) == legal_discards(view_of("77AKQJ"), "same_rank")


@pytest.mark.parametrize(
    ("hand", "eligible"),
    [("777KK2", "2"), ("777KKK", "7"), ("7777KK", "7"), ("777K52", "25K"), ("77KKQQ", "7QK"), ("7777K2", "2K")],
)
def test_stock_only_discards(hand: str, eligible: str) -> None:
    """TYD-O7, policy G: win if possible, else a random singleton, else of a random pair."""
    player = StockOnly(Stream((3, 2), (0, 0, 0, 0)))
    assert {player.discard(view_of(hand)) for _ in range(60)} == {rank(name) for name in eligible}
    assert player.draw(view_of("77KK5", top="7")) == "stock"


def test_random_player_decides_everything_legal_equally_often() -> None:
    """Within five standard errors."""
    player = RandomPlayer(Stream((3, 2), (0, 1, 0, 0)))
    view = view_of("77AKQJ", top="3", took="7")
    number = 4000
    thrown = [player.discard(view) for _ in range(number)]
    for one in legal_discards(view):
        assert abs(thrown.count(one) / number - 0.2) < 5 * sqrt(0.2 * 0.8 / number)
    assert abs([player.draw(view) for _ in range(number)].count("pile") / number - 0.5) < 5 * sqrt(0.25 / number)
    assert abs([player.show(view) for _ in range(number)].count(True) / number - 0.5) < 5 * sqrt(0.25 / number)
    strict = RandomPlayer(Stream((3, 2), (0, 2, 0, 0)), "same_rank")
    assert {strict.discard(view) for _ in range(99)} == {rank(name) for name in "AJQK"}
    assert player.draw(view_of("77AKQ")) == "stock"


# Oracles --------------------------------------------------------------------------------------------------------


def test_stock_only_completes_as_computed() -> None:
    """TYD-O7: the law of one player's own draws to a full house, exact up to 20 draws of two players."""
    number = 4000
    exact = {0: 0.001440576230492, 4: 0.084081362013404, 10: 0.392465528475323, 20: 0.794131981288684}
    done = []
    for unit in range(number):
        players: list[Player] = [StockOnly(Stream((5, 2), (0, unit, 0, 0))), Stubborn(always_stock)]
        options = {"players": 2, "auto_show": False, "max_turns": 40}
        result = play_hand(options, SeededLuck(unit), players)
        done.append(21 if result.void else (result.turns + 1) // 2)
    for own_draws, probability in exact.items():
        rate = sum(one <= own_draws for one in done) / number
        assert abs(rate - probability) < 5 * sqrt(probability * (1 - probability) / number)


@pytest.mark.parametrize(
    ("n", "win_rates", "void", "turns", "reshuffles", "dealt"),
    [
        (2, [0.5318, 0.4664], 0.00176, 10.198, 0.0005, 0.00287863182),
        (4, [0.2815, 0.2664, 0.2398, 0.2120], 0.00037, 14.425, 0.0234, 0.00574720247),
    ],
)
def test_greedy_table(n: int, win_rates: list[float], void: float, turns: float, reshuffles: float, dealt: float) -> None:
    """TYD-O9, and TYD-O2 for the hands won as dealt: 5,000 hands within five standard errors."""
    number = 5000
    results = [play_hand({"players": n}, SeededLuck(unit), [Greedy()] * n) for unit in range(number)]
    rates = [
        *((float(mean(result.shares[seat] for result in results)), win_rates[seat]) for seat in range(n)),
        (mean(result.void for result in results), void),
        (mean(result.dealt_win for result in results), dealt),
    ]
    for rate, exact in rates:
        assert abs(rate - exact) < 5 * sqrt(exact * (1 - exact) / number)
    finished = [result.turns for result in results if not result.void]
    assert abs(mean(finished) - turns) < 5 * stdev(finished) / sqrt(len(finished))
    shuffled = [result.reshuffles for result in results]
    assert abs(mean(shuffled) - reshuffles) < 5 * stdev(shuffled) / sqrt(number)
    for result in results[:300]:
        check_events(result, n)
