"""Exact search of the end of a hand in which all cards are known.

Everybody plays to go out first; who cannot wins nothing but wants to be left with as few cards as possible (max^n: each
player takes what is best for himself; of equally good plays the one tried first, strongest first, a pass last). Nothing
is cut off but what follows a win that has been found, so the value of a position is exact.

The cards still held, at most twenty, are numbered from the lowest up, which makes a set of them a short mask. All plays
of all hands are listed once, hand by hand, weakest first, and are spoken of by their number; for each pair of a play on
the table and a hand it is kept which part of that hand's list is stronger. Positions met before are looked up in a memo.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, TWO, ZERO, highest, lowest, lowest_bit, popcount
from sim.games.pusoy_dos.counting import count_plays
from sim.games.pusoy_dos.listing import list_kind
from sim.games.pusoy_dos.plays import rank_cards, size_of, strength_of, stronger
from sim.games.pusoy_dos.rules import LAST_CARD_HIGHEST_SINGLE, SINGLE, STRAIGHT_FLUSH
from sim.jit import kernel
from sim.view import memory
from strategies.pusoy_dos.prices import PRICES_END

MOST_CARDS = 20
LEAD = np.uint64(255)
"""In place of a play's number: there is nothing on the table."""
MOST_LISTED = 250
"""Plays that a search has room for."""

CARD_BITS = np.uint64(MOST_CARDS)
"""A value is the cards still held when somebody goes out, and above them the seat that does."""
GIVEN_UP = np.uint64(1 << 23)
"""Value of a search that met more positions than it may."""
OPEN = GIVEN_UP + ONE
"""In place of a value: not known yet."""

