"""The engine of Tres y Dos: one source of truth for its rules, for bulk play, tracing, rollouts and tests.

A hand is one 64-bit word of counted ranks (suits do not matter, TYD-2). Stock and pile hold card numbers; in bulk play the suit of a
discarded card is arbitrary, while a log is written the very cards are followed (``position.cards``).

Nothing here reads a Python object or allocates: the hot state lives in locals and is stored back when play() returns.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np
from sim.jit import kernel

from sim import bulk
from sim.bits import ONE, TWO, ZERO, at_least_1, count_of, exactly_1, lowest, popcount, rank_bit
from sim.bulk import FINISHED, ILLEGAL, MAX_DECISIONS, PAUSED
from sim.decide import decide
from sim.events import append
from sim.games.tres_y_dos import events
from sim.games.tres_y_dos.rules import (
    DEALER_FIXED,
    DEALER_LEFT,
    DEALER_RANDOM,
    DEALER_WINNER,
    FIRST_DEALER_RANDOM,
    RESHUFFLE_EAGER_ALL,
    RESHUFFLE_KEEP_TOP,
    SAME_RANK,
    SHOW_IMMEDIATE,
    SHOW_OWN_TURN,
    TIE_RANDOM,
    TIE_SPLIT,
)
from sim.games.tres_y_dos.view import (
    DISCARD,
    DISCARDING,
    DRAW,
    DRAWING,
    NO_RANK,
    OPENING,
    OVER,
    PILE,
    POSITION,
    SHOW,
    SHOWING,
    STOCK,
    VIEW,
)
from sim.rng import (
    HAND_SHIFT,
    PURPOSE_CARDS,
    PURPOSE_TABLE,
    TABLE_DEALER,
    TABLE_FIRST_DEALER,
    TABLE_NOTICE,
    TABLE_TIE,
    below,
    below_probability,
    next_word,
    open_stream,
)
from sim.view import MAX_SEATS, field_pusher

WHOLE = 840
"""A whole win: shares are integers over 840, which 1 to 8 divide."""

RANK_MASK = ~np.uint64(3)
NONE = np.uint64(NO_RANK)
SEAT_BITS = np.uint64(32)
HAND_BITS = np.uint64(40)

# Where the words of a decision's private randomness begin: the decisions of one turn share an address and use words far apart.
RANDOM_DRAW = np.uint64(0 << 32)
RANDOM_DISCARD = np.uint64(1 << 32)
RANDOM_SHOW = np.uint64(2 << 32)
RANDOM_SHOW_DEALT = np.uint64(3 << 32)

push_known = field_pusher(VIEW, "known")
push_marks = field_pusher(VIEW, "marks")


@kernel
def full_house(counts):
    """Whether five cards are three of one rank and two of another (TYD-9): the only five cards without a rank held once."""
    return exactly_1(counts) == ZERO


@kernel
def begin(position, rules, keys, unit, match):
    """Set up a unit: nobody has won yet, and somebody is the first dealer (TYD-A16)."""
    position.unit = unit
    position.hand = 0
    position.match = match
    position.players = rules.players
    position.dealer = rules.players - 1
    if match != 0 and rules.first_dealer == FIRST_DEALER_RANDOM:
        s = open_stream(keys[4], keys[5], unit, TABLE_FIRST_DEALER, PURPOSE_TABLE)
        s, dealer = below(s, np.uint64(rules.players))
        position.dealer = np.int64(dealer)
    if match == 0:
        return
    for seat in range(MAX_SEATS):
        position.wins[seat] = 0
        position.marbles[seat] = 0
    position.unit_turns = 0
    position.unit_finished = 0
    position.unit_voids = 0
    position.unit_dealt_wins = 0
    position.unit_reshuffles = 0


@kernel
def deal(position, rules, keys, log):
    """Deal a hand: five cards to each, from the dealer's left, and one turned up (TYD-3).

    Each seat gets its five in turn: how cards are dealt out changes no distribution, and a hand grows in a register.
    """
    players = np.uint64(position.players)
    stock = position.stock
    hands = position.hands
    for card in range(np.uint64(52)):
        stock[card] = np.uint8(card)
    for seat in range(MAX_SEATS):
        hands[seat] = ZERO
        position.known[seat] = ZERO
        position.marks[seat] = ZERO
        position.own_draws[seat] = ZERO
        position.cards[seat] = ZERO
        position.shares[seat] = 0
    first = np.uint64(position.dealer) + ONE
    if first == players:
        first = ZERO
    s = open_stream(keys[0], keys[1], position.unit, np.uint64(position.hand) << HAND_SHIFT, PURPOSE_CARDS)
    left = np.uint64(52)
    seat = first
    for _ in range(players):
        hand = ZERO
        held = ZERO
        for _ in range(5):
            s, j = below(s, left)
            left -= ONE
            card = np.uint64(stock[j])
            stock[j] = stock[left]
            hand += ONE << (card & RANK_MASK)
            if log is not None:
                held |= ONE << card
        hands[seat] = hand
        if log is not None:
            position.cards[seat] = held
        seat += ONE
        if seat == players:
            seat = ZERO
    s, j = below(s, left)
    left -= ONE
    card = np.uint64(stock[j])
    stock[j] = stock[left]
    position.pile[0] = np.uint8(card)
    position.piled = 1
    position.left = np.int64(left)
    position.top = np.int64(card >> TWO)
    position.pile_counts = ONE << (card & RANK_MASK)
    position.recycled = ZERO
    position.epoch = 0
    position.notices = 0
    position.turn = 0
    position.taken = NO_RANK
    position.drawn = NO_RANK
    position.seat = np.int64(first)
    position.phase = OPENING
    position.dealt_win = 0
    position.void = 0
    position.stream[0], position.stream[1], position.stream[2], position.stream[3] = s
    if log is not None:
        append(log, events.HAND, position.dealer, position.hand, 0)
        for turn in range(position.players):
            seat = (first + np.uint64(turn)) % players
            append(log, events.DEAL, seat, position.cards[seat], 0)
        append(log, events.UP, 0, card, 0)


@kernel
def show_history(position, view, seat, rules):
    """Write what a seat's view keeps from turn to turn; play() then writes only what changes."""
    view.recycled = position.recycled - position.own_draws[seat]
    view.dealer = position.dealer
    view.target = rules.match_target * position.match
    for other in range(np.uint64(MAX_SEATS)):
        view.known[other] = position.known[other]
        view.marks[other] = position.marks[other]
    if position.match != 0:
        for other in range(np.uint64(MAX_SEATS)):
            view.wins[other] = position.wins[other]


