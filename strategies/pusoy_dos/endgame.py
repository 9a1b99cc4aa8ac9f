"""``endgame``: `control` that searches the end of a hand over guesses of who holds what."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np

from sim.bits import ONE, ZERO, lowest_bit, popcount
from sim.games.pusoy_dos.plays import DECK, strength_of
from sim.jit import kernel
from sim.rng import view_below
from sim.strategy import Parameter, Strategy
from sim.view import memory
from strategies.pusoy_dos import control
from strategies.pusoy_dos.control import PARAMETERS
from strategies.pusoy_dos.hand_plays import ALL_PLAYS, PLAYS
from strategies.pusoy_dos.moves import cards_left, may_play
from strategies.pusoy_dos.search import CARD_BITS, GIVEN_UP, LIMIT, MET, MOST_CARDS, SEARCH_END, lay_out, solve_after
from strategies.pusoy_dos.search import CARDS as CARDS_HELD
from strategies.pusoy_dos.unseen import unseen_cards

CARDS, SAMPLES, POSITIONS = np.uint64(12), np.uint64(13), np.uint64(14)
"""Places of the parameters, after those of ``control``."""

HANDS = np.uint64(SEARCH_END)
CHOICES = HANDS + np.uint64(4)
MOST_CHOICES = 128
SCORES = CHOICES + np.uint64(MOST_CHOICES)
WORDS = int(SCORES) + MOST_CHOICES
"""Places in the notes: guessed hands, what may be played, what became of it over all samples."""

WIN = np.uint64(1000)
"""Score of going out first; otherwise a card not left counts one."""


@kernel
def list_choices(view, usual, notes):
    """Write all legal plays, and a pass as 0, into the notes, the usual one first. Returns how many, 0 for too many."""
    notes[CHOICES] = usual
    count = ONE
    for i in range(PLAYS, PLAYS + notes[ALL_PLAYS]):
        play = notes[i] & DECK
        if play != usual and may_play(view, play, strength_of(play, view)):
            if count + ONE == np.uint64(MOST_CHOICES):
                return ZERO
            notes[CHOICES + count] = play
            count += ONE
    if usual != ZERO and view.table != ZERO:
        notes[CHOICES + count] = ZERO
        count += ONE
    return count


@kernel
def guess_hands(view, unseen, notes):
    """Deal the unseen cards out at random, as many to each seat as it holds; what is over lies aside."""
    for seat in range(view.players):
        place = HANDS + np.uint64(seat)
        if seat == view.seat:
            notes[place] = view.hand
            continue
        hand = ZERO
        for _ in range(cards_left(view, seat)):
            rest = unseen
            for _ in range(view_below(view, np.int64(popcount(unseen)))):
                rest &= rest - ONE
            hand |= lowest_bit(rest)
            unseen ^= lowest_bit(rest)
        notes[place] = hand


@kernel
def best_choice(notes, count):
    """Place of the choice with the highest score, the first among equals."""
    best = ZERO
    for i in range(ONE, count):
        if notes[SCORES + i] > notes[SCORES + best]:
            best = np.uint64(i)
    return best


@kernel
def try_choices(view, count, left, notes):
    """Add what each choice comes to in the hands guessed; one that cannot win any more, with ``left`` guesses to come, is left out.

    Returns
    -------
    bool
        False when that takes too many positions.
    """
    seat = np.uint64(view.seat)
    most = notes[SCORES + best_choice(notes, count)]
    for i in range(count):
        if notes[SCORES + i] + (left + ONE) * WIN >= most:
            value = solve_after(view, notes[CHOICES + i])
            if value == GIVEN_UP:
                return False
            won = value >> CARD_BITS == seat
            notes[SCORES + i] += WIN if won else np.uint64(MOST_CARDS) - popcount(value & notes[CARDS_HELD + seat])
    return True


@kernel
def search(view, usual, samples, notes):
    """The choice that does best over guessed hands, the usual one among equals or when not all of them can be searched."""
    count = list_choices(view, usual, notes)
    if count <= ONE:
        return usual
    for i in range(count):
        notes[SCORES + i] = ZERO
    unseen = unseen_cards(view)
    notes[MET] = ZERO
    notes[LIMIT] = np.uint64(view.parameters[POSITIONS])
    for sample in range(samples):
        guess_hands(view, unseen, notes)
        if not lay_out(view, HANDS, notes) or not try_choices(view, count, samples - sample - ONE, notes):
            return usual
    return notes[CHOICES + best_choice(notes, count)]


@kernel
def play(view):
    """What `control` plays, or near the end what is best on average over guesses of the hidden cards."""
    usual = control.play(view)
    total = 0
    for seat in range(view.players):
        total += cards_left(view, seat)
    if total > view.parameters[CARDS] or np.uint64(usual) == view.hand:
        return usual
    return np.int64(search(view, np.uint64(usual), np.uint64(view.parameters[SAMPLES]), memory(view)))


ENDGAME = Strategy(
    game="pusoy-dos",
    name="endgame",
    about="""
    Plays like `control` until few cards are left, then searches the rest of the hand to its end.

    It guesses who holds the unseen cards, again and again, and finds for each guess how every play of its own would end if
    everybody knew all cards and played for himself. It takes the play that goes out first most often. What others might
    have played but did not tells it nothing.
    """,
    decisions={"play": play},
    parameters=PARAMETERS
    | {
        "cards": Parameter(16, 0, MOST_CARDS, "cards left in all hands from which down it searches", whole=True),
        "samples": Parameter(16, 1, 1000, "guesses of the hidden cards", whole=True),
        "positions": Parameter(200_000, 0, 1e9, "positions in a search after which it gives up and plays like control", whole=True),
    },
    source="determinization and exact max^n search of the ends of climbing games",
    memory=WORDS,
)
