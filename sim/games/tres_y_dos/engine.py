"""The engine of Tres y Dos: one source of truth for its rules, for bulk play, tracing, rollouts and tests.

A hand is one 64-bit word of counted ranks (suits do not matter, TYD-2). Stock and pile hold card numbers; in bulk play the suit of a
discarded card is arbitrary, while a log is written the very cards are followed (``position.cards``).

Nothing here reads a Python object or allocates: the hot state lives in locals and is stored back when play() returns.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim import hot
from sim.ahead import STEP, make_again, new_stream, next_deal, ready_word, rest, resume
from sim.bits import ONE, ONES, THREE, TWO, ZERO, at_least_1, copy_field, count_of, lowest, mul_high, mul_wide, popcount, rank_bit
from sim.bulk import FINISHED, ILLEGAL, PAUSED, put
from sim.decide import ask, decide, raise_fault
from sim.events import append
from sim.games.tres_y_dos import events
from sim.games.tres_y_dos.rules import (
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
    SHOW,
    SHOWING,
    STOCK,
    STOCK_WORDS,
    VIEW,
)
from sim.jit import apart, inlined, kernel, rare, scalar
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
FIVE = np.uint64(5)
DECK = np.uint64(52)
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
    """Whether five cards are three of one rank and two of another (TYD-9): the only five cards without a rank held once.

    A rank has four cards, so one whose lowest bit is set and whose second is not is held once.
    """
    return counts & ~(counts >> ONE) & ONES == ZERO


@inlined
def introduce(view, rules, match):
    """Write what the view of a seat, just taken, shows through all units to come, or (in single hands) would show of each hand."""
    view.target = rules.match_target * match
    view.random_sub = np.uint64(view.seat) << SEAT_BITS
    view.dealer = rules.players - 1


@inlined
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
    position.next_lane = STEP  # what was made ahead are the first hands of other units, not the next ones of this
    for seat in range(MAX_SEATS):
        position.wins[seat] = 0
        position.marbles[seat] = 0
    position.unit_turns = 0
    position.unit_finished = 0
    position.unit_voids = 0
    position.unit_dealt_wins = 0
    position.unit_reshuffles = 0


@inlined
def deal(position, rules, keys, log):
    """Deal a hand: five cards to each, from the dealer's left, and one turned up (TYD-3)."""
    first = np.uint64(position.dealer) + ONE
    if first == np.uint64(position.players):
        first = ZERO
    dealt = np.uint64(position.players) * FIVE + ONE
    word = next_deal(position, keys, dealt, np.uint64(STOCK_WORDS))
    clear_table(position)
    deal_out(position, first, word, log)
    if position.doubtful != 0:
        deal_again(position, keys, first, dealt, log)
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
    if log is not None:
        rest(position, position.base_word)
        log_deal(position, first, log)


@inlined
def clear_table(position):
    """A fresh deck, and nothing known of anybody."""
    for card in range(np.uint64(52)):
        position.stock[card] = np.uint8(card)
    for seat in range(MAX_SEATS):
        position.hands[seat] = ZERO
        position.known[seat] = ZERO
        position.marks[seat] = ZERO
        position.own_draws[seat] = ZERO
        position.cards[seat] = ZERO
        position.shares[seat] = 0
    position.doubtful = 0


@inlined
def deal_out(position, first, word, log):
    """Draw the cards of a deal with words made ahead.

    Each seat gets its five in turn: how cards are dealt out changes no distribution, and a hand grows in a register. A word that may be
    one too many for its draw (one in 2^58) is only noted here.
    """
    players = np.uint64(position.players)
    words = position.words
    stock = position.stock
    left = DECK
    seat = first
    for _ in range(players):
        hand = ZERO
        held = ZERO
        for _ in range(5):
            j, low = mul_wide(words[word], left)
            if low < left:
                position.doubtful = 1
            word += STEP
            left -= ONE
            card = np.uint64(stock[j])
            stock[j] = stock[left]
            hand += ONE << (card & RANK_MASK)
            if log is not None:
                held |= ONE << card
        position.hands[seat] = hand
        if log is not None:
            position.cards[seat] = held
        seat += ONE
        if seat == players:
            seat = ZERO
    j, low = mul_wide(words[word], left)
    if low < left:
        position.doubtful = 1
    left -= ONE
    card = np.uint64(stock[j])
    stock[j] = stock[left]
    position.pile[0] = np.uint8(card)
    position.piled = 1
    position.left = np.int64(left)
    position.top = np.int64(card >> TWO)
    position.pile_counts = ONE << (card & RANK_MASK)


