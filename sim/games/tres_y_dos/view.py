"""What a seat of Tres y Dos may know (TYD-4, TYD-15 and TYD-A15: all that was ever face up may be remembered)."""

from sim.ahead import ahead_fields
from sim.view import MAX_SEATS, record_dtype, view_dtype

NO_RANK = 13
"""Stands for 'no rank' in ``top``, ``drawn`` and ``taken``."""

THROWN, REFUSED = 0, 1
"""Places in a rank's four bits of ``marks``: the rank was ever discarded; it was passed over as the pile's top."""

DRAW, DISCARD, SHOW = 0, 1, 2
"""Decisions, in the order of an engine's table."""

STOCK, PILE = 0, 1
"""Answers to the decision ``draw``."""

VIEW = view_dtype(
    [
        # With ``random_used`` before them these three are what is the same before each draw: they are written at one go.
        ("legal", "u8"),  # ranks that may be discarded now, one bit at each rank's place
        ("drawn", "i8"),  # rank just drawn, NO_RANK before the draw
        ("taken", "i8"),  # rank just taken from the pile, NO_RANK otherwise
        ("hand", "u8"),  # own cards, counted ranks; six cards when asked for a discard
        ("pile_counts", "u8"),  # ranks lying in the discard pile (all were seen), its top included
        ("recycled", "u8"),  # ranks that the stock can still hold after a reshuffle; 0 before any reshuffle
        ("top", "i8"),  # rank of the top discard, NO_RANK when there is none
        ("dealer", "i8"),
        ("target", "i8"),  # hands that win the match; 0 when a single hand is played
        ("known", "u8", (MAX_SEATS,)),  # per seat, counted ranks it is known to hold: taken from the pile and kept, or shown
        ("marks", "u8", (MAX_SEATS,)),  # per seat, what it has shown not to want: see thrown() and refused()
        ("wins", "i8", (MAX_SEATS,)),  # per seat, hands won so far in this match, over 840
    ]
)


STOCK_WORDS = 16
"""Random words that are made ahead for the draws from the stock of a hand."""

POSITION = record_dtype(
    [
        # the unit
        ("unit", "u8"),
        ("hand", "i8"),  # number of this hand within its unit
        ("match", "i8"),  # 1 when hands are played until the match is won
        ("players", "i8"),
        ("dealer", "i8"),
        ("unit_turns", "i8"),
        ("unit_finished", "i8"),
        ("unit_voids", "i8"),
        ("unit_dealt_wins", "i8"),
        ("unit_reshuffles", "i8"),
        # the hand
        ("phase", "i8"),
        ("seat", "i8"),  # whose turn it is
        ("turn", "i8"),
        ("top", "i8"),
        ("taken", "i8"),
        ("drawn", "i8"),
        ("left", "i8"),  # cards in the stock
        ("piled", "i8"),  # cards in the pile
        ("epoch", "i8"),  # reshuffles so far
        ("notices", "i8"),  # draws taken from the noticing stream
        ("dealt_win", "i8"),
        ("void", "i8"),
        ("doubtful", "i8"),  # whether the deal used a random word that may be one too many
        ("pile_counts", "u8"),
        ("recycled", "u8"),
        *ahead_fields(5 * MAX_SEATS + 1 + STOCK_WORDS),  # the stream of the deck or of the last reshuffle
        ("hands", "u8", (MAX_SEATS,)),
        ("known", "u8", (MAX_SEATS,)),
        ("marks", "u8", (MAX_SEATS,)),
        ("own_draws", "u8", (MAX_SEATS,)),  # per seat, ranks it drew from the stock since the last reshuffle
        ("cards", "u8", (MAX_SEATS,)),  # the hands as card sets; kept only while a log is written
        ("shares", "i8", (MAX_SEATS,)),
        ("stock", "u1", (52,)),
        ("pile", "u1", (52,)),
        ("wins", "i8", (MAX_SEATS,)),
        ("marbles", "i8", (MAX_SEATS,)),
    ]
)

# Phases: what happens next.
OPENING, DRAWING, DISCARDING, SHOWING, OVER = 0, 1, 2, 3, 4
