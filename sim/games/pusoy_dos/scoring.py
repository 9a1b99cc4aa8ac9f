"""What a finished hand of Pusoy Dos costs and earns (PD-12, PD-A17, PD-A18, PD-A20)."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, TWO, ZERO, lowest, popcount
from sim.games.pusoy_dos.rules import (
    LAST_CARD_PAY_ALL,
    SCALE_RELATIVE,
    SCORING_NONE,
    SCORING_PENALTY,
    SCORING_PLACEMENT,
    SETTLE_PAIRWISE,
    TABLE_PIPS,
    TWOS_NONE,
    TWOS_PER_TWO,
)
from sim.jit import inlined, kernel, scalar

TWOS = np.uint64(0xF000000000000)


@kernel
def pips(cards):
    """Face values of the cards: ace 1, two 2, ten to king 10, the others their number (PD-A17)."""
    total = 0
    while cards != ZERO:
        rank = np.int64(lowest(cards) >> TWO)
        cards &= cards - ONE
        if rank == 12:
            total += 2
        elif rank == 11:
            total += 1
        else:
            total += min(rank + 3, 10)
    return total


@kernel
def threshold(at, dealt, rules):
    """Cards from which on a step of the penalty table holds, for a seat that was dealt so many (PD-A17)."""
    if rules.penalty_scale == SCALE_RELATIVE:
        return (at * np.int64(dealt) + 12) // 13
    return at


@inlined
def stepped(left, first, second, third, rules):
    """Penalty for so many cards with the steps of a table beginning where they do, which they do in this order (PD-A17)."""
    if left < first:
        return left
    if left < second:
        return left * rules.factor_1
    return left * (rules.factor_2 if left < third else rules.factor_3)


@kernel
def penalty(cards, dealt, rules):
    """Penalty for the cards a seat still holds.

    Parameters
    ----------
    cards : uint64
        What it holds.
    dealt : uint64
        With how many it started.
    rules : record
    """
    left = np.int64(popcount(cards))
    if rules.penalty_table == TABLE_PIPS:
        value = pips(cards)
    else:
        steps = (threshold(rules.step_1, dealt, rules), threshold(rules.step_2, dealt, rules), threshold(rules.step_3, dealt, rules))
        value = stepped(left, steps[0], steps[1], steps[2], rules)
    if rules.two_mult != TWOS_NONE:
        twos = np.int64(popcount(cards & TWOS))
        if rules.two_mult == TWOS_PER_TWO:
            value <<= twos
        elif twos > 0:
            value *= 2
    return value


@inlined
def assess(position, rules):
    """Fill in what a finished hand costs and earns: ``debt`` (a seat's own penalty), ``charge`` (after one pays for all), ``score``.

    The winner has no penalty, whatever he holds (he may have won with the dealt cards).
    """
    total = 0
    players = np.uint64(position.players)
    winner = position.winner
    by_count = rules.two_mult == TWOS_NONE and rules.penalty_table != TABLE_PIPS and rules.penalty_scale != SCALE_RELATIVE
    for seat in range(players):
        scalar()
        debt = 0
        if np.int64(seat) != winner:
            cards = position.hands[seat]
            if not by_count:
                debt = penalty(cards, popcount(position.dealt[seat]), rules)
            else:
                debt = stepped(np.int64(popcount(cards)), rules.step_1, rules.step_2, rules.step_3, rules)
        position.debt[seat] = debt
        position.charge[seat] = debt
        total += debt
    if rules.last_card_rule == LAST_CARD_PAY_ALL and position.beaten_choice != 0:
        for seat in range(np.uint64(position.players)):
            position.charge[seat] = 0
        position.charge[np.uint64(position.beaten_seat)] = total
    if rules.scoring == SCORING_PENALTY:
        pairwise = rules.settle == SETTLE_PAIRWISE
        times, more = (position.players, total) if pairwise else (1, 0)
        for seat in range(players):
            scalar()
            position.score[seat] = more - times * position.charge[seat]
        if not pairwise:
            position.score[np.uint64(winner)] = total
    else:
        for seat in range(np.uint64(position.players)):
            position.score[seat] = points(position, np.int64(seat), rules)


@kernel
def points(position, seat, rules):
    """Points of a seat where penalties do not count: by place, for the winner, or none."""
    if rules.scoring == SCORING_PLACEMENT:
        place = position.place[np.uint64(seat)]
        if place == 1:
            return rules.place_1
        if place == 2:
            return rules.place_2
        if place == 3:
            return rules.place_3
        return rules.place_4 if place == 4 else 0
    if rules.scoring == SCORING_NONE or seat != position.winner:
        return 0
    bonus = popcount(position.last_play & TWOS) if rules.win_bonus_twos != 0 else ZERO
    return np.int64(1) << np.int64(bonus)


@inlined
def places_left(position):
    """The mean of the places left to seats that did not finish, which share them evenly, times two."""
    placed = max(position.finished, position.instant)
    return placed + 1 + position.players