@kernel
def write_view(position, view, seat, rules):
    """Write the whole view of a seat from a position at rest."""
    seat = np.uint64(seat)
    show_history(position, view, seat, rules)
    view.hand = position.hands[seat]
    view.legal = legal_discards(position.hands[seat], np.uint64(position.taken), rules)
    view.pile_counts = position.pile_counts
    view.top = position.top
    view.drawn = position.drawn
    view.taken = position.taken
    view.turn = position.turn


@kernel
def legal_discards(hand, taken, rules):
    """Ranks that may be discarded (TYD-7, TYD-A2): not the card just taken, or not its rank at all."""
    legal = at_least_1(hand)
    if taken != NONE:
        bit = rank_bit(taken)
        if rules.pickup_discard_rule == SAME_RANK or count_of(hand, taken) == ONE:
            legal &= ~bit
    return legal


@kernel
def notices(position, rules, keys):
    """Whether a player notices the full house he holds (TYD-A5): one draw each time."""
    if rules.notice_prob >= 1.0:
        return True
    sub = (np.uint64(position.hand) << HAND_SHIFT) | TABLE_NOTICE
    s = open_stream(keys[4], keys[5], position.unit, sub, PURPOSE_TABLE)
    word = ZERO
    for _ in range(position.notices + 1):
        s, word = next_word(s)
    position.notices += 1
    return below_probability(word, rules.notice_prob)


