"""What a seat of Pusoy Dos may know: its hand, the table, everything played so far, how many cards each seat holds (PD-10).

Card sets are masks over strength indices, ``rank_index * 4 + suit_index``, threes low and twos high, suits by ``suit_order``.
"""

from sim.ahead import ahead_fields
from sim.lanes import DEAL_WORDS, LANES
from sim.view import record_dtype, view_dtype

SEATS = 4
"""Most players."""

PLAY = 0
"""The only decision: a play as a mask, 0 for a pass."""

RULES_SEEN = (
    "plain",
    "usual",
    "kinds",
    "suited_kind",
    "sequences",
    "a5_high",
    "flush_order",
    "sf_order",
    "bombs",
    "opening_must_include",
    "pass_lockout",
    "last_card_rule",
    "end",
)
"""Rules that every player knows; a view can be given wherever the functions on plays want ``rules``."""

VIEW = view_dtype(
    [
        ("table", "u8"),  # the play to beat, 0 when leading
        ("strength", "u8"),  # its strength
        ("hand", "u8"),
        ("must", "u8"),  # card that an opening lead must hold, 0 for none
        ("owner", "i8"),  # who played what is on the table; this seat when leading
        ("active", "i8"),  # bit set of seats that have not passed in this trick
        ("top_single", "i8"),  # 1 when a single must be one's highest (PD-A20)
        ("next_seat", "i8"),  # the next seat in turn order that holds cards
        *[(name, "i8") for name in RULES_SEEN],
        ("sizes", "i8", (SEATS,)),  # cards each seat started with; what it has left is sizes less the cards played
        ("played", "u8", (SEATS,)),  # cards each seat has played
        ("points", "i8", (SEATS,)),  # points so far in this match
    ]
)

POSITION = record_dtype(
    [
        # the unit
        ("unit", "u8"),
        ("hand", "i8"),  # number of this hand within its unit
        ("match", "i8"),  # 0 a hand, 1 a match, 2 only the deal
        ("players", "i8"),
        ("last_winner", "i8"),  # of the hand before, -1 for none
        # the hand
        ("phase", "i8"),
        ("seat", "i8"),  # who is asked
        ("owner", "i8"),  # who played what is on the table
        ("opener", "i8"),
        ("turn", "i8"),
        ("active", "i8"),
        ("out", "i8"),  # bit set of seats without cards
        ("finished", "i8"),  # how many they are
        ("table", "u8"),
        ("strength", "u8"),
        ("must", "u8"),
        ("leftover", "u8"),
        ("winner", "i8"),
        ("instant", "i8"),
        ("last_play", "u8"),  # the play with which the winner went out
        ("beaten_seat", "i8"),  # whose play it beat, -1 for none
        ("beaten_choice", "i8"),  # whether that seat could have done better (PD-A20)
        ("choice", "i8"),  # the same of whoever owns the table now
        ("redeals", "i8"),
        ("plays", "i8"),
        ("passes", "i8"),
        ("leads", "u8"),  # eight bits for each number of cards
        ("straight_flush", "i8"),
        ("ring", "u8"),  # players for whom ``after`` is laid out
        ("ahead_size", "u8"),  # cards of a hand in the deals made ahead
        ("ahead_removed", "u8"),  # whether the lowest card was left over in them
        *ahead_fields(DEAL_WORDS),
        ("ahead_hands", "u8", (SEATS * LANES,)),  # hand of seat s in the deal of lane l at s * LANES + l; last, what is left over
        ("hands", "u8", (SEATS,)),
        ("dealt", "u8", (SEATS,)),
        ("sizes", "i8", (SEATS,)),  # cards each seat was dealt
        ("played", "u8", (SEATS,)),
        ("after", "u1", (1 << SEATS << 2,)),  # the next seat in a trick: see usual.lay_ring()
        ("place", "i8", (SEATS,)),  # 1 for the winner; 0 for who has none
        ("debt", "i8", (SEATS,)),  # a seat's own penalty
        ("charge", "i8", (SEATS,)),  # what it is charged
        ("score", "i8", (SEATS,)),
        ("points", "i8", (SEATS,)),
        ("charged", "i8", (SEATS,)),  # penalties so far in the match
        ("hands_won", "i8", (SEATS,)),
    ]
)

# Phases: what happens next.
OPENING, LEADING, ANSWERING, OVER = 0, 1, 2, 3
