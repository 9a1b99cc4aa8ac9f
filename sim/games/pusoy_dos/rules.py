"""The rules of Pusoy Dos: numbered rules PD-n with every silence of the sources (PD-An) as a named option."""

from dataclasses import dataclass
from typing import Any, ClassVar

from sim.cards import SUITS
from sim.errors import UsageError
from sim.rules import Rules, option

# Places of the choices in an engine's record.
RANK_ORDER, NO_TWO, POKER_NATURAL, POKER_NATURAL_A5_HIGH, BOTH, FULL_WRAP = 0, 1, 2, 3, 4, 5
SUIT_FIRST, RANK_FIRST = 0, 1
SF_RANK_FIRST, SF_SUIT_FIRST = 0, 1
QUADS_FIVE_CARD, QUADS_NOT_PLAYABLE, QUADS_FOUR_CARD = 0, 1, 2
OPENER_LOWEST_CARD, OPENER_PREVIOUS_WINNER = 0, 1
OPENING_PLAY, OPENING_SINGLE_ONLY, OPENING_FREE = 0, 1, 2
DEAL_51, DEAL_39 = 0, 1
LEFTOVER_DEAD, LEFTOVER_TO_LOWEST_HOLDER, LEFTOVER_REMOVE_LOWEST = 0, 1, 2
END_FIRST_OUT, END_PLAY_ON = 0, 1
AFTER_OUT_MUST_BE_BEATEN, AFTER_OUT_IMMEDIATE_CONTROL = 0, 1
SCORING_PENALTY, SCORING_WINNER_ONLY, SCORING_PLACEMENT, SCORING_NONE = 0, 1, 2, 3
TABLE_B2_CLASSIC, TABLE_DOUBLE10, TABLE_GS_8_10_13, TABLE_NEO, TABLE_DOUBLE13, TABLE_FLAT, TABLE_PIPS = range(7)
TWOS_NONE, TWOS_PER_TWO, TWOS_ONCE = 0, 1, 2
SCALE_ABSOLUTE, SCALE_RELATIVE = 0, 1
SETTLE_WINNER_COLLECTS, SETTLE_PAIRWISE = 0, 1
INSTANT_DRAGON, INSTANT_FOUR_TWOS = 1, 2  # bits
LAST_CARD_OFF, LAST_CARD_HIGHEST_SINGLE, LAST_CARD_PAY_ALL = 0, 1, 2

# Kinds of plays. Among plays of one size the higher kind wins (PD-5, PD-A25); up to FOUR the kind is the size.
NO_PLAY, SINGLE, PAIR, TRIPLE, FOUR = 0, 1, 2, 3, 4
TWO_PAIR, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = 5, 6, 7, 8, 9, 10
KINDS = 11

KIND_NAMES = (
    "no play",
    "single",
    "pair",
    "triple",
    "bare four of a kind",
    "two pairs",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
)

_CATEGORIES = ("two_pair", "straight", "flush", "full_house", "quads", "straight_flush")

# First ranks of the sequences (0 = three, 11 = ace, 12 = two), which run on from the two to the three (PD-A1).
_THREE_TO_TEN = tuple(range(8))
_SEQUENCES = {
    "rank_order": (*_THREE_TO_TEN, 8),
    "no_two": _THREE_TO_TEN,
    "poker_natural": (11, 12, *_THREE_TO_TEN),
    "poker_natural_a5_high": (11, 12, *_THREE_TO_TEN),
    "both": (11, 12, *_THREE_TO_TEN, 8),
    "full_wrap": tuple(range(13)),
}

_PLACEMENT = {"auto": (5, 3, 1, 0), "531": (5, 3, 1, 0), "5320": (5, 3, 2, 0)}

# Cards left and the factor that holds from there on; with fewer a card costs 1 (PD-A17).
_PENALTY_STEPS = {
    "b2_classic": ((10, 2), (13, 3)),
    "double10": ((10, 2),),
    "gs_8_10_13": ((8, 2), (10, 3), (13, 4)),
    "neo": ((5, 2), (10, 3)),
    "double13": ((13, 2),),
    "flat": (),
    "pips": (),
}
NEVER = 99
"""Cards left in a penalty step that does not exist."""

PRESETS: dict[str, dict[str, Any]] = {
    "frazz": {"suit_order": "DCHS", "quads": "not_playable", "end": "play_on", "scoring": "none"},
    "daly-city": {"suit_order": "DCHS"},
}
"""Named sets of changes to the default rules (PD-V1, PD-V5)."""