@kernel
def deal_again(position, keys, first, dealt, log):
    """Deal with words that were looked at one by one."""
    rare()
    make_again(position, keys, dealt, DECK)
    clear_table(position)
    deal_out(position, first, position.lane, log)


@kernel
def log_deal(position, first, log):
    """Log the hands that were dealt and the card turned up."""
    append(log, events.HAND, position.dealer, position.hand, 0)
    for turn in range(position.players):
        seat = (first + np.uint64(turn)) % np.uint64(position.players)
        append(log, events.DEAL, seat, position.cards[seat], 0)
    append(log, events.UP, 0, position.pile[0], 0)


@inlined
def show_history(position, view, seat, rules):
    """Write what a seat's view keeps from turn to turn; play() then writes only what changes."""
    view.random_sub = (np.uint64(position.hand) << HAND_BITS) | (seat << SEAT_BITS)
    view.recycled = position.recycled - position.own_draws[seat]
    view.dealer = position.dealer
    copy_field(view.known, position.known)
    copy_field(view.marks, position.marks)
    if position.match != 0:
        copy_field(view.wins, position.wins)


@inlined
def show_new_hand(position, views, rules):
    """The same for all seats after a deal, when nobody knows anything."""
    for seat in range(np.uint64(position.players)):
        scalar()
        view = views[seat]
        view.recycled = ZERO
        for other in range(MAX_SEATS):
            view.known[other] = ZERO
            view.marks[other] = ZERO
    if position.match != 0:
        for seat in range(np.uint64(position.players)):
            show_history(position, views[seat], seat, rules)


@kernel
def write_view(position, view, seat, rules):
    """Write the whole view of a seat from a position at rest."""
    seat = np.uint64(seat)
    introduce(view, rules, position.match)
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
    rare()
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
    rare()
    view = views[np.uint64(seat)]
    write_view(position, view, seat, rules)
    view.legal = ZERO
    view.random_used = kind
    status[hot.ASKED] = seat
    answer = decide(deciders[np.uint64(SHOW * MAX_SEATS + seat)], view)
    status[hot.ANSWER] = answer
    return answer


@kernel
def shown_falsely(position, views, seat, log):
    """A wrong show has no penalty (TYD-12): the table knows the hand, play continues (TYD-A7)."""
    rare()
    position.known[np.uint64(seat)] = position.hands[np.uint64(seat)]
    push_known(views, position.players, seat, position.hands[np.uint64(seat)])
    if log is not None:
        append(log, events.SHOW, seat, position.cards[np.uint64(seat)], 0)


@inlined
def win(position, seat, log):
    """End the hand: one seat shows a full house (TYD-10)."""
    if log is not None:
        append(log, events.SHOW, seat, position.cards[np.uint64(seat)], 1)
    position.shares[np.uint64(seat)] = WHOLE
    position.phase = OVER


@kernel
def win_at_deal(position, seats, rules, keys, log):
    """End the hand: the seats in the bit set ``seats`` show dealt full houses at the same moment (TYD-11, TYD-A6)."""
    rare()
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
    rare()
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
    rare()
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
    rare()
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
    position.word = new_stream(position, open_stream(keys[0], keys[1], position.unit, sub, PURPOSE_CARDS))
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


@inlined
def next_loud(turn, players, rules):
    """The first turn from this one on before which something besides a draw may happen: see start_turn()."""
    return turn if rules.show_dealt == SHOW_OWN_TURN and turn < players else np.uint64(rules.max_turns)


@kernel
def start_turn(position, views, deciders, rules, keys, status, log):
    """What may end a hand before a draw: too many turns, or a dealt full house (TYD-A3). As open_hand()."""
    rare()
    if position.turn >= rules.max_turns:
        position.void = 1  # nothing in the rules bounds a hand (TYD-A11)
        position.phase = OVER
        if log is not None:
            append(log, events.VOID, 0, position.turn, 0)
        return FINISHED
    return open_turn(position, views, deciders, rules, keys, status, log)


@kernel
def ready_stock(position, views, rules, keys, log):
    """Make the stock fit for a draw: there must be a card, and a random word that is not one too many for it."""
    rare()
    if position.left == 0:
        # Only now, when somebody wants the stock, is the pile shuffled (TYD-13, TYD-14).
        recycle(position, views, keys, np.int64(rules.reshuffle == RESHUFFLE_KEEP_TOP), log)
    position.word = ready_word(position, position.word, np.uint64(position.left))


