"""Tres y Dos: the Dominican game of draw and discard in which the first full house wins."""

from sim.game import WHOLE, Column, Decision, Game, Measure, Unit
from sim.games.tres_y_dos.rules import TresYDosRules

_WIN = Measure(
    "win_rate",
    "share of the hands won, void ones included",
    "won",
    denominator=WHOLE,
    per_seat=True,
    kind="share",
    digits_unit="points",
    fair=True,
)
_MARBLES = Measure("marbles", "marbles won or lost per hand (TYD-17)", "marbles", denominator=WHOLE, per_seat=True, digits_unit="marbles")
_TABLE = (
    Column("turns"),
    Column("finished"),
    Column("voids"),
    Column("dealt_wins"),
    Column("reshuffles"),
    Column("hands"),
)


def _table_measures(per_hand: str) -> tuple[Measure, ...]:
    return (
        Measure("turns", "turns of the whole table per finished hand", "turns", over="finished", histogram=(0, 100), digits_unit="turns"),
        Measure("void_rate", "share of hands that never end (TYD-A11)", "voids", over=per_hand, kind="share", digits_unit="points"),
        Measure(
            "dealt_win_rate", "share of hands won with the dealt cards", "dealt_wins", over=per_hand, kind="share", digits_unit="points"
        ),
        Measure("reshuffles", "reshuffles per hand, void ones included", "reshuffles", over=per_hand, digits_unit="reshuffles"),
        Measure(
            "first_seat_win_rate",
            "share won by seat 1, left of the dealer of a single hand",
            "won",
            denominator=WHOLE,
            seat=0,
            kind="share",
            digits_unit="points",
            fair=True,
        ),
    )


GAME = Game(
    name="tres-y-dos",
    title="Tres y Dos",
    about=(
        "Everybody holds five cards. A turn is: draw one card from the stock or take the top of the discard pile, then discard one. "
        "The first to show three of one rank and two of another wins the hand."
    ),
    rules=TresYDosRules,
    decisions=(
        Decision("draw", "0: draw from the stock; 1: take the top of the discard pile", "the stock"),
        Decision("discard", "the rank (0 ace … 12 king) of the card to discard", "the lowest rank that may be discarded"),
        Decision("show", "1: show the hand, 0: not; asked only with auto_show=false", "shows every full house"),
    ),
    units=(
        Unit(
            "hand",
            "a single hand; the last seat deals, seat 1 begins",
            (Column("won", True), Column("marbles", True), *_TABLE),
            (_WIN, _MARBLES, *_table_measures("")),
        ),
        Unit(
            "match",
            "hands until somebody has won match_target of them (TYD-16)",
            (Column("won", True), Column("hands_won", True), Column("marbles", True), *_TABLE),
            (
                Measure(
                    "win_rate",
                    "share of the matches won, void ones included",
                    "won",
                    denominator=WHOLE,
                    per_seat=True,
                    kind="share",
                    digits_unit="points",
                    fair=True,
                ),
                Measure("hands_won", "hands won per match", "hands_won", denominator=WHOLE, per_seat=True, digits_unit="hands"),
                Measure("marbles", "marbles won or lost per match", "marbles", denominator=WHOLE, per_seat=True, digits_unit="marbles"),
                Measure("hands", "hands per match", "hands", histogram=(1, 30), digits_unit="hands"),
                *_table_measures("hands"),
            ),
            match=1,
        ),
    ),
    default_strategy="greedy",
    sources=(
        "pagat.com, Tres y Dos (rules as learned by Humbernio Lockward)",
        "cardgames.zone, Tres y Dos in Arabic (match play, marbles, worked example, tips)",
    ),
    module="sim.games.tres_y_dos",
)
