"""A hand of Tres y Dos told in words, and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim.cards import RANKS, card_text, cards_text, rank_counts, ranks_text
from sim.game import WHOLE, Event
from sim.games.tres_y_dos import events
from sim.games.tres_y_dos.view import DISCARD, DRAW, NO_RANK, REFUSED, SHOW, THROWN
from sim.rules import Rules

Row = tuple[int, int, int, int]


def _set(cards: int) -> list[int]:
    """The cards of a card set, most frequent rank first, so that a hand reads as K K K 7 7."""
    held = [card for card in range(52) if (cards >> card) & 1]
    count = [sum(1 for card in held if card >> 2 == rank) for rank in range(13)]
    return sorted(held, key=lambda card: (-count[card >> 2], card))


def narrate(rows: Sequence[Row], names: Sequence[str], rules: Rules) -> list[Event]:
    """Turn log rows into events.

    Parameters
    ----------
    rows : sequence of (kind, seat, value, extra)
    names : sequence of str
        The strategy in each chair.
    rules : Rules
    """
    return [_event(row, names) for row in rows]


def _event(row: Row, names: Sequence[str]) -> Event:
    kind, seat, value, extra = row
    who = f"seat {seat + 1}"
    if kind == events.HAND:
        return Event(f"hand {value + 1}: {who} deals", {"event": "hand", "hand": value, "dealer": seat + 1})
    if kind == events.DEAL:
        text = cards_text(_set(value))
        return Event(f"  {who} ({names[seat]}) holds {text}", {"event": "deal", "seat": seat + 1, "cards": text.split()})
    if kind == events.UP:
        return Event(f"  {card_text(value)} is turned up", {"event": "up", "card": card_text(value)})
    if kind == events.STOCK:
        return Event(f"{who} draws {card_text(value)} from the stock", _card("draw", seat, value, source="stock"))
    if kind == events.TAKE:
        return Event(f"{who} takes {card_text(value)} from the pile", _card("draw", seat, value, source="pile"))
    if kind == events.DISCARD:
        return Event(f"{who} discards {card_text(value)}", _card("discard", seat, value))
    if kind == events.RESHUFFLE:
        kept = "" if extra == 0 else ", its top card stays"
        return Event(
            f"the stock is empty: the pile ({value} cards) is shuffled into a new stock{kept}",
            {"event": "reshuffle", "seat": seat + 1, "cards": value},
        )
    if kind == events.SHOW:
        text = cards_text(_set(value))
        words = f"{who} shows {text}" + (": tres y dos!" if extra else ": not a full house; the cards go back into the hand")
        return Event(words, {"event": "show", "seat": seat + 1, "cards": text.split(), "full_house": bool(extra)})
    if kind == events.WIN:
        share = "wins the hand" if extra == WHOLE else f"wins {extra}/{WHOLE} of the hand"
        when = "with the dealt cards" if value == 0 else f"after {value} turns of the table"
        return Event(f"{who} ({names[seat]}) {share} {when}", {"event": "win", "seat": seat + 1, "share": extra / WHOLE, "turns": value})
    if kind == events.VOID:
        return Event(f"void: no winner after {value} turns; the stakes are returned", {"event": "void", "turns": value})
    raise ValueError(f"no event {kind}")


def _card(event: str, seat: int, card: int, **more: Any) -> dict[str, Any]:
    return {"event": event, "seat": seat + 1, "card": card_text(card), **more}


def describe_view(view: Any, rules: Rules) -> list[str]:
    """A view in words: what the seat knew when it was asked."""
    top = int(view.top)
    lines = [
        f"seat {int(view.seat) + 1} of {int(view.players)}, turn {int(view.turn)} of the table",
        f"own cards: {ranks_text(view.hand)}",
        f"top of the pile: {RANKS[top] if top < NO_RANK else 'the pile is empty'}",
        f"in the pile: {ranks_text(view.pile_counts) or 'nothing'}",
    ]
    if int(view.drawn) < NO_RANK:
        source = "from the pile" if int(view.taken) < NO_RANK else "from the stock"
        lines.append(f"just drawn: {RANKS[int(view.drawn)]} {source}")
        lines.append(f"may be discarded: {' '.join(RANKS[r] for r in _marked(view.legal, 0))}")
    for seat in range(int(view.players)):
        told = []
        if int(view.known[seat]):
            told.append(f"is known to hold {ranks_text(view.known[seat])}")
        for word, place in (("has thrown", THROWN), ("has refused", REFUSED)):
            ranks = _marked(view.marks[seat], place)
            if ranks:
                told.append(f"{word} {' '.join(RANKS[r] for r in ranks)}")
        if told:
            lines.append(f"seat {seat + 1} {', '.join(told)}")
    return lines


def _marked(word: int, place: int) -> list[int]:
    """Ranks marked at a place of their four bits."""
    return [rank for rank in range(13) if (int(word) >> (4 * rank + place)) & 1]


def describe_answer(kind: int, answer: int, view: Any, rules: Rules) -> str:
    """Why an answer is illegal, in words."""
    if kind == DRAW:
        if answer == 1:
            return "answered 1 (take from the pile), but the pile is empty"
        return f"answered {answer}; a draw is 0 (stock) or 1 (pile)"
    if kind == SHOW:
        return f"answered {answer}; a show is 1 (yes) or 0 (no)"
    if kind == DISCARD and 0 <= answer < 13:
        if rank_counts(int(view.hand))[answer] == 0:
            return f"answered {answer} (discard {RANKS[answer]}), a rank it does not hold"
        return f"answered {answer} (discard {RANKS[answer]}), the card it has just taken from the pile (TYD-7)"
    return f"answered {answer}; a discard is a rank, 0 (ace) to 12 (king)"


def asked_kind(view: Any, rules: Rules) -> int:
    """Which decision a view was written for: a drawn card means a discard; a show is asked with none, at an address of its own."""
    if int(view.drawn) < NO_RANK:
        return DISCARD
    if rules.to_dict()["auto_show"] or int(view.random_used) >> 32 == 0:
        return DRAW
    return SHOW
