"""The rules of Tres y Dos: numbered rules TYD-n with every silence of the sources (TYD-An) as a named option."""

from dataclasses import dataclass
from typing import ClassVar

from sim.rules import Rules, option

# Places of the choices in an engine's record.
SAME_CARD, SAME_RANK = 0, 1
SHOW_IMMEDIATE, SHOW_OWN_TURN = 0, 1
TIE_TURN_ORDER, TIE_RANDOM, TIE_SPLIT = 0, 1, 2
RESHUFFLE_LAZY_ALL, RESHUFFLE_EAGER_ALL, RESHUFFLE_KEEP_TOP = 0, 1, 2
DEALER_LEFT, DEALER_WINNER, DEALER_RANDOM, DEALER_FIXED = 0, 1, 2, 3
FIRST_DEALER_RANDOM, FIRST_DEALER_LAST_SEAT = 0, 1


@dataclass(frozen=True)
class TresYDosRules(Rules):
    """Tres y Dos: draw one, discard one, the first full house wins (TYD-1 to TYD-17)."""

    game: ClassVar[str] = "tres-y-dos"

    players: int = option(4, "players at the table", "TYD-1", low=2, high=7)
    pickup_discard_rule: str = option(
        "same_card",
        "what may not be discarded after taking the pile's top: that very card, or any card of its rank",
        "TYD-7, TYD-A2",
        choices=("same_card", "same_rank"),
    )
    show_dealt: str = option(
        "immediate",
        "when a dealt full house may be shown: right after the deal, or at the start of one's first turn",
        "TYD-10, TYD-A3",
        choices=("immediate", "own_turn"),
    )
    win_check: str = option(
        "after_discard",
        "when a full house is declared, with five cards or with six; the winner and the turns are the same",
        "TYD-A4",
        choices=("after_discard", "after_draw"),
        relabels=True,
    )
    auto_show: bool = option(True, "a full house is shown as soon as it is noticed; false: the strategy's show decision is asked", "TYD-A5")
    notice_prob: float = option(1.0, "chance of noticing one's own full house at each check (with auto_show only)", "TYD-A5", low=0, high=1)
    tie_rule: str = option(
        "turn_order",
        "who wins when several show at the deal: the first in turn order, one drawn at random, or all share",
        "TYD-11, TYD-A6",
        choices=("turn_order", "random", "split"),
    )
    false_show: str = option(
        "no_penalty", "a wrong show: the hand becomes known, play continues", "TYD-12, TYD-A7", choices=("no_penalty",)
    )
    reshuffle: str = option(
        "lazy_all",
        "an empty stock: the whole pile is shuffled when somebody wants to draw, at once, or all but the top card",
        "TYD-13, TYD-14, TYD-A9",
        choices=("lazy_all", "eager_all", "keep_top"),
    )
    max_turns: int = option(1000, "turns of the whole table after which a hand is void", "TYD-A11", low=1, high=1_000_000)
    dealer_rotation: str = option(
        "left",
        "who deals the next hand of a match: the next player, the winner, a random player, always the same",
        "TYD-A12",
        choices=("left", "winner_deals", "random", "fixed"),
    )
    first_dealer: str = option(
        "random", "who deals the first hand of a match (of a single hand: the last seat)", "TYD-A16", choices=("random", "last_seat")
    )
    match_target: int = option(3, "hands that win a match", "TYD-16, TYD-A13", low=1, high=1000)
    max_hands: int = option(1000, "hands after which a match that nobody has won is void", "TYD-A11", low=1, high=65_000)
    stake: int = option(1, "marbles each player stakes on a hand", "TYD-17, TYD-A14", low=0, high=1_000_000)
    stake_mode: str = option(
        "ante", "marbles: every player stakes, the winner takes all; or none are played for", "TYD-A14", choices=("ante", "none")
    )
    direction: str = option("cw", "direction of play; relabels the seats only", "TYD-5, TYD-A1", choices=("cw", "ccw"), relabels=True)

    def check(self) -> None:
        from sim.errors import UsageError

        if self.notice_prob == 0:
            raise UsageError("rule notice_prob: 0 would mean that nobody ever notices a full house; allowed: above 0, up to 1")
        if self.notice_prob < 1 and not self.auto_show:
            raise UsageError("rule notice_prob: with auto_show=false only the strategy's show decision counts, so notice_prob must be 1")

    def extra_record(self) -> dict[str, int]:
        """What an engine reads besides the options themselves, or in their place.

        Returns
        -------
        dict of str to int
            ``stake`` is 0 where no marbles are played for (TYD-A14). ``usual`` is 1 when a full house is shown as soon as it is held, and
            nothing comes before a draw or after a discard.
        """
        usual = self.auto_show and self.notice_prob == 1 and self.reshuffle != "eager_all" and self.show_dealt != "own_turn"
        return {"stake": 0 if self.stake_mode == "none" else self.stake, "usual": int(usual)}
