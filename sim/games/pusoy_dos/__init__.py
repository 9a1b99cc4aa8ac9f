"""Pusoy Dos: the Filipino climbing game (Big Two) in which the first to run out of cards wins."""

from sim.game import WHOLE, Column, Decision, Game, Measure, Unit
from sim.games.pusoy_dos.rules import PRESETS, PusoyDosRules


def _share(name: str, help: str, column: str, **more: object) -> Measure:
    return Measure(name, help, column, kind="share", digits_unit="points", **more)  # type: ignore[arg-type]


def _seat(name: str, help: str, unit: str, **more: object) -> Measure:
    return Measure(name, help, name, per_seat=True, digits_unit=unit, **more)  # type: ignore[arg-type]


_WIN = _share("win_rate", "share of the hands won", "won", denominator=WHOLE, per_seat=True, fair=True)

_HAND = Unit(
    "hand",
    "a single hand; the lowest card dealt opens",
    (
        Column("won", True),
        Column("place", True),
        Column("cards_left", True),
        Column("penalty", True),
        Column("points", True),
        Column("won_from_opener", True),
        *(Column(f"leads_{size}") for size in range(1, 6)),
        Column("tricks"),
        Column("plays"),
        Column("passes"),
        Column("length"),
        Column("losers_cards"),
        Column("losers_penalty"),
        Column("losers"),
        Column("straight_flushes"),
        Column("instant_wins"),
        Column("redeals"),
        Column("hands"),
    ),
    (
        _WIN,
        _seat("points", "points of a hand under the scoring in force (PD-12)", "points"),
        _seat("penalty", "a seat's own penalty for the cards it holds at the end (PD-A17)", "points", low_is_good=True),
        _seat("cards_left", "cards a seat holds at the end", "cards", low_is_good=True),
        _seat(
            "place",
            "finishing place; seats that did not finish share the places left",
            "places",
            denominator=2,
            low_is_good=True,
        ),
        _share(
            "win_rate_from_opener",
            "share won by turn order: the first row is whoever opens, the next sits to his left …",
            "won_from_opener",
            denominator=WHOLE,
            per_seat=True,
            chair=False,
            fair=True,
        ),
        Measure("length", "plays and passes of a hand", "length", histogram=(0, 150), digits_unit="turns"),
        Measure("plays", "plays of a hand", "plays", histogram=(0, 60), digits_unit="plays"),
        Measure("passes", "passes of a hand (PD-9a)", "passes", digits_unit="passes"),
        Measure("tricks", "tricks begun in a hand", "tricks", digits_unit="tricks"),
        *(
            _share(
                f"lead_{size}_share", f"share of the tricks led with {size} card{'s' if size > 1 else ''}", f"leads_{size}", over="tricks"
            )
            for size in range(1, 6)
        ),
        Measure("cards_left_per_loser", "cards left, per loser", "losers_cards", over="losers", digits_unit="cards"),
        Measure("penalty_per_loser", "penalty, per loser", "losers_penalty", over="losers", digits_unit="points"),
        _share("straight_flush_rate", "share of the hands in which a straight flush is played", "straight_flushes"),
        _share("instant_win_rate", "share of the hands won with the dealt cards (PD-A19)", "instant_wins"),
        Measure("redeals", "redeals per hand (PD-V2)", "redeals", digits_unit="redeals"),
    ),
)

_MATCH = Unit(
    "match",
    "match_deals hands, or until somebody has match_target penalty points (PD-A17)",
    (Column("won", True), Column("points", True), Column("penalty", True), Column("hands_won", True), Column("hands")),
    (
        _share("win_rate", "share of the matches won", "won", denominator=WHOLE, per_seat=True, fair=True),
        _seat("points", "points of a match under the scoring in force", "points"),
        _seat("penalty", "penalties charged in a match", "points", low_is_good=True),
        _seat("hands_won", "hands won in a match", "hands"),
        Measure("hands", "hands per match", "hands", histogram=(1, 60), digits_unit="hands"),
    ),
    match=1,
)

_DEALT = (
    ("pairs", "pairs as plays", "pairs"),
    ("triples", "triples as plays", "triples"),
    ("quads", "ranks of which all four are held", "ranks"),
    ("any_quads", "hands with four of a kind", ""),
    ("twice", "ranks held exactly twice", "ranks"),
    ("thrice", "ranks held exactly three times", "ranks"),
    ("full_houses", "full houses as plays", "plays"),
    ("five_card_plays", "five-card plays", "plays"),
    ("straight_flush_plays", "straight flushes as plays", "plays"),
    ("any_straight_flush", "hands with a straight flush", ""),
    ("any_sequence", "hands with five ranks in a sequence that is a straight", ""),
    ("longest_suit", "cards of the longest suit", "cards"),
    ("long_suit", "hands with five or more cards of a suit", ""),
    ("split_4432", "hands with suits 4-4-3-2", ""),
    ("split_5332", "hands with suits 5-3-3-2", ""),
    ("dragon", "hands of thirteen different ranks", ""),
    ("lowest_card", "hands that hold the lowest card of the deck", ""),
)

_DEAL = Unit(
    "deal",
    "only the cards dealt, nothing is played (PD-O1 to PD-O4)",
    (
        *(Column(name, True) for name, _, _ in _DEALT),
        Column("four_twos"),
        Column("lowest_dealt"),
        Column("lowest_undealt"),
        Column("redeals"),
        Column("hands"),
    ),
    (
        *(
            Measure(name, text, name, per_seat=True, kind="mean" if unit else "share", digits_unit=unit or "points")
            for name, text, unit in _DEALT
        ),
        _share("four_twos", "deals in which a hand has all four twos", "four_twos"),
        Measure("lowest_dealt", "how many cards are lower than the lowest dealt", "lowest_dealt", histogram=(0, 13), digits_unit="cards"),
        _share("lowest_undealt", "deals in which the lowest card of the deck is not dealt", "lowest_undealt"),
        Measure("redeals", "redeals per deal (PD-V2)", "redeals", digits_unit="redeals"),
    ),
    match=2,
)

GAME = Game(
    name="pusoy-dos",
    title="Pusoy Dos",
    about=(
        "All cards are dealt. Who holds the lowest card leads a single, a pair, a triple or a five-card hand; the others play higher "
        "cards of the same number or pass. The last to play leads again. The first to run out of cards wins."
    ),
    rules=PusoyDosRules,
    decisions=(Decision("play", "the cards to play, as a mask over strength indices; 0 for a pass", "the lowest play that is legal"),),
    units=(_HAND, _MATCH, _DEAL),
    default_strategy="dumper",
    sources=(
        "Wikipedia, Pusoy dos (an older version): suit orders, plays, three players, scoring variants",
        "pagat.com, Big Two: penalty scoring, previous winner opens",
        "rules pages and programs listed with each option",
    ),
    module="sim.games.pusoy_dos",
    presets=PRESETS,
)
