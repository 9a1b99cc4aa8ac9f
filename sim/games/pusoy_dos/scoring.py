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
from sim.jit import inlined, kernel

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
        value = left
        if left >= threshold(rules.step_1, dealt, rules):
            value = left * rules.factor_1
            if left >= threshold(rules.step_2, dealt, rules):
                value = left * rules.factor_2
            if left >= threshold(rules.step_3, dealt, rules):
                value = left * rules.factor_3
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
    for seat in range(np.uint64(position.players)):
        debt = 0
        if np.int64(seat) != position.winner:
            debt = penalty(position.hands[seat], popcount(position.dealt[seat]), rules)
        position.debt[seat] = debt
        position.charge[seat] = debt
        total += debt
    if rules.last_card_rule == LAST_CARD_PAY_ALL and position.beaten_choice != 0:
        for seat in range(np.uint64(position.players)):
            position.charge[seat] = 0
        position.charge[np.uint64(position.beaten_seat)] = total
    if rules.scoring == SCORING_PENALTY:
        for seat in range(np.uint64(position.players)):
            if rules.settle == SETTLE_PAIRWISE:
                position.score[seat] = total - position.players * position.charge[seat]
            else:
                position.score[seat] = -position.charge[seat]
        if rules.settle != SETTLE_PAIRWISE:
            position.score[np.uint64(position.winner)] = total
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


@kernel
def place_in_halves(position, seat):
    """Finishing place times two. Seats that did not finish share what places are left, evenly."""
    place = position.place[np.uint64(seat)]
    if place != 0:
        return 2 * place
    placed = max(position.finished, position.instant)
    return placed + 1 + position.players
