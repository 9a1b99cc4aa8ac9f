"""Kinds of events in the log of a hand of Pusoy Dos: (kind, seat, value, extra). Card sets are masks over strength indices."""

HAND = 1  # value = number of the hand in its unit
DEAL = 2  # value = the cards of a seat
LEFTOVER = 3  # value = the cards left over, extra = 1 when the seat takes them
REDEAL = 4  # seat = who had all four twos
INSTANT = 5  # seat wins with the dealt hand, value = the hand
OPEN = 6  # seat opens, value = its lowest card (0 when it opens as last winner)
PLAY = 7  # value = the play, extra = the play that it beats, 0 when it leads a trick
PASS = 8
TRICK = 9  # seat has won the trick: nobody answers its play
OUT = 10  # value = the place
SCORE = 11  # value = points, extra = penalty