FIVE = np.uint64(5)
SEAT_SHIFT, ACTIVE_SHIFT, OWNER_SHIFT = np.uint64(28), np.uint64(30), np.uint64(34)
KEY_BITS = 36
KEYS = np.uint64((1 << KEY_BITS) - 1)
ODD = np.uint64(0x9E3779B97F4A7C15 & ((1 << KEY_BITS) - 1))
HALF_KEY = np.uint64(KEY_BITS // 2)
VALUE_BITS = np.uint64(24)
VALUE = np.uint64((1 << 24) - 1)
MEMO_BITS = 14
REST_BITS = np.uint64(KEY_BITS - MEMO_BITS)
REST = np.uint64((1 << (KEY_BITS - MEMO_BITS)) - 1)
ROUNDS = np.uint64((1 << (64 - 24 - KEY_BITS + MEMO_BITS)) - 1)
BYTE, BYTE_BITS = np.uint64(255), np.uint64(8)

# Places in the notes.
ROUND = np.uint64(PRICES_END)  # number of the search, so that the memo need not be cleared
MET = ROUND + ONE  # positions met in this decision
LIMIT = ROUND + TWO  # how many may be
INSIDE = ROUND + np.uint64(3)  # bit set of the seats that hold cards
HELD = ROUND + np.uint64(4)  # the cards of all hands
CARDS = ROUND + FIVE  # each seat's cards, numbered from the lowest held
FIRST = CARDS + np.uint64(4)  # number of each seat's first play, and behind the last seat's
HAS_FIVE = FIRST + FIVE  # whether each seat has a five-card play
SAME_RANK = HAS_FIVE + np.uint64(4)  # for each card those of its rank
MASK = SAME_RANK + CARD_BITS  # each play's cards
STRENGTH = MASK + np.uint64(MOST_LISTED + 2)  # its strength
RANGE = STRENGTH + np.uint64(MOST_LISTED + 2)  # for each play and seat the first play that beats it, and behind the last
FRAMES = RANGE + np.uint64(4 * (MOST_LISTED + 2))  # the positions from the first one to the one looked at
MOST_DEPTH = 4 * MOST_CARDS + 8
FRAME_WORDS = np.uint64(12)
MEMO = FRAMES + np.uint64(12 * MOST_DEPTH)
SEARCH_END = int(MEMO) + (1 << MEMO_BITS)

# Words of a frame: the position, its moves not tried yet, the best value so far and what its owner is left with, its place in the memo.
ALIVE, SEAT, TABLE, OWNER, ACTIVE, UNTRIED, LAST, MAY_PASS, BEST, FEWEST, SLOT, TAG = (np.uint64(place) for place in range(12))


@kernel
def next_of(seats, seat, players):
    """The first seat of a bit set in turn order after ``seat`` (which comes last)."""
    turned = ((seats | (seats << players)) >> (seat + ONE)) & ((ONE << players) - ONE)
    found = seat + ONE + lowest(turned)
    return found - players if found >= players else found


@kernel
def number(cards, held):
    """Cards as a mask over their numbers among all cards still held."""
    mask = ZERO
    while cards != ZERO:
        card = lowest_bit(cards)
        mask |= ONE << popcount(held & (card - ONE))
        cards ^= card
    return mask


@kernel
def lay_out(view, hands, notes):
    """Get ready to search the hands of all seats.

    Parameters
    ----------
    view : record
        Whose turn it is, and what is on the table.
    hands : uint64
        Place in the notes where the hands are, one word a seat.
    notes : uint64 array

    Returns
    -------
    bool
        Whether there is room for all their plays.
    """
    players = np.uint64(view.players)
    held = ZERO
    plays = ZERO
    inside = ZERO
    for seat in range(players):
        hand = notes[hands + seat]
        held |= hand
        plays += count_plays(hand, view)
        if hand != ZERO:
            inside |= ONE << seat
    if plays > np.uint64(MOST_LISTED) or popcount(held) > CARD_BITS:
        return False
    at = ZERO
    for seat in range(players):
        notes[FIRST + seat] = at
        at = list_sorted(view, notes[hands + seat], held, at, notes)
        notes[HAS_FIVE + seat] = np.uint64(at > notes[FIRST + seat] and size_of(notes[STRENGTH + at - ONE]) == FIVE)
        notes[CARDS + seat] = number(notes[hands + seat], held)
    notes[FIRST + players] = at
    notes[MASK + at] = ~ZERO  # what lies on the table stands behind the hands' plays
    notes[STRENGTH + at] = view.strength
    for card in range(popcount(held)):
        notes[SAME_RANK + card] = ZERO
    cards = held
    while cards != ZERO:
        notes[SAME_RANK + popcount(held & (lowest_bit(cards) - ONE))] = number(held & rank_cards(lowest(cards)), held)
        cards &= cards - ONE
    notes[INSIDE] = inside
    notes[HELD] = held
    find_ranges(view, at + ONE, notes)
    notes[ROUND] = (notes[ROUND] + ONE) & ROUNDS
    if notes[ROUND] == ZERO:
        forget(notes)
    return True


@kernel
def forget(notes):
    """Clear the memo."""
    for slot in range(MEMO, np.uint64(SEARCH_END)):
        notes[slot] = ZERO
    notes[ROUND] = ONE


@kernel
def list_sorted(view, hand, held, at, notes):
    """List the plays of a hand from number ``at`` on, weakest first; returns the number after the last."""
    for kind in range(SINGLE, STRAIGHT_FLUSH + 1):
        begin = at
        at = list_kind(hand, kind, view, notes, MASK + begin) - MASK
        for i in range(begin, at):
            play = notes[MASK + i]
            strength = strength_of(play, view)
            j = np.uint64(i)
            while j > begin and notes[STRENGTH + j - ONE] > strength:
                notes[STRENGTH + j] = notes[STRENGTH + j - ONE]
                notes[MASK + j] = notes[MASK + j - ONE]
                j -= ONE
            notes[STRENGTH + j] = strength
            notes[MASK + j] = number(play, held)
    return at


@kernel
def find_ranges(view, count, notes):
    """For each of ``count`` plays and each seat find the part of the seat's list from the first to the last stronger play."""
    for play in range(count):
        for seat in range(np.uint64(view.players)):
            first = notes[FIRST + seat + ONE]
            end = first
            for i in range(notes[FIRST + seat], notes[FIRST + seat + ONE]):
                if notes[STRENGTH + play] != ZERO and stronger(notes[STRENGTH + i], notes[STRENGTH + play], view):
                    first = min(first, i)
                    end = i + ONE
            notes[RANGE + (play << TWO) + seat] = first | (end << BYTE_BITS)


@kernel
def answers(table, seat, notes):
    """Numbers of a seat's first play that may beat the table, and of the one behind its last."""
    if table == LEAD:
        return notes[FIRST + seat], notes[FIRST + seat + ONE]
    word = notes[RANGE + (table << TWO) + seat]
    return word & BYTE, word >> BYTE_BITS


@kernel
def is_answer(view, play, table, alive, notes):
    """Whether a play from a seat's range can be played: its cards are there, and no weaker play lies among bombs (PD-A7)."""
    if notes[MASK + play] & ~alive != ZERO:
        return False
    return view.bombs == 0 or table == LEAD or stronger(notes[STRENGTH + play], notes[STRENGTH + table], view)


@kernel
def who_can(view, alive, table, seats, notes):
    """Those of some seats that can beat the table, and the number of the weakest play with which one can."""
    able = ZERO
    weakest = table
    least = ~ZERO
    while seats != ZERO:
        seat = lowest(seats)
        seats &= seats - ONE
        first, end = answers(table, seat, notes)
        for i in range(first, end):
            if is_answer(view, i, table, alive, notes):
                able |= ONE << seat
                if notes[STRENGTH + i] < least:
                    least = notes[STRENGTH + i]
                    weakest = i
                break
    return able, weakest


@kernel
def new_trick(owner, inside, players):
    """Seat asked, table, its owner and who is in the trick when nobody has beaten the owner's play (PD-9, PD-A15)."""
    leader = owner if (inside >> owner) & ONE != ZERO else next_of(inside, owner, players)
    return leader, LEAD, leader, inside


@kernel
def after_play(view, seat, play, active, inside):
    """Seat asked, table, its owner and who is in the trick after a seat has played (PD-9, PD-A10)."""
    stay = (active if view.pass_lockout != 0 else inside) | (ONE << seat)
    if stay == ONE << seat:
        return seat, LEAD, seat, inside
    return next_of(stay, seat, np.uint64(view.players)), play, seat, stay


@kernel
def after_pass(view, seat, table, owner, active, inside):
    """Seat asked, table, its owner and who is in the trick after a seat has passed (PD-9, PD-A23)."""
    players = np.uint64(view.players)
    stay = active & ~(ONE << seat)
    others = stay & ~(ONE << owner)
    if others == ZERO:
        return new_trick(owner, inside, players)
    return next_of(others, seat, players), table, owner, stay


@kernel
def is_like_lower(card, own, alive, seat, first, notes):
    """Whether a single is as good as the next lower card, which may be played too: nobody's card lies between the two.

    Both must be nothing but singles.
    """
    below = alive & (card - ONE)
    if below == ZERO or (notes[HAS_FIVE + seat] != ZERO and popcount(own) >= FIVE):
        return False
    lower = ONE << highest(below)
    if lower & own == ZERO or lower < notes[MASK + first]:
        return False
    return notes[SAME_RANK + lowest(card)] & own == card and notes[SAME_RANK + lowest(lower)] & own == lower


@kernel
def enter(view, frame, alive, seat, table, owner, active, notes):
    """Begin to look at a position.

    Returns
    -------
    uint64
        Its value when that is known at once, GIVEN_UP when too many positions have been met, or OPEN: then the frame has been filled in
        and its moves are to be tried.
    """
    inside = notes[INSIDE]
    # Who cannot beat the table is out of the trick, and tables that the same plays beat are the same.
    shown = table
    if table != LEAD:
        active, shown = who_can(view, alive, table, active, notes)
        others = active & ~(ONE << owner)
        if others == ZERO:
            seat, table, owner, active = new_trick(owner, inside, np.uint64(view.players))
            shown = table
        elif (others >> seat) & ONE == ZERO:
            seat = next_of(others, seat, np.uint64(view.players))
    own = notes[CARDS + seat] & alive
    first, end = answers(table, seat, notes)
    for i in range(first, end):
        if notes[MASK + i] == own and is_answer(view, i, table, alive, notes):
            return (alive ^ own) | (seat << CARD_BITS)
    key = alive | (shown << CARD_BITS) | (seat << SEAT_SHIFT) | (active << ACTIVE_SHIFT) | (owner << OWNER_SHIFT)
    key = (key * ODD) & KEYS
    key = ((key ^ (key >> HALF_KEY)) * ODD) & KEYS
    slot = MEMO + (key >> REST_BITS)
    tag = (notes[ROUND] << REST_BITS) | (key & REST)
    if notes[slot] >> VALUE_BITS == tag:
        return notes[slot] & VALUE
    if notes[MET] >= notes[LIMIT]:
        return GIVEN_UP
    notes[MET] += ONE
    notes[frame + ALIVE] = alive
    notes[frame + SEAT] = seat
    notes[frame + TABLE] = table
    notes[frame + OWNER] = owner
    notes[frame + ACTIVE] = active
    notes[frame + UNTRIED] = end
    notes[frame + LAST] = first
    notes[frame + MAY_PASS] = np.uint64(table != LEAD)
    notes[frame + FEWEST] = CARD_BITS + ONE
    notes[frame + SLOT] = slot
    notes[frame + TAG] = tag
    return OPEN


@kernel
def next_play(view, frame, notes):
    """Number of the next play of a position to try, strongest first; LEAD when all have been tried."""
    alive = notes[frame + ALIVE]
    seat = notes[frame + SEAT]
    own = notes[CARDS + seat] & alive
    limited = False
    if view.last_card_rule == LAST_CARD_HIGHEST_SINGLE:
        limited = popcount(notes[CARDS + next_of(notes[INSIDE], seat, np.uint64(view.players))] & alive) == ONE
    last = notes[frame + LAST]
    i = notes[frame + UNTRIED]
    while i > last:
        i -= ONE
        cards = notes[MASK + i]
        if not is_answer(view, i, notes[frame + TABLE], alive, notes):
            continue
        if cards & (cards - ONE) == ZERO:
            if limited and cards != ONE << highest(own):
                continue
            if not limited and is_like_lower(cards, own, alive, seat, last, notes):
                continue
        notes[frame + UNTRIED] = i
        return i
    notes[frame + UNTRIED] = last
    return LEAD


@kernel
def learn(frame, value, notes):
    """Take in what a move of a position comes to. Returns the position's value if that is a win, else OPEN."""
    seat = notes[frame + SEAT]
    if value >> CARD_BITS == seat:
        notes[notes[frame + SLOT]] = (notes[frame + TAG] << VALUE_BITS) | value
        return value
    left = popcount(value & notes[CARDS + seat])
    if left < notes[frame + FEWEST]:
        notes[frame + FEWEST] = left
        notes[frame + BEST] = value
    return OPEN


@kernel
def solve(view, alive, seat, table, owner, active):
    """Value of a position.

    Parameters
    ----------
    view : record
        For the rules and the memory in which everything is laid out.
    alive : uint64
        Cards still held.
    seat, table, owner, active : uint64
        Who is asked, the number of the play on the table or LEAD, whose it is, bit set of those who have not passed.

    Returns
    -------
    uint64
        The cards held when the first player goes out, above them his seat; or GIVEN_UP.
    """
    notes = memory(view)
    depth = ZERO
    value = enter(view, FRAMES, alive, seat, table, owner, active, notes)
    while value != GIVEN_UP and (value == OPEN or depth > ZERO):
        if value != OPEN:
            depth -= ONE
            value = learn(FRAMES + depth * FRAME_WORDS, value, notes)
            continue
        frame = FRAMES + depth * FRAME_WORDS
        alive, seat, owner, active = notes[frame + ALIVE], notes[frame + SEAT], notes[frame + OWNER], notes[frame + ACTIVE]
        play = next_play(view, frame, notes)
        if play != LEAD:
            alive ^= notes[MASK + play]
            seat, table, owner, active = after_play(view, seat, play, active, notes[INSIDE])
        elif notes[frame + MAY_PASS] != ZERO:
            notes[frame + MAY_PASS] = ZERO
            seat, table, owner, active = after_pass(view, seat, notes[frame + TABLE], owner, active, notes[INSIDE])
        else:
            value = notes[frame + BEST]
            notes[notes[frame + SLOT]] = (notes[frame + TAG] << VALUE_BITS) | value
            continue
        depth += ONE
        value = enter(view, FRAMES + depth * FRAME_WORDS, alive, seat, table, owner, active, notes)
    return value


@kernel
def solve_after(view, play):
    """Value of the position after this seat plays (0: passes) what the view asks for; the hands must be laid out."""
    notes = memory(view)
    seat = np.uint64(view.seat)
    inside = notes[INSIDE]
    players = np.uint64(view.players)
    alive = ZERO
    for other in range(players):
        alive |= notes[CARDS + other]
    table = notes[FIRST + players]
    active = np.uint64(view.active)
    if play == ZERO:
        seat, table, owner, active = after_pass(view, seat, table, np.uint64(view.owner), active, inside)
        return solve(view, alive, seat, table, owner, active)
    cards = number(play, notes[HELD])
    i = notes[FIRST + seat]
    while notes[MASK + i] != cards:
        i += ONE
    if cards == notes[CARDS + seat]:
        return (alive ^ cards) | (seat << CARD_BITS)
    seat, table, owner, active = after_play(view, seat, i, active, inside)
    return solve(view, alive ^ cards, seat, table, owner, active)
