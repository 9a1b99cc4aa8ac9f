"""What a seat of Pusoy Dos may know: its hand, the table, everything played so far, how many cards each seat holds (PD-10).

Card sets are masks over strength indices, ``rank_index * 4 + suit_index``, threes low and twos high, suits by ``suit_order``.
"""

import numpy as np

from sim.view import view_dtype

SEATS = 4
"""Most players."""

PLAY = 0
"""The only decision: a play as a mask, 0 for a pass."""

RULES_SEEN = (
    "plain",
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
        ("hand", "u8"),
        ("table", "u8"),  # the play to beat, 0 when leading
        ("strength", "u8"),  # its strength
        ("must", "u8"),  # card that an opening lead must hold, 0 for none
        ("sizes", "i8", (SEATS,)),  # cards each seat started with; what it has left is sizes less the cards played
        ("played", "u8", (SEATS,)),  # cards each seat has played
        ("owner", "i8"),  # who played what is on the table; this seat when leading
        ("active", "i8"),  # bit set of seats that have not passed in this trick
        ("next_seat", "i8"),  # the next seat in turn order that holds cards
        ("top_single", "i8"),  # 1 when a single must be one's highest (PD-A20)
        ("turn", "i8"),  # plays and passes so far
        ("points", "i8", (SEATS,)),  # points so far in this match
        *[(name, "i8") for name in RULES_SEEN],
    ]
)

POSITION = np.dtype(
    [
        # the unit
        ("unit", "u8"),
        ("hand", "i8"),  # number of this hand within its unit
        ("match", "i8"),  # 0 a hand, 1 a match, 2 only the deal
        ("players", "i8"),
        ("last_winner", "i8"),  # of the hand before, -1 for none
        ("points", "i8", (SEATS,)),
        ("charged", "i8", (SEATS,)),  # penalties so far in the match
        ("hands_won", "i8", (SEATS,)),
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
        ("hands", "u8", (SEATS,)),
        ("dealt", "u8", (SEATS,)),
        ("played", "u8", (SEATS,)),
        ("leftover", "u8"),
        ("place", "i8", (SEATS,)),  # 1 for the winner; 0 for who has none
        ("winner", "i8"),
        ("instant", "i8"),
        ("last_play", "u8"),  # the play with which the winner went out
        ("beaten_seat", "i8"),  # whose play it beat, -1 for none
        ("beaten_choice", "i8"),  # whether that seat could have done better (PD-A20)
        ("choice", "i8"),  # the same of whoever owns the table now
        ("debt", "i8", (SEATS,)),  # a seat's own penalty
        ("charge", "i8", (SEATS,)),  # what it is charged
        ("score", "i8", (SEATS,)),
        ("redeals", "i8"),
        ("plays", "i8"),
        ("passes", "i8"),
        ("leads", "i8", (6,)),  # by number of cards
        ("straight_flush", "i8"),
        ("deck", "u1", (52,)),  # room for dealing
    ],
    align=True,
)

# Phases: what happens next.
OPENING, LEADING, ANSWERING, OVER = 0, 1, 2, 3
