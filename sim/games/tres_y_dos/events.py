"""Kinds of events in the log of a hand of Tres y Dos: (kind, seat, value, extra)."""

HAND = 1  # seat = dealer, value = number of the hand in its unit
DEAL = 2  # value = the five cards as a card set
UP = 3  # value = card turned up
STOCK = 4  # value = card drawn from the stock
TAKE = 5  # value = card taken from the pile
DISCARD = 6  # value = card discarded
RESHUFFLE = 7  # seat = who wanted the stock, value = cards shuffled, extra = cards left on the pile
SHOW = 8  # value = the hand as a card set, extra = 1 when it is a full house
WIN = 9  # value = turns played
VOID = 10  # value = turns played
