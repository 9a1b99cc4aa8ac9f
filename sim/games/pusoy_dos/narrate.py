"""A hand of Pusoy Dos told in words, and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim.cards import RANK_NAMES, SUIT_NAMES, SUITS
from sim.game import Event
from sim.games.pusoy_dos import events
from sim.games.pusoy_dos.rules import (
    FLUSH,
    FOUR,
    FULL_HOUSE,
    KIND_NAMES,
    PAIR,
    QUADS,
    SINGLE,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPLE,
    TWO_PAIR,
    PusoyDosRules,
)
from sim.games.pusoy_dos.view import PLAY
from sim.rules import Rules

Row = tuple[int, int, int, int]

RANKS = "3456789TJQKA2"


def card_name(index: int, rules: Rules) -> str:
    """Text of a card by its strength index."""
    return RANKS[index >> 2] + _suits(rules)[index & 3]


def cards_name(mask: int, rules: Rules) -> str:
    """Text of a set of cards, lowest first."""
    return " ".join(card_name(index, rules) for index in _indices(mask))


def _suits(rules: Rules) -> str:
    assert isinstance(rules, PusoyDosRules)
    return rules.suit_order


def _indices(mask: int) -> list[int]:
    return [index for index in range(52) if (mask >> index) & 1]


def classify_play(mask: int, rules: Rules) -> tuple[int, int]:
    """Kind and strength of a play (imports the compiled functions)."""
    import numpy as np

    from sim.games.pusoy_dos.plays import classify

    with np.errstate(over="ignore"):
        kind, strength = classify(np.uint64(mask), rules.to_record()[0])
    return int(kind), int(strength)


def does_beat(play: int, table: int, rules: Rules) -> bool:
    """Whether a play may be put on another one (imports the compiled functions)."""
    import numpy as np

    from sim.games.pusoy_dos.plays import beats

    with np.errstate(over="ignore"):
        return bool(beats(np.uint64(play), np.uint64(table), rules.to_record()[0]))


def play_name(mask: int, rules: Rules) -> str:
    """What a play is called: 'pair of sevens', 'flush in hearts'."""
    kind, _ = classify_play(mask, rules)
    held = _indices(mask)
    if kind == SINGLE:
        return f"single {card_name(held[0], rules)}"
    if kind in (PAIR, TRIPLE):
        return f"{KIND_NAMES[kind]} of {_plural(held[0] >> 2)}"
    if kind in (FOUR, FULL_HOUSE, QUADS):
        return f"{KIND_NAMES[kind]}, {_plural(_deciding(mask))}"
    suit = SUIT_NAMES[SUITS.index(_suits(rules)[held[0] & 3])]
    if kind == FLUSH:
        return f"{KIND_NAMES[kind]} in {suit}, {card_name(held[-1], rules)} high"
    if kind == STRAIGHT_FLUSH:
        return f"{KIND_NAMES[kind]} in {suit}, {_span(held)}"
    if kind == STRAIGHT:
        return f"{KIND_NAMES[kind]}, {_span(held)}"
    return KIND_NAMES[kind]


def _span(held: list[int]) -> str:
    """First and last rank of five in sequence, which may run on from the two to the three (PD-A1)."""
    ranks = {index >> 2 for index in held}
    first = next(rank for rank in ranks if (rank - 1) % 13 not in ranks)
    return f"{RANKS[first]} to {RANKS[(first + 4) % 13]}"


def _plural(rank: int) -> str:
    name = RANK_NAMES["A23456789TJQK".index(RANKS[rank])]
    return name + ("es" if name == "six" else "s")


def why_it_beats(play: int, table: int, rules: Rules) -> str:
    """The reason why a play beats another one."""
    kind, strength = classify_play(play, rules)
    below, weaker = classify_play(table, rules)
    if play.bit_count() != table.bit_count():
        return f"a bomb: {KIND_NAMES[kind]} over a single two"
    if kind != below:
        return f"{KIND_NAMES[kind]} over {KIND_NAMES[below]}"
    if kind in (TRIPLE, FOUR, FULL_HOUSE, QUADS):
        return f"{_plural(_deciding(play))} over {_plural(_deciding(table))}"
    if kind in (SINGLE, PAIR):
        return "higher rank" if strength >> 2 != weaker >> 2 else "same rank, higher suit"
    suit_first = {FLUSH: "flush_order", STRAIGHT_FLUSH: "sf_order"}.get(kind)
    if suit_first and rules.to_dict()[suit_first] == "suit_first":
        if _indices(play)[0] & 3 != _indices(table)[0] & 3:
            return "higher suit"
    elif strength >> 2 == weaker >> 2:  # what stands below the ranks in these strengths is a suit
        return f"same ranks, higher suit{SUIT_OF.get(kind, '')}"
    return "higher sequence" if kind in (STRAIGHT, STRAIGHT_FLUSH) else "higher ranks"


SUIT_OF = {TWO_PAIR: " in the higher pair", STRAIGHT: " of the card that decides"}
"""Whose suit decides between plays of the same ranks."""


def _deciding(mask: int) -> int:
    ranks = [index >> 2 for index in _indices(mask)]
    return max(set(ranks), key=ranks.count)


def narrate(rows: Sequence[Row], names: Sequence[str], rules: Rules) -> list[Event]:
    """Turn log rows into events.

    Parameters
    ----------
    rows : sequence of (kind, seat, value, extra)
    names : sequence of str
        The strategy in each chair.
    rules : Rules
    """
    teller = _Teller(names, rules)
    return [teller.tell(row) for row in rows]


class _Teller:
    """Tells events, each by itself: rows of one hand may come in parts."""

    def __init__(self, names: Sequence[str], rules: Rules) -> None:
        self.names, self.rules = names, rules

    def tell(self, row: Row) -> Event:
        kind, seat, value, extra = row
        who = f"seat {seat + 1}"
        cards = cards_name(value, self.rules).split()
        if kind == events.HAND:
            return Event(f"hand {value + 1}", {"event": "hand", "hand": value})
        if kind == events.DEAL:
            return Event(f"  {who} ({self.names[seat]}) holds {' '.join(cards)}", {"event": "deal", "seat": seat + 1, "cards": cards})
        if kind == events.LEFTOVER:
            fate = f"{who} takes {' '.join(cards)}, left over, with the lowest card" if extra else f"left over: {' '.join(cards)}"
            return Event(f"  {fate}", {"event": "leftover", "cards": cards, "seat": seat + 1 if extra else None})
        if kind == events.REDEAL:
            return Event(f"{who} has all four twos: the cards are dealt again", {"event": "redeal", "seat": seat + 1})
        if kind == events.INSTANT:
            reason = "a dragon, all thirteen ranks" if extra else "all four twos"
            return Event(f"{who} wins at once with {reason}", {"event": "instant_win", "seat": seat + 1, "reason": reason, "cards": cards})
        if kind == events.OPEN:
            text = f"{who} opens, with the lowest card, {cards[0]}" if value else f"{who} opens"
            return Event(text, {"event": "open", "seat": seat + 1, "card": cards[0] if value else None})
        if kind == events.PLAY:
            return self._play(seat, value, extra)
        if kind == events.PASS:
            return Event(f"{who} passes", {"event": "pass", "seat": seat + 1})
        if kind == events.TRICK:
            return Event(f"  {who} wins the trick", {"event": "trick", "seat": seat + 1})
        if kind == events.OUT:
            place = ("", "first", "second", "third")[value]
            return Event(f"  {who} ({self.names[seat]}) is out, {place}", {"event": "out", "seat": seat + 1, "place": value})
        if kind == events.SCORE:
            text = f"{who}: {value:+d} point{'' if abs(value) == 1 else 's'}" + (f" (penalty {extra})" if extra else "")
            return Event(text, {"event": "score", "seat": seat + 1, "points": value, "penalty": extra})
        raise ValueError(f"no event {kind}")

    def _play(self, seat: int, mask: int, table: int) -> Event:
        name = play_name(mask, self.rules)
        cards = cards_name(mask, self.rules)
        reason = why_it_beats(mask, table, self.rules) if table else ""
        verb = "plays" if table else "leads"
        text = f"seat {seat + 1} {verb} {cards}" + ("" if len(cards) == 2 else f" ({name})") + (f": {reason}" if reason else "")
        data = {"event": "play", "seat": seat + 1, "cards": cards.split(), "play": name, "leads": not table, "reason": reason or None}
        return Event(text, data)


def describe_view(view: Any, rules: Rules) -> list[str]:
    """A view in words: what the seat knew when it was asked."""
    lines = [
        f"seat {int(view.seat) + 1} of {int(view.players)}, after {int(view.turn)} plays and passes",
        f"own cards: {cards_name(int(view.hand), rules)}",
    ]
    if int(view.table):
        lines.append(f"to beat: {cards_name(int(view.table), rules)} ({play_name(int(view.table), rules)}) of seat {int(view.owner) + 1}")
    else:
        lines.append("leading a trick")
    if int(view.must):
        lines.append(f"must play {cards_name(int(view.must), rules)}")
    if int(view.top_single):
        lines.append("the next player holds one card: a single must be the highest")
    for seat in range(int(view.players)):
        played = int(view.played[seat])
        left = int(view.sizes[seat]) - played.bit_count()
        lines.append(f"seat {seat + 1} holds {left} cards, has played {cards_name(played, rules) or 'nothing'}")
    return lines


def describe_answer(kind: int, answer: int, view: Any, rules: Rules) -> str:
    """Why an answer is illegal, in words."""
    mask = answer & ((1 << 64) - 1)
    if answer == 0:
        return "passed, but whoever leads a trick must play (PD-9)"
    if mask >> 52:
        return f"answered {answer}; a play is a mask of cards, below 2 to the 52nd"
    cards = cards_name(mask, rules)
    if mask & ~int(view.hand):
        return f"played {cards}, but does not hold {cards_name(mask & ~int(view.hand), rules)}"
    if classify_play(mask, rules)[0] == 0:
        return f"played {cards}, which is no legal combination"
    named = f"{cards} ({play_name(mask, rules)})"
    must = cards_name(int(view.must), rules)
    if int(view.table) and not does_beat(mask, int(view.table), rules):
        return f"played {named}, which does not beat {cards_name(int(view.table), rules)}"
    if must and not mask & int(view.must):
        return f"opened with {cards}, without the lowest card {must} (PD-8)"
    if must:
        return f"opened with {named}, but the lowest card {must} must be played alone (PD-A9)"
    return f"played {named}, but the next player holds one card, so a single must be one's highest (PD-A20)"


def asked_kind(view: Any, rules: Rules) -> int:
    """Which decision a view was written for: there is only one."""
    return PLAY