@kernel
def shows(position, views, deciders, rules, keys, status, log):
    """Whether the seat in turn shows a full house, under rules that do not settle it at once. Returns 0, 1 or ILLEGAL."""
    rare()
    seat = position.seat
    full = full_house(position.hands[np.uint64(seat)])
    if rules.auto_show != 0:
        return np.int64(full and notices(position, rules, keys))
    answer = ask_show(position, views, deciders, rules, status, seat, RANDOM_SHOW)
    if answer != 0 and answer != 1:
        return ILLEGAL
    if answer == 1 and not full:
        shown_falsely(position, views, seat, log)
        return 0
    return answer


@kernel
def any_full_house(position):
    """Whether somebody was dealt a full house; one hand in 175 is one."""
    for seat in range(np.uint64(position.players)):
        if full_house(position.hands[seat]):
            return True
    return False


@inlined
def show_for_draw(view, hand, pile_counts, top, turn):
    """Write what changes in a view until its seat is asked for a draw."""
    view.random_used = RANDOM_DRAW
    view.legal = ZERO
    view.drawn = NO_RANK
    view.taken = NO_RANK
    view.hand = hand
    view.turn = np.int64(turn)
    show_pile(view, pile_counts, top)


@inlined
def show_for_discard(view, hand, legal):
    """Write what every draw changes in a view."""
    view.hand = hand
    view.legal = legal
    view.random_used = RANDOM_DISCARD


@inlined
def show_pile(view, pile_counts, top):
    """Write what is to be seen of the pile."""
    view.pile_counts = pile_counts
    view.top = np.int64(top)


@inlined
def store_table(position, seat, turn, left, piled, top, pile_counts, word):
    """Put the locals of play() that describe the table back into the position."""
    position.seat = np.int64(seat)
    position.turn = np.int64(turn)
    position.left = np.int64(left)
    position.piled = np.int64(piled)
    position.top = np.int64(top)
    position.pile_counts = pile_counts
    position.word = word


@kernel
def show_draw(position, views, rules, status):
    """Resumed between a draw and a discard: write the view that knows of the draw."""
    rare()
    seat = np.uint64(position.seat)
    view = views[seat]
    write_view(position, view, seat, rules)
    status[hot.ASKED] = position.seat


@inlined
def next_card(position, word, left):
    """The card that a draw from the stock will bring, if there is one and the word is not one too many."""
    return np.uint64(position.stock[mul_high(position.words[word], left)])


@kernel
def take_up(position, views, deciders, rules, keys, status, log):
    """What comes before the next draw or discard of a hand that is not quite new, or whose deal may end it. As open_hand()."""
    rare()
    if position.phase == OPENING:
        code = open_hand(position, views, deciders, rules, keys, status, log)
        if code != PAUSED:
            return code
    if position.phase == OVER:
        return FINISHED
    if position.phase == DISCARDING:
        show_draw(position, views, rules, status)
    for seat in range(np.uint64(position.players)):
        show_history(position, views[seat], seat, rules)
    return PAUSED


