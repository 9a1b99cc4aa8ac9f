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
from sim.jit import kernel

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
    if left == 0:
        return 0
    if rules.penalty_table == TABLE_PIPS:
        value = pips(cards)
    else:
        value = left
        for step in range(3):
            at = rules.step_1 if step == 0 else rules.step_2 if step == 1 else rules.step_3
            factor = rules.factor_1 if step == 0 else rules.factor_2 if step == 1 else rules.factor_3
            if rules.penalty_scale == SCALE_RELATIVE:
                at = (at * np.int64(dealt) + 12) // 13
            if left >= at:
                value = left * factor
    if rules.two_mult != TWOS_NONE:
        twos = np.int64(popcount(cards & TWOS))
        if rules.two_mult == TWOS_PER_TWO:
            value <<= twos
        elif twos > 0:
            value *= 2
    return value


@kernel
def owed(position, seat, rules):
    """A seat's own penalty, before anybody pays for all; the winner has none, whatever he was dealt."""
    if seat == position.winner:
        return 0
    return penalty(position.hands[np.uint64(seat)], popcount(position.dealt[np.uint64(seat)]), rules)


@kernel
def payer(position, rules):
    """Who pays for everybody because he let the winner out (PD-A20), -1 for nobody."""
    if rules.last_card_rule == LAST_CARD_PAY_ALL and position.beaten_choice != 0:
        return position.beaten_seat
    return -1


@kernel
def charged(position, seat, rules):
    """What a seat is charged: its own penalty, all penalties, or nothing."""
    who = payer(position, rules)
    if who < 0:
        return owed(position, seat, rules)
    if who != seat:
        return 0
    total = 0
    for other in range(position.players):
        total += owed(position, other, rules)
    return total


@kernel
def points(position, seat, rules):
    """Points of a seat for a finished hand under the scoring in force."""
    winner = position.winner
    if rules.scoring == SCORING_PENALTY:
        total = 0
        for other in range(position.players):
            total += charged(position, other, rules)
        own = charged(position, seat, rules)
        if rules.settle == SETTLE_PAIRWISE:
            return total - position.players * own
        return total if seat == winner else -own
    if rules.scoring == SCORING_PLACEMENT:
        place = position.place[np.uint64(seat)]
        if place == 1:
            return rules.place_1
        if place == 2:
            return rules.place_2
        if place == 3:
            return rules.place_3
        return rules.place_4 if place == 4 else 0
    if rules.scoring == SCORING_NONE or seat != winner:
        return 0
    bonus = popcount(position.last_play & TWOS) if rules.win_bonus_twos != 0 else ZERO
    return np.int64(1) << np.int64(bonus)


@kernel
def place_in_halves(position, seat, rules):
    """Finishing place times two. Seats that did not finish share what places are left, evenly."""
    place = position.place[np.uint64(seat)]
    if place != 0:
        return 2 * place
    placed = 0
    for other in range(position.players):
        placed += position.place[np.uint64(other)] != 0
    return placed + 1 + position.players