@kernel
def ask_show(position, views, deciders, rules, status, seat, kind):
    """Ask a seat whether it shows its hand (TYD-A5: only asked without ``auto_show``). Returns its answer."""
    view = views[np.uint64(seat)]
    write_view(position, view, seat, rules)
    view.legal = ZERO
    view.random_sub = (np.uint64(position.hand) << HAND_BITS) | (np.uint64(seat) << SEAT_BITS) | np.uint64(position.turn)
    view.random_used = kind
    status[bulk.ASKED] = seat
    answer = decide(deciders[np.uint64(seat * MAX_DECISIONS + SHOW)], view)
    status[bulk.ANSWER] = answer
    return answer


@kernel
def shown_falsely(position, views, seat, log):
    """A wrong show has no penalty (TYD-12): the table knows the hand, play continues (TYD-A7)."""
    position.known[np.uint64(seat)] = position.hands[np.uint64(seat)]
    push_known(views, position.players, seat, position.hands[np.uint64(seat)])
    if log is not None:
        append(log, events.SHOW, seat, position.cards[np.uint64(seat)], 0)


@kernel
def win(position, seat, log):
    """End the hand: one seat shows a full house (TYD-10)."""
    if log is not None:
        append(log, events.SHOW, seat, position.cards[np.uint64(seat)], 1)
    position.shares[np.uint64(seat)] = WHOLE
    position.phase = OVER


@kernel
def win_at_deal(position, seats, rules, keys, log):
    """End the hand: the seats in the bit set ``seats`` show dealt full houses at the same moment (TYD-11, TYD-A6)."""
    players = position.players
    tied = np.int64(popcount(seats))
    chosen = 0  # the first in turn order
    if tied > 1 and rules.tie_rule == TIE_RANDOM:
        sub = (np.uint64(position.hand) << HAND_SHIFT) | TABLE_TIE
        s = open_stream(keys[4], keys[5], position.unit, sub, PURPOSE_TABLE)
        s, draw = below(s, np.uint64(tied))
        chosen = np.int64(draw)
    at = 0
    for turn in range(players):
        seat = np.uint64((position.dealer + 1 + turn) % players)
        if (seats >> seat) & ONE != ZERO:
            if log is not None:
                append(log, events.SHOW, seat, position.cards[seat], 1)
            if rules.tie_rule == TIE_SPLIT:
                position.shares[seat] = WHOLE // tied
            elif at == chosen:
                position.shares[seat] = WHOLE
            at += 1
    position.dealt_win = 1
    position.phase = OVER


@kernel
def open_hand(position, views, deciders, rules, keys, status, log):
    """What may happen with dealt hands before the first turn (TYD-10, TYD-A3). Returns FINISHED, PAUSED (play on) or ILLEGAL."""
    players = position.players
    position.phase = DRAWING
    if rules.show_dealt != SHOW_IMMEDIATE:
        return PAUSED
    seats = ZERO
    wrong = ZERO
    for turn in range(players):
        seat = (position.dealer + 1 + turn) % players
        full = full_house(position.hands[np.uint64(seat)])
        if rules.auto_show != 0:
            shown = full and notices(position, rules, keys)
        else:
            answer = ask_show(position, views, deciders, rules, status, seat, RANDOM_SHOW_DEALT)
            if answer != 0 and answer != 1:
                return ILLEGAL
            shown = full and answer == 1
            if answer == 1 and not full:
                wrong |= ONE << np.uint64(seat)
        if shown:
            seats |= ONE << np.uint64(seat)
    for turn in range(players):  # all show at the same moment: nobody answered knowing of another's false show
        seat = (position.dealer + 1 + turn) % players
        if (wrong >> np.uint64(seat)) & ONE != ZERO:
            shown_falsely(position, views, seat, log)
    if seats == ZERO:
        return PAUSED
    win_at_deal(position, seats, rules, keys, log)
    return FINISHED