@inlined
def play(position, views, deciders, rules, keys, status, log, budget):
    """Play a hand on from wherever the position stands, to its end.

    Parameters
    ----------
    position, views, rules : records
    deciders : addresses of the seated decisions, ``kind * MAX_SEATS + seat``
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
    if log is None and rules.usual != 0 and position.phase == OPENING and not any_full_house(position):
        position.phase = DRAWING
        show_new_hand(position, views, rules)
        return play_turns(position, views, deciders, rules, keys, status, None, 0, None)
    code = take_up(position, views, deciders, rules, keys, status, log)
    if code != PAUSED:
        return code
    return play_any(position, views, deciders, rules, keys, status, log, budget)


@kernel
def play_any(position, views, deciders, rules, keys, status, log, budget):
    """Play a hand on under any rules, from any phase, and with a log if wanted; the views know what stood before. Returns as play()."""
    apart()
    return play_turns(position, views, deciders, rules, keys, status, log, budget, 1)


@inlined
def play_turns(position, views, deciders, rules, keys, status, log, budget, unusual):
    """Play turn after turn to the end of the hand, or until the budget is spent. Returns as play().

    Parameters
    ----------
    unusual : None or int
        None when a hand is played from its first draw without a log, and nothing but a draw begins a turn nor anything but a show ends
        it; what else there may be is then left out when this is compiled.
    """
    # What changes every turn lives in locals; what seldom matters is read from the records when it does.
    players = np.uint64(position.players)
    seat = np.uint64(position.seat)
    taken_up = position.phase
    midway = taken_up != DRAWING  # the hand goes on in the middle of a turn
    turn = np.uint64(position.turn)
    left = np.uint64(position.left)
    top = np.uint64(position.top)
    pile_counts = position.pile_counts
    word = resume(position)
    hand = position.hands[seat]
    legal = legal_discards(hand, np.uint64(position.taken), rules)
    coming = next_card(position, word, left)
    # Between turns the cards on the table are always as many, so the stock tells how many lie in the pile.
    table = left + np.uint64(position.piled) + np.uint64(taken_up == DISCARDING)
    loud = next_loud(turn, players, rules)
    shown_at_once = rules.auto_show != 0 and rules.notice_prob >= 1.0
    eager = rules.reshuffle == RESHUFFLE_EAGER_ALL
    stock = position.stock
    pile = position.pile
    hands = position.hands
    steps = 0
    code = FINISHED

    while True:
        view = views[seat]
        if unusual is None or not midway:
            if turn == loud:
                store_table(position, seat, turn, left, table - left, top, pile_counts, word)
                code = start_turn(position, views, deciders, rules, keys, status, log)
                if code != PAUSED:
                    phase = OVER if code == FINISHED else DRAWING
                    break
                code = FINISHED
                loud = next_loud(turn + ONE, players, rules)
            hand = hands[seat]
            status[hot.ASKED] = seat
            show_for_draw(view, hand, pile_counts, top, turn)
            answer, fault, exception = ask(deciders[np.uint64(DRAW * MAX_SEATS) + seat], view)
            if answer == PILE and top != NONE:
                bit = rank_bit(top)
                hand += bit
                legal = legal_discards(hand, top, rules)
                known = position.known[seat] + bit
                position.known[seat] = known
                push_known(views, players, seat, known)
                view.drawn = view.taken = np.int64(top)
                if log is not None:
                    position.drawn = position.taken = np.int64(top)
                    card = np.uint64(pile[table - left - ONE])
                    position.cards[seat] |= ONE << card
                    append(log, events.TAKE, np.int64(seat), np.int64(card), 0)
                pile_counts -= bit
                top = np.uint64(pile[table - left - TWO]) >> TWO if table - left > ONE else NONE
                show_pile(view, pile_counts, top)
            elif answer == STOCK:
                if top != NONE:
                    marks = position.marks[seat] | TWO << (top << TWO)
                    position.marks[seat] = marks
                    view.marks[seat] = marks
                j, low = mul_wide(position.words[word], left)
                if low < left or left == ZERO:  # the words made ahead end with one too many
                    store_table(position, seat, turn, left, table - left, top, pile_counts, word)
                    ready_stock(position, views, rules, keys, log)
                    left, top, word = np.uint64(position.left), np.uint64(position.top), position.word
                    pile_counts = position.pile_counts
                    show_pile(view, pile_counts, top)
                    j = mul_high(position.words[word], left)
                    coming = np.uint64(stock[j])
                card = coming
                word += STEP
                left -= ONE
                stock[j] = stock[left]
                coming = next_card(position, word, left)
                bit = ONE << (card & RANK_MASK)
                hand += bit
                legal = at_least_1(hand)
                view.drawn = np.int64(card >> TWO)
                if position.epoch != 0:
                    position.own_draws[seat] += bit
                    view.recycled = position.recycled - position.own_draws[seat]
                if log is not None:
                    position.drawn = np.int64(card >> TWO)
                    position.taken = NO_RANK
                    position.cards[seat] |= ONE << card
                    append(log, events.STOCK, np.int64(seat), np.int64(card), 0)
            else:
                raise_fault(fault, exception)
                status[hot.ANSWER] = answer
                phase = DRAWING
                code = ILLEGAL
                break
            if log is not None:
                hands[seat] = hand
                steps += 1
                if steps == budget:
                    phase = DISCARDING
                    code = PAUSED
                    break
        if unusual is None or not midway or taken_up == DISCARDING:
            if log is not None:
                store_table(position, seat, turn, left, table - left - ONE, top, pile_counts, word)
            show_for_discard(view, hand, legal)
            answer, fault, exception = ask(deciders[np.uint64(DISCARD * MAX_SEATS) + seat], view)
            rank = np.uint64(answer)
            if rank > np.uint64(12) or (legal >> (rank << TWO)) & ONE == ZERO:
                raise_fault(fault, exception)
                status[hot.ANSWER] = answer
                phase = DISCARDING
                code = ILLEGAL
                break
            bit = rank_bit(rank)
            card = rank << TWO
            if log is not None:
                card = physical_card(position, seat, rank, np.uint64(position.taken))
                position.cards[seat] &= ~(ONE << card)
                append(log, events.DISCARD, np.int64(seat), np.int64(card), 0)
            hand -= bit
            hands[seat] = hand
            pile[table - left - ONE] = np.uint8(card)
            top = rank
            pile_counts += bit
            known = position.known[seat]
            if count_of(known, rank) != ZERO:
                known -= bit
                position.known[seat] = known
                push_known(views, players, seat, known)
            marks = position.marks[seat] | bit
            position.marks[seat] = marks
            push_marks(views, players, seat, marks)
            if log is not None:
                steps += 1
                if steps == budget:
                    phase = SHOWING
                    code = PAUSED
                    break
        midway = False
        # Showing: the hand of five (TYD-9, TYD-10).
        shown = full_house(hand)
        if unusual is not None and not shown_at_once:
            store_table(position, seat, turn, left, table - left, top, pile_counts, word)
            position.drawn = position.taken = NO_RANK
            answer = shows(position, views, deciders, rules, keys, status, log)
            if answer == ILLEGAL:
                phase = SHOWING
                code = ILLEGAL
                break
            shown = answer == 1
        turn += ONE
        if shown:
            win(position, seat, log)
            phase = OVER
            break
        if unusual is not None and left == ZERO and eager:
            store_table(position, seat, turn, left, table - left, top, pile_counts, word)
            recycle(position, views, keys, 0, log)
            left, top, word = np.uint64(position.left), np.uint64(position.top), position.word
            pile_counts = position.pile_counts
            coming = next_card(position, word, left)
        seat += ONE
        if seat == players:
            seat = ZERO
        if log is not None:
            steps += 1
            if steps == budget:
                phase = DRAWING
                code = PAUSED
                break

    store_table(position, seat, turn, left, table - left - np.uint64(phase == DISCARDING), top, pile_counts, word)
    position.phase = phase
    if phase != DISCARDING:
        position.drawn = position.taken = NO_RANK
    if phase != OVER:
        rest(position, word)
    return code


@inlined
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
    rare()
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


@inlined
def record(position, rules, out, at, width):
    """Write the outcome columns of a finished unit, in the order of the measures in the game's description."""
    at, width = np.uint64(at), np.uint64(width)
    if position.match == 0:
        record_hand(position, rules, out, at, width)
    else:
        record_match(position, rules, out, at, width)