@dataclass(frozen=True)
class PusoyDosRules(Rules):
    """Pusoy Dos: singles, pairs, triples and five-card hands, the first to run out wins (PD-1 to PD-12)."""

    game: ClassVar[str] = "pusoy-dos"

    players: int = option(4, "players at the table", "PD-1", low=3, high=4)
    straights: str = option(
        "rank_order",
        "which sequences are straights: 3-7 to J-2; without the two; A-5 to 10-A, the same with 10-A < 2-6 < A-5; "
        "A-5 to J-2; any five ranks in a ring",
        "PD-A1, PD-A2",
        choices=("rank_order", "no_two", "poker_natural", "poker_natural_a5_high", "both", "full_wrap"),
    )
    flush_order: str = option(
        "suit_first",
        "what decides between flushes: the suit, or the ranks from the top down",
        "PD-A3",
        choices=("suit_first", "rank_first"),
    )
    sf_order: str = option(
        "rank_first",
        "what decides between straight flushes: the rank, or the suit",
        "PD-A4",
        choices=("rank_first", "suit_first"),
    )
    triples: bool = option(True, "three of a rank may be played alone", "PD-A6, PD-V3")
    quads: str = option(
        "five_card",
        "four of a kind: a five-card hand with a kicker, not playable, or a play of four cards",
        "PD-A7, PD-V5",
        choices=("five_card", "not_playable", "four_card"),
    )
    bombs: bool = option(False, "four of a kind with a kicker and straight flushes also beat a single two", "PD-A7")
    opener: str = option(
        "lowest_card",
        "who opens the later hands of a match: the holder of the lowest card, or the last winner",
        "PD-8, PD-A8",
        choices=("lowest_card", "previous_winner"),
    )
    opening_must_include: str = option(
        "play",
        "the lowest card must be in the opening play, must be played alone, or need not be played",
        "PD-8, PD-A9, PD-A13",
        choices=("play", "single_only", "free"),
    )
    pass_lockout: bool = option(True, "who has passed is out until the next trick", "PD-9, PD-A10")
    suit_order: str = option("CSHD", "suits from low to high: a permutation of C, D, H, S", "PD-1, PD-A11, PD-V1", free=True)
    deal3: str = option("51", "cards dealt to three players: 17 or 13 each", "PD-2, PD-A12", choices=("51", "39"))
    leftover: str = option(
        "dead",
        "what three players leave over: out of play, given to who holds the lowest card, or the lowest taken out first",
        "PD-A12",
        choices=("dead", "to_lowest_holder", "remove_lowest"),
    )
    direction: str = option("cw", "direction of play; relabels the seats only", "PD-V4, PD-A14", choices=("cw", "ccw"), relabels=True)
    end: str = option(
        "first_out",
        "a hand ends when the first player has run out, or when only one still holds cards",
        "PD-11",
        choices=("first_out", "play_on"),
    )
    after_out: str = option(
        "must_be_beaten",
        "when a player has run out and play goes on: his last play may be beaten, or the next player leads at once",
        "PD-A15",
        choices=("must_be_beaten", "immediate_control"),
    )
    scoring: str = option(
        "penalty",
        "points for cards left, one for the winner, points by place, or none",
        "PD-12",
        choices=("penalty", "winner_only", "placement", "none"),
    )
    placement: str = option(
        "auto",
        "points by place: 5-3-1-0 for four and 5-3-0 for three; 5-3-1 with a point for the last of three; 5-3-2-0",
        "PD-12, PD-A16",
        choices=("auto", "531", "5320"),
    )
    penalty_table: str = option(
        "b2_classic",
        "penalty for c cards left: 2c from 10, 3c from 13; 2c from 10; 2c from 8, 3c from 10, 4c from 13; "
        "2c from 5, 3c from 10; 2c from 13; c; face values",
        "PD-A17",
        choices=("b2_classic", "double10", "gs_8_10_13", "neo", "double13", "flat", "pips"),
    )
    two_mult: str = option("none", "penalty doubled for each two left, or once for any", "PD-A17", choices=("none", "per_two", "once"))
    penalty_scale: str = option(
        "absolute",
        "steps of the penalty table: as they are, or in proportion to the cards dealt (of 13, rounded up)",
        "PD-A17",
        choices=("absolute", "relative"),
    )
    settle: str = option(
        "winner_collects",
        "who gets the penalties: the winner, or everybody from everybody who has more",
        "PD-A17",
        choices=("winner_collects", "pairwise"),
    )
    match_deals: int = option(10, "hands in a match", "PD-A17", low=1, high=65_000)
    match_target: int | None = option(
        None,
        "penalty points that end a match (instead of a number of hands)",
        "PD-A17",
        low=1,
        high=1_000_000,
        optional=True,
    )
    win_bonus_twos: bool = option(False, "the winner's point of winner_only is doubled for each two in the play he goes out with", "PD-A18")
    instant_win: tuple[str, ...] = option(
        (),
        "dealt hands that win at once: cards of all thirteen ranks, all four twos",
        "PD-A19",
        choices=("dragon", "four_twos"),
        many=True,
    )
    redeal_four_twos: bool = option(False, "the cards are dealt again when a hand has all four twos", "PD-V2, PD-A19")
    last_card_rule: str = option(
        "off",
        "when the next player holds one card: no rule, a single must be one's highest, who lets him out pays for all",
        "PD-A20",
        choices=("off", "highest_single", "pay_all"),
    )
    categories: tuple[str, ...] = option(
        ("straight", "flush", "full_house", "quads", "straight_flush"),
        "five-card hands that may be played",
        "PD-5, PD-A25",
        choices=_CATEGORIES,
        many=True,
    )

    def check(self) -> None:
        """Refuse combinations that the rules do not define.

        Raises
        ------
        UsageError
            For a suit order that is no permutation of the suits, placement points without playing on or for four places
            among three players (PD-12, PD-A16), thirteen left-over cards for one holder (PD-A12), a penalty target
            without penalties (PD-A17).
        """
        if sorted(self.suit_order) != sorted(SUITS):
            raise UsageError(f"rule suit_order: '{self.suit_order}' is no permutation of C, D, H, S (low to high, as in CSHD)")
        if self.scoring == "placement" and self.end != "play_on":
            raise UsageError("rule scoring: placement needs end=play_on, or only the winner has a place")
        if self.placement == "5320" and self.players == 3:
            raise UsageError("rule placement: 5320 has four places; with players=3 use auto or 531")
        if self.players == 3 and self.deal3 == "39" and self.leftover == "to_lowest_holder":
            raise UsageError("rule leftover: with deal3=39 thirteen cards are left over; to_lowest_holder needs deal3=51")
        if self.match_target is not None and self.scoring != "penalty":
            raise UsageError("rule match_target: it counts penalty points, so it needs scoring=penalty")

    def place_points(self) -> tuple[int, ...]:
        """Points by finishing place, one per player (PD-12, PD-A16)."""
        if self.placement == "auto" and self.players == 3:
            return (5, 3, 0)
        return _PLACEMENT[self.placement][: self.players]

    def extra_record(self) -> dict[str, int]:
        """What an engine reads besides the options themselves.

        Returns
        -------
        dict of str to int
            ``plain`` is 1 when the plays are those of the default rules, ``usual`` when besides tricks are played as under them.
            ``steady`` is 1 when sizes of hands and turn order are the same in all hands. ``kinds`` has bit k set when plays of kind k
            exist; ``suited_kind`` is what a suited straight counts as (PD-A25). ``sequences`` has bit 4 * rank set when
            a straight may begin there, ``a5_high`` is 1 when A-5 and 2-6 are the highest. ``suit_at`` and
            ``suit_places`` (two bits an item) turn a suit's place into the suit and back. ``hand_size`` is how many
            cards each is dealt. ``place_n`` are the points of place n, ``step_n`` and ``factor_n`` the penalty table
            (``NEVER`` for a step that does not exist).
        """
        extra = {
            "plain": int(self._plain()),
            "usual": int(self._usual()),
            "steady": int(self.end != "play_on" and self.leftover != "to_lowest_holder"),
            "kinds": sum(1 << kind for kind in self._kinds()),
            "suited_kind": next((kind for kind in (STRAIGHT_FLUSH, FLUSH, STRAIGHT) if kind in self._kinds()), NO_PLAY),
            "sequences": sum(1 << 4 * rank for rank in _SEQUENCES[self.straights]),
            "a5_high": int(self.straights == "poker_natural_a5_high"),
            "suit_at": sum(SUITS.index(suit) << 2 * place for place, suit in enumerate(self.suit_order)),
            "suit_places": sum(self.suit_order.index(suit) << 2 * number for number, suit in enumerate(SUITS)),
            "hand_size": 17 if self.players == 3 and self.deal3 == "51" else 13,
        }
        points = (*self.place_points(), 0)
        steps = (*_PENALTY_STEPS[self.penalty_table], *[(NEVER, 1)] * 3)
        for place in range(4):
            extra[f"place_{place + 1}"] = points[place]
        for step in range(3):
            extra[f"step_{step + 1}"], extra[f"factor_{step + 1}"] = steps[step]
        return extra

    def _kinds(self) -> set[int]:
        """The kinds of plays that exist under these rules (PD-3, PD-A6, PD-A7, PD-A25)."""
        kinds = {SINGLE, PAIR} | {TWO_PAIR + _CATEGORIES.index(name) for name in self.categories}
        if self.triples:
            kinds.add(TRIPLE)
        if self.quads == "four_card":
            kinds.add(FOUR)
        if self.quads != "five_card":
            kinds.discard(QUADS)
        return kinds

    def _plain(self) -> bool:
        """Whether the same cards are plays, and beat the same plays, as under the default rules (suit order aside)."""
        defaults = self.defaults()
        deciding = ("straights", "flush_order", "sf_order", "triples", "quads", "categories")
        return all(getattr(self, name) == defaults[name] for name in deciding)

    def _usual(self) -> bool:
        """Whether besides who passes waits for the next trick, the first to go out wins, and no play beats one of another size."""
        defaults = self.defaults()
        return self._plain() and all(getattr(self, name) == defaults[name] for name in ("bombs", "pass_lockout", "last_card_rule", "end"))