@kernel
def open_turn(position, views, deciders, rules, keys, status, log):
    """Under ``show_dealt='own_turn'`` a dealt full house is shown at the start of one's first turn. As open_hand()."""
    seat = position.seat
    full = full_house(position.hands[np.uint64(seat)])
    if rules.auto_show != 0:
        shown = full and notices(position, rules, keys)
    else:
        answer = ask_show(position, views, deciders, rules, status, seat, RANDOM_SHOW_DEALT)
        if answer != 0 and answer != 1:
            return ILLEGAL
        shown = full and answer == 1
        if answer == 1 and not full:
            shown_falsely(position, views, seat, log)
    if not shown:
        return PAUSED
    position.dealt_win = 1
    win(position, seat, log)
    return FINISHED


@kernel
def recycle(position, views, keys, keep, log):
    """Shuffle the pile into a new stock (TYD-14), all of it or (``keep`` = 1) all but its top card (TYD-A9).

    The new stock has a stream of its own, so the luck of a reshuffle is the same for all arms that get there.
    """
    moved = np.uint64(position.piled - keep)
    stock = position.stock
    pile = position.pile
    for i in range(moved):
        stock[i] = pile[i]
    position.left = np.int64(moved)
    position.recycled = position.pile_counts
    if keep == 1:
        pile[0] = pile[moved]
        position.pile_counts = rank_bit(np.uint64(position.top))
        position.recycled -= position.pile_counts
    else:
        position.top = NO_RANK
        position.pile_counts = ZERO
    position.piled = keep
    position.epoch += 1
    for seat in range(np.uint64(MAX_SEATS)):
        position.own_draws[seat] = ZERO
        views[seat].recycled = position.recycled
    sub = (np.uint64(position.hand) << HAND_SHIFT) | np.uint64(position.epoch)
    s = open_stream(keys[0], keys[1], position.unit, sub, PURPOSE_CARDS)
    position.stream[0], position.stream[1], position.stream[2], position.stream[3] = s
    if log is not None:
        append(log, events.RESHUFFLE, position.seat, np.int64(moved), keep)


@kernel
def physical_card(position, seat, rank, taken):
    """The card of a rank that a seat throws: any but the one just taken from the pile (TYD-7)."""
    held = position.cards[seat] & (np.uint64(15) << (rank << TWO))
    if taken == rank:
        other = held & ~(ONE << np.uint64(position.pile[np.uint64(position.piled)]))
        if other != ZERO:
            held = other
    return lowest(held)