@inlined
def record_hand(position, rules, out, at, width):
    """Outcome of a single hand: won shares, marbles (over 840; a void hand returns the stakes), then the table's columns."""
    players = np.uint64(position.players)
    finished = ONE - np.uint64(position.void)
    lost = np.int64(finished) * rules.stake * WHOLE
    pot = rules.stake * np.int64(players)
    for seat in range(players):
        scalar()
        share = position.shares[seat]
        out[seat * width + at] = share
        out[(players + seat) * width + at] = pot * share - lost
    to = (players + players) * width + at
    to = put(out, to, width, np.int64(finished) * position.turn)
    to = put(out, to, width, np.int64(finished))
    to = put(out, to, width, position.void)
    to = put(out, to, width, position.dealt_win)
    to = put(out, to, width, position.epoch)
    put(out, to, width, 1)


@kernel
def record_match(position, rules, out, at, width):
    """Outcome of a match: match shares, hands won (over 840), marbles, then the table's columns.

    The match goes to whoever has the most won hands, if that is enough; several may get there at once by a shared hand.
    """
    rare()
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
        to = seat * width + at
        to = put(out, to, players * width, WHOLE // leaders if won and position.wins[seat] == best else 0)
        to = put(out, to, players * width, position.wins[seat])
        put(out, to, players * width, position.marbles[seat])
    to = players * THREE * width + at
    to = put(out, to, width, position.unit_turns)
    to = put(out, to, width, position.unit_finished)
    to = put(out, to, width, position.unit_voids)
    to = put(out, to, width, position.unit_dealt_wins)
    to = put(out, to, width, position.unit_reshuffles)
    put(out, to, width, position.hand)
