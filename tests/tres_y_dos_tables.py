"""Tables of Tres y Dos set up by hand: stacked decks, scripted players, and what came of them in readable form."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim import bulk
from sim.arm import Arm
from sim.bits import rank_of
from sim.cards import RANKS, parse_card, parse_cards
from sim.game import Event, find_game
from sim.games.tres_y_dos.engine import full_house
from sim.games.tres_y_dos.view import NO_RANK
from sim.jit import kernel
from sim.plan import Plan
from sim.strategy import Parameter, Player, Strategy, set_parameters
from sim.tracing import Table
from sim.worker import Outcomes, Worker
from tests.reference.streams import Xoshiro256PlusPlus, below
from tests.tres_y_dos_mirror import packed

GAME = find_game("tres-y-dos")
HAND = GAME.unit("hand")
MATCH = GAME.unit("match")
SEED = 11

NEVER, FULL, ALWAYS = 0, 1, 2
"""When a scripted player shows, where it is asked."""


# Players --------------------------------------------------------------------------------------------------------


@kernel
def scripted_draw(view):
    """The pile where the script's rank for this turn is written with 100 added, else the stock."""
    return np.int64(view.parameters[1 + view.turn // view.players] >= 100)


@kernel
def scripted_discard(view):
    """The rank that the script says for this turn."""
    return np.int64(view.parameters[1 + view.turn // view.players]) % 100


@kernel
def scripted_show(view):
    """Never, with a full house, or always."""
    when = view.parameters[0]
    return np.int64(when == ALWAYS or (when == FULL and full_house(view.hand)))


SCRIPTED = Strategy(
    GAME.name,
    "scripted",
    "plays the turns it is told",
    {"draw": scripted_draw, "discard": scripted_discard, "show": scripted_show},
    {"show": Parameter(FULL, 0, 2, "when it shows"), **{f"turn{i}": Parameter(0, 0, 112, "a turn") for i in range(15)}},
)


def scripted(turns: str, show: int = FULL) -> Player:
    """A player who plays turns written like 'stock 5, pile 7': where it draws, which rank it throws."""
    settings: dict[str, str | float] = {"show": show}
    for i, turn in enumerate(filter(None, turns.split(","))):
        source, rank = turn.split()
        settings[f"turn{i}"] = RANKS.index(rank) + (100 if source == "pile" else 0)
    return set_parameters(SCRIPTED, settings)


@kernel
def never(view):
    """Draw from the stock; or, asked to show, do not."""
    return 0


@kernel
def take(view):
    """Take from the pile if there is one."""
    return np.int64(view.top != NO_RANK)


@kernel
def lowest_legal(view):
    """The lowest rank that may be thrown."""
    return np.int64(rank_of(view.legal))


MUTE = set_parameters(Strategy(GAME.name, "mute", "uses up the stock", {"draw": never, "discard": lowest_legal, "show": never}), {})
"""A player who never wins where he is asked to show."""

TAKER = set_parameters(Strategy(GAME.name, "taker", "takes what lies there", {"draw": take, "discard": lowest_legal, "show": never}), {})
"""The same, from the pile as long as there is one."""


# Tables ---------------------------------------------------------------------------------------------------------


def table_of(rules: dict[str, Any], lineup: Sequence[Player], unit: Any = HAND, deal: int = 0) -> Table:
    """A table with the unit begun and its first hand dealt."""
    table = Table(Arm(GAME, GAME.make_rules({"players": len(lineup), **rules}), tuple(lineup)), unit, SEED, deal)
    table.begin()
    table.deal_hand()
    table.events()
    return table


def card_set(cards: Sequence[int]) -> np.uint64:
    """Cards as a set of bits."""
    return np.uint64(sum(1 << card for card in cards))


def counted(cards: Sequence[int]) -> np.uint64:
    """Cards as counted ranks."""
    return np.uint64(packed([sum(card // 4 == rank for card in cards) for rank in range(13)]))


def stack(table: Table, hands: Sequence[str], up: str, draws: str = "") -> None:
    """Give the seats these cards, turn up that one, and let the stock come in this order; the other cards follow.

    The stock is drawn lazily: each draw takes the card at a random place, and the last card of the stock moves there.
    So the wanted cards are put at the places that the hand's own stream will draw.
    """
    position = table.positions[0]
    dealt = [parse_cards(text) for text in hands]
    top = parse_card(up)
    wanted = parse_cards(draws)
    rest = [card for card in range(52) if card not in {top, *wanted, *(card for hand in dealt for card in hand)}]
    left = int(position.left)
    assert len(wanted) + len(rest) == left
    words = Xoshiro256PlusPlus([int(word) for word in position.stream])
    places = list(range(left))
    for n, card in zip(range(left, 0, -1), [*wanted, *rest], strict=True):
        j = below(words, n)
        position.stock[places[j]] = card
        places[j] = places[n - 1]
    for seat, cards in enumerate(dealt):
        position.cards[seat] = card_set(cards)
        position.hands[seat] = counted(cards)
    position.pile[0] = top
    position.top = top // 4
    position.pile_counts = counted([top])


def play_out(table: Table) -> list[Event]:
    """Play the hand to its end; everything that happened since the deal."""
    assert table.play() == bulk.FINISHED
    table.settle()
    return table.events()


def told(table: Table) -> list[str]:
    """The hand played to its end, in words."""
    return [event.text for event in play_out(table)]


def outcome(table: Table) -> dict[str, Any]:
    """The outcome of a finished unit: columns by name, a list by seat or a number."""
    columns = table.outcome()
    found: dict[str, Any] = {}
    for column in table.unit.columns:
        start = table.unit.place(column.name, table.arm.players)
        found[column.name] = columns[start : start + table.arm.players] if column.per_seat else columns[start]
    return found


# Many hands -----------------------------------------------------------------------------------------------------


def columns_of(rules: dict[str, Any], lineup: Sequence[Player], units: int, unit: Any = HAND) -> dict[str, Any]:
    """Outcome columns of many units: int64 arrays by name, of shape (seats, units) or (units,)."""
    arm = Arm(GAME, GAME.make_rules({"players": len(lineup), **rules}), tuple(lineup))
    chunks = []

    def keep(first: int, count: int, columns: Outcomes) -> None:
        chunks.append(columns[0][0])

    Worker(Plan((arm,), unit, SEED, (), ())).play(0, units, keep)
    every = np.concatenate(chunks, axis=1)
    found = {}
    for column in unit.columns:
        start = unit.place(column.name, arm.players)
        found[column.name] = every[start : start + arm.players] if column.per_seat else every[start]
    return found