@kernel
def play(position, views, deciders, rules, keys, status, log, budget):
    """Play a hand on from wherever the position stands, to its end.

    Parameters
    ----------
    position, views, rules : records
    deciders : addresses of the seated decisions, ``seat * MAX_DECISIONS + kind``
    keys : uint64 array, shape (6,)
    status : int64 array
        ``status[ASKED]`` says which seat is asked what, ``status[ANSWER]`` what it answered when that was illegal.
    log : event log or None
    budget : int
        With a log: pause after so many steps (a draw, a discard, a show); 0 for no limit.

    Returns
    -------
    int
        FINISHED, PAUSED or ILLEGAL
    """
    if position.phase == OPENING:
        # Only full houses matter, and one hand in 175 has one: look before doing anything slow.
        any_full = False
        for other in range(np.uint64(position.players)):
            any_full |= full_house(position.hands[other])
        if any_full or rules.auto_show == 0:
            code = open_hand(position, views, deciders, rules, keys, status, log)
            if code != PAUSED:
                return code
        position.phase = DRAWING
    if position.phase == OVER:
        return FINISHED

    # What changes every turn lives in locals; what seldom matters is read from the records when it does.
    players = np.uint64(position.players)
    seat = np.uint64(position.seat)
    phase = position.phase
    turn = np.uint64(position.turn)
    left = np.uint64(position.left)
    piled = np.uint64(position.piled)
    top = np.uint64(position.top)
    taken = np.uint64(position.taken)
    drawn = np.uint64(position.drawn)
    pile_counts = position.pile_counts
    s = (position.stream[0], position.stream[1], position.stream[2], position.stream[3])
    max_turns = np.uint64(rules.max_turns)
    auto_show = rules.auto_show != 0
    # Turns in which a dealt hand may still be shown, and the size of stock that is refilled without asking.
    opening_turns = players if rules.show_dealt == SHOW_OWN_TURN else ZERO
    refilled = ZERO if rules.reshuffle == RESHUFFLE_EAGER_ALL else NONE * NONE
    stock = position.stock
    pile = position.pile
    hands = position.hands
    steps = 0
    code = FINISHED
    for other in range(players):
        show_history(position, views[other], other, rules)
    base = np.uint64(position.hand) << HAND_BITS
    if phase == DISCARDING:  # resumed: the view knows nothing of the draw
        write_view(position, views[seat], seat, rules)
        views[seat].random_sub = base | (seat << SEAT_BITS) | turn
        status[bulk.ASKED] = np.int64(seat)

    while True:
        hand = hands[seat]
        view = views[seat]
        marks = position.marks[seat]
        if phase == DRAWING:
            if turn >= max_turns:
                position.void = 1  # nothing in the rules bounds a hand (TYD-A11)
                phase = OVER
                if log is not None:
                    append(log, events.VOID, 0, np.int64(turn), 0)
                break
            if turn < opening_turns:
                store_table(position, seat, turn, left, piled, top, pile_counts)
                position.drawn = position.taken = NO_RANK
                opened = open_turn(position, views, deciders, rules, keys, status, log)
                if opened == ILLEGAL:
                    code = ILLEGAL
                    break
                if opened == FINISHED:
                    phase = OVER
                    break
            status[bulk.ASKED] = seat
            view.hand = hand
            view.legal = ZERO
            view.pile_counts = pile_counts
            view.top = np.int64(top)
            view.drawn = NO_RANK
            view.taken = NO_RANK
            view.turn = np.int64(turn)
            view.random_sub = base | (seat << SEAT_BITS) | turn
            view.random_used = RANDOM_DRAW
            answer = decide(deciders[seat * np.uint64(MAX_DECISIONS) + np.uint64(DRAW)], view)
            if answer == PILE:
                if piled == ZERO:
                    status[bulk.ANSWER] = answer
                    code = ILLEGAL
                    break
                piled -= ONE
                drawn = taken = top
                bit = rank_bit(top)
                pile_counts -= bit
                top = NONE
                if piled > ZERO:
                    top = np.uint64(pile[piled - ONE]) >> TWO
                known = position.known[seat] + bit
                position.known[seat] = known
                push_known(views, players, seat, known)
                view.taken = np.int64(taken)
                view.top = np.int64(top)
                view.pile_counts = pile_counts
                if log is not None:
                    position.cards[seat] |= ONE << np.uint64(pile[piled])
                    append(log, events.TAKE, np.int64(seat), np.int64(pile[piled]), 0)
            elif answer == STOCK:
                if top != NONE:
                    marks |= TWO << (top << TWO)
                    view.marks[seat] = marks
                if left == ZERO:
                    # Only now, when somebody wants the stock, is the pile shuffled (TYD-13, TYD-14).
                    store_table(position, seat, turn, left, piled, top, pile_counts)
                    recycle(position, views, keys, np.int64(rules.reshuffle == RESHUFFLE_KEEP_TOP), log)
                    left, piled, top = np.uint64(position.left), np.uint64(position.piled), np.uint64(position.top)
                    pile_counts = position.pile_counts
                    s = (position.stream[0], position.stream[1], position.stream[2], position.stream[3])
                    view.top = np.int64(top)
                    view.pile_counts = pile_counts
                s, j = below(s, left)
                left -= ONE
                card = np.uint64(stock[j])
                stock[j] = stock[left]
                drawn = card >> TWO
                taken = NONE
                bit = ONE << (card & RANK_MASK)
                if position.epoch != 0:
                    position.own_draws[seat] += bit
                    view.recycled = position.recycled - position.own_draws[seat]
                if log is not None:
                    position.cards[seat] |= ONE << card
                    append(log, events.STOCK, np.int64(seat), np.int64(card), 0)
            else:
                status[bulk.ANSWER] = answer
                code = ILLEGAL
                break
            hand += bit
            phase = DISCARDING
            if log is not None:
                hands[seat] = hand
                position.marks[seat] = marks
                steps += 1
                if steps == budget:
                    code = PAUSED
                    break
        if phase == DISCARDING:
            legal = legal_discards(hand, taken, rules)
            if log is not None:
                store_table(position, seat, turn, left, piled, top, pile_counts)
            view.hand = hand
            view.legal = legal
            view.drawn = np.int64(drawn)
            view.random_used = RANDOM_DISCARD
            answer = decide(deciders[seat * np.uint64(MAX_DECISIONS) + np.uint64(DISCARD)], view)
            rank = np.uint64(answer)
            if rank > np.uint64(12) or (legal >> (rank << TWO)) & ONE == ZERO:
                status[bulk.ANSWER] = answer
                code = ILLEGAL
                break
            bit = rank_bit(rank)
            if log is not None:
                card = physical_card(position, seat, rank, taken)
                position.cards[seat] &= ~(ONE << card)
                append(log, events.DISCARD, np.int64(seat), np.int64(card), 0)
            else:
                card = rank << TWO
            hand -= bit
            hands[seat] = hand
            pile[piled] = np.uint8(card)
            piled += ONE
            top = rank
            pile_counts += bit
            known = position.known[seat]
            if count_of(known, rank) != ZERO:
                known -= bit
                position.known[seat] = known
                push_known(views, players, seat, known)
            marks |= bit
            position.marks[seat] = marks
            push_marks(views, players, seat, marks)
            phase = SHOWING
            if log is not None:
                steps += 1
                if steps == budget:
                    code = PAUSED
                    break
        # Showing: the hand of five (TYD-9, TYD-10).
        taken = drawn = NONE
        if auto_show:
            shown = full_house(hand)
            if shown and rules.notice_prob < 1.0:
                shown = notices(position, rules, keys)
        else:
            store_table(position, seat, turn, left, piled, top, pile_counts)
            position.drawn = position.taken = NO_RANK
            answer = ask_show(position, views, deciders, rules, status, np.int64(seat), RANDOM_SHOW)
            if answer != 0 and answer != 1:
                code = ILLEGAL
                break
            shown = answer == 1 and full_house(hand)
            if answer == 1 and not shown:
                shown_falsely(position, views, np.int64(seat), log)
        turn += ONE
        if shown:
            win(position, seat, log)
            phase = OVER
            break
        if left == refilled:
            store_table(position, seat, turn, left, piled, top, pile_counts)
            recycle(position, views, keys, 0, log)
            left, piled, top = np.uint64(position.left), np.uint64(position.piled), np.uint64(position.top)
            pile_counts = position.pile_counts
            s = (position.stream[0], position.stream[1], position.stream[2], position.stream[3])
        seat += ONE
        if seat == players:
            seat = ZERO
        phase = DRAWING
        if log is not None:
            steps += 1
            if steps == budget:
                code = PAUSED
                break

    store_table(position, seat, turn, left, piled, top, pile_counts)
    position.phase = phase
    position.taken = np.int64(taken)
    position.drawn = np.int64(drawn)
    position.stream[0], position.stream[1], position.stream[2], position.stream[3] = s
    return code


@kernel
def store_table(position, seat, turn, left, piled, top, pile_counts):
    """Put the locals of play() that describe the table back into the position."""
    position.seat = np.int64(seat)
    position.turn = np.int64(turn)
    position.left = np.int64(left)
    position.piled = np.int64(piled)
    position.top = np.int64(top)
    position.pile_counts = pile_counts


@kernel
def settle(position, rules, keys, log):
    """Score a finished hand, and say whether the unit goes on (a match until somebody has enough wins, TYD-16)."""
    if log is not None:
        for seat in range(position.players):
            if position.shares[seat] > 0:
                append(log, events.WIN, seat, position.turn, position.shares[seat])
    if position.match == 0:
        return False
    players = position.players
    winner = -1
    best = 0
    for seat in range(players):
        share = position.shares[seat]
        position.wins[seat] += share
        if share == WHOLE:
            winner = seat
        if position.void == 0:
            position.marbles[seat] += rules.stake * (players * share - WHOLE)
        best = max(best, position.wins[seat])
    position.unit_voids += position.void
    position.unit_dealt_wins += position.dealt_win
    position.unit_reshuffles += position.epoch
    if position.void == 0:
        position.unit_finished += 1
        position.unit_turns += position.turn
    position.hand += 1
    if best >= rules.match_target * WHOLE or position.hand >= rules.max_hands:
        return False
    pass_deal(position, rules, keys, winner)
    return True


@kernel
def pass_deal(position, rules, keys, winner):
    """Who deals the next hand of a match (TYD-A12). ``winner`` is -1 after a void or shared hand: then the deal stays."""
    players = position.players
    if rules.dealer_rotation == DEALER_LEFT:
        position.dealer = (position.dealer + 1) % players
    elif rules.dealer_rotation == DEALER_WINNER:
        if winner >= 0:
            position.dealer = winner
    elif rules.dealer_rotation == DEALER_RANDOM:
        sub = (np.uint64(position.hand) << HAND_SHIFT) | TABLE_DEALER
        s = open_stream(keys[4], keys[5], position.unit, sub, PURPOSE_TABLE)
        s, dealer = below(s, np.uint64(players))
        position.dealer = np.int64(dealer)


@kernel
def record(position, rules, out, at):
    """Write the outcome columns of a finished unit, in the order of the measures in the game's description."""
    at = np.uint64(at)
    if position.match == 0:
        record_hand(position, rules, out, at)
    else:
        record_match(position, rules, out, at)


@kernel
def record_hand(position, rules, out, at):
    """Outcome of a single hand: won shares, marbles (over 840; a void hand returns the stakes), then the table's columns."""
    players = np.uint64(position.players)
    finished = ONE - np.uint64(position.void)
    lost = np.int64(finished) * rules.stake * WHOLE
    for seat in range(players):
        share = position.shares[seat]
        out[seat, at] = share
        out[players + seat, at] = rules.stake * np.int64(players) * share - lost
    column = players + players
    out[column, at] = np.int64(finished) * position.turn
    out[column + ONE, at] = np.int64(finished)
    out[column + TWO, at] = position.void
    out[column + np.uint64(3), at] = position.dealt_win
    out[column + np.uint64(4), at] = position.epoch
    out[column + np.uint64(5), at] = 1


@kernel
def record_match(position, rules, out, at):
    """Outcome of a match: match shares, hands won (over 840), marbles, then the table's columns.

    The match goes to whoever has the most won hands, if that is enough; several may get there at once by a shared hand.
    """
    players = np.uint64(position.players)
    best = 0
    leaders = 0
    for seat in range(players):
        if position.wins[seat] > best:
            best = position.wins[seat]
            leaders = 0
        if position.wins[seat] == best:
            leaders += 1
    won = best >= rules.match_target * WHOLE
    for seat in range(players):
        out[seat, at] = WHOLE // leaders if won and position.wins[seat] == best else 0
        out[players + seat, at] = position.wins[seat]
        out[players + players + seat, at] = position.marbles[seat]
    column = players * np.uint64(3)
    out[column, at] = position.unit_turns
    out[column + ONE, at] = position.unit_finished
    out[column + TWO, at] = position.unit_voids
    out[column + np.uint64(3), at] = position.unit_dealt_wins
    out[column + np.uint64(4), at] = position.unit_reshuffles
    out[column + np.uint64(5), at] = position.hand
