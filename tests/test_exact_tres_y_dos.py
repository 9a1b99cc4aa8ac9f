"""Exact results of Tres y Dos against the published values, and against other ways of counting the same things."""

import json
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from analysis.exact import tres_y_dos
from analysis.exact.tres_y_dos import ExpectedDraws

ORACLES: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "tres_y_dos_oracles.json").read_text())
HANDS = comb(52, 5)
Ranks = tuple[tuple[int, int], ...]


def oracle(name: str) -> Fraction:
    entry = ORACLES[f"tyd.{name}"]
    return Fraction(int(entry["num"]), int(entry["den"]))


def oracles(prefix: str) -> dict[str, Fraction]:
    start = f"tyd.{prefix}."
    return {name.removeprefix(start): oracle(name.removeprefix("tyd.")) for name in ORACLES if name.startswith(start)}


def is_full(counts: list[int]) -> bool:
    """Three of one rank and two of another, by looking at every pair of ranks."""
    return any(a >= 3 and b >= 2 for i, a in enumerate(counts) for j, b in enumerate(counts) if i != j)


def shape(counts: list[int]) -> str:
    """The pattern that the counts of all ranks make."""
    return "-".join(str(count) for count in sorted(counts, reverse=True) if count)


def rank_multisets(cards: int) -> list[tuple[list[int], int]]:
    """Every multiset of ranks that four suits allow, as thirteen counts, with the number of hands that show it."""
    result = []
    for ranks in combinations_with_replacement(range(13), cards):
        counts = [ranks.count(rank) for rank in range(13)]
        ways = prod(comb(4, count) for count in counts)
        if ways:
            result.append((counts, ways))
    return result


@pytest.fixture(scope="module")
def five_cards() -> list[tuple[list[int], int]]:
    return rank_multisets(5)


@pytest.fixture(scope="module")
def finite() -> ExpectedDraws:
    return tres_y_dos.solitaire_finite()


@pytest.fixture(scope="module")
def policy_g() -> list[Fraction]:
    return tres_y_dos.policy_g_cdf()


@pytest.fixture(scope="module")
def disjoint() -> npt.NDArray[np.bool_]:
    """Which of the 3,744 full houses, written out card by card, share no card with which."""
    masks = []
    for triple in range(13):
        for pair in range(13):
            if triple != pair:
                for three in combinations(range(4 * triple, 4 * triple + 4), 3):
                    for two in combinations(range(4 * pair, 4 * pair + 4), 2):
                        masks.append(sum(1 << card for card in three + two))
    words = np.array(masks, dtype=np.uint64)
    result: npt.NDArray[np.bool_] = (words[:, None] & words[None, :]) == 0
    return result


# --- TYD-O1: patterns ------------------------------------------------------------------------------------------------


def test_tyd_o1_rank_patterns() -> None:
    patterns = tres_y_dos.rank_patterns()
    expected = oracles("pattern")
    assert {name: chance for name, (_, chance) in patterns.items()} == expected
    assert {name: count for name, (count, _) in patterns.items()} == {
        name: int(ORACLES[f"tyd.pattern.{name}"]["count"]) for name in expected
    }


def test_rank_patterns_agree_with_every_multiset_of_ranks(five_cards: list[tuple[list[int], int]]) -> None:
    counted: dict[str, int] = {}
    for counts, ways in five_cards:
        counted[shape(counts)] = counted.get(shape(counts), 0) + ways
    assert {name: count for name, (count, _) in tres_y_dos.rank_patterns().items()} == counted


def test_rank_patterns_are_all_hands() -> None:
    patterns = tres_y_dos.rank_patterns().values()
    assert sum(count for count, _ in patterns) == HANDS
    assert sum(chance for _, chance in patterns) == 1


# --- TYD-O2: full houses dealt to a table ----------------------------------------------------------------------------


def test_tyd_o2_any_full_house() -> None:
    assert {str(n): tres_y_dos.any_full_house(n) for n in range(1, 8)} == oracles("p_any_fullhouse")


def test_tyd_o2_all_full_house() -> None:
    assert {str(n): tres_y_dos.all_full_house(n) for n in range(1, 8)} == oracles("p_all_fullhouse")


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_tyd_o2_tie_at_deal(n: int) -> None:
    """The published values have twelve significant digits."""
    published = ORACLES[f"tyd.p_tie_at_deal.{n}"]["value"]
    assert f"{float(tres_y_dos.tie_at_deal(n)):.11e}" == f"{float(published):.11e}"


def test_two_players_by_direct_enumeration(disjoint: npt.NDArray[np.bool_]) -> None:
    both = int(disjoint.sum())
    deals = HANDS * comb(47, 5)
    assert tres_y_dos.all_full_house(2) == Fraction(both, deals)
    assert tres_y_dos.any_full_house(2) == Fraction(2 * len(disjoint) * comb(47, 5) - both, deals)
    assert tres_y_dos.tie_at_deal(2) == Fraction(both, deals)


def test_three_players_by_direct_enumeration(disjoint: npt.NDArray[np.bool_]) -> None:
    """All full houses look alike, so the first player's may be fixed; the others are enumerated."""
    compatible = np.flatnonzero(disjoint[0])
    three = len(disjoint) * int(disjoint[np.ix_(compatible, compatible)].sum())
    two = int(disjoint.sum()) * comb(42, 5)
    one = len(disjoint) * comb(47, 5) * comb(42, 5)
    deals = HANDS * comb(47, 5) * comb(42, 5)
    assert tres_y_dos.all_full_house(3) == Fraction(three, deals)
    assert tres_y_dos.any_full_house(3) == Fraction(3 * one - 3 * two + three, deals)
    assert tres_y_dos.tie_at_deal(3) == Fraction(3 * two - 2 * three, deals)


def test_a_single_player_cannot_tie() -> None:
    assert tres_y_dos.tie_at_deal(1) == 0


@pytest.mark.parametrize("n", [0, 8])
@pytest.mark.parametrize("result", [tres_y_dos.any_full_house, tres_y_dos.all_full_house, tres_y_dos.tie_at_deal])
def test_the_number_of_players_is_checked(result: Callable[[int], Fraction], n: int) -> None:
    with pytest.raises(ValueError, match="number of players"):
        result(n)


# --- TYD-O3 and TYD-O4: the first cards ------------------------------------------------------------------------------


def test_tyd_o3_first_six_full_house() -> None:
    assert tres_y_dos.first_six_full_house() == oracle("p_first_six_has_fullhouse")


def test_tyd_o3_completed_by_first_draw() -> None:
    assert tres_y_dos.completed_by_first_draw() == oracle("p_completed_by_first_draw")


def test_six_cards_are_dealt_full_or_completed() -> None:
    dealt = tres_y_dos.rank_patterns()["3-2"][1]
    assert tres_y_dos.first_six_full_house() == dealt + tres_y_dos.completed_by_first_draw()


def test_first_six_agree_with_every_multiset_of_ranks() -> None:
    winning = sum(ways for counts, ways in rank_multisets(6) if is_full(counts))
    assert tres_y_dos.first_six_full_house() == Fraction(winning, comb(52, 6))


def test_tyd_o4_starter_first_turn() -> None:
    assert tres_y_dos.starter_first_turn() == oracle("p_starter_completes_turn1_given_not_dealt_joint")


def test_tyd_o4_starter_first_turn_including_dealt() -> None:
    expected = oracle("p_starter_complete_after_turn1_including_dealt")
    assert tres_y_dos.starter_first_turn(including_dealt=True) == expected


def test_starter_agrees_with_every_hand_up_card_and_stock_card(five_cards: list[tuple[list[int], int]]) -> None:
    ways_to_win = 0
    for counts, ways in five_cards:
        if is_full(counts):
            continue
        completes = [is_full([*counts[:r], counts[r] + 1, *counts[r + 1 :]]) for r in range(13)]
        for up in range(13):
            for top in range(13):
                if completes[up] or completes[top]:
                    ways_to_win += ways * (4 - counts[up]) * (4 - counts[top] - (up == top))
    assert tres_y_dos.starter_first_turn() == Fraction(ways_to_win, HANDS * 47 * 46)


# --- K2-007: known cards gone ----------------------------------------------------------------------------------------


def card(text: str) -> int:
    return 4 * "A23456789TJQK".index(text[0]) + "CDHS".index(text[1])


def test_k2_007_full_house_given_gone() -> None:
    gone = ["3H", "KS", "KH", "KC", "2S"]
    expected = oracle("p_fullhouse_given_gone." + "-".join(gone))
    assert tres_y_dos.full_house_given_gone(card(text) for text in gone) == expected


@pytest.mark.parametrize("gone", [[], [0], [30], [51]])
def test_one_card_gone_changes_nothing(gone: list[int]) -> None:
    """By symmetry any known card has the same effect, and on average a card put aside has none."""
    assert tres_y_dos.full_house_given_gone(gone) == tres_y_dos.rank_patterns()["3-2"][1]


@pytest.mark.parametrize("step", [3, 5, 7])
def test_gone_cards_by_direct_enumeration_of_the_rest(step: int) -> None:
    """Left are the lowest twenty cards but for every step-th one, so that ranks keep from two to four cards."""
    left = {card for card in range(20) if card % step}
    hands = [[c // 4 for c in hand] for hand in combinations(sorted(left), 5)]
    winning = sum(is_full([ranks.count(rank) for rank in range(13)]) for ranks in hands)
    assert winning > 0
    assert tres_y_dos.full_house_given_gone(set(range(52)) - left) == Fraction(winning, len(hands))


@pytest.mark.parametrize(("gone", "message"), [([52], "numbered"), ([-1], "numbered"), ([7, 7], "twice"), (range(48), "only 4 cards")])
def test_gone_cards_are_checked(gone: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tres_y_dos.full_house_given_gone(gone)


# --- TYD-O5: solitaire, infinite deck --------------------------------------------------------------------------------


def test_tyd_o5_solitaire_infinite() -> None:
    result = tres_y_dos.solitaire_infinite()
    expected = oracles("solitaire_infinite_opt_E")
    assert result.overall == expected.pop("overall")
    assert result.by_pattern == {**expected, "3-2": 0}


def test_infinite_solitaire_agrees_with_value_iteration() -> None:
    """Ever longer horizons, rank by rank; each further draw leaves at most a fixed part of the error."""
    hands = {shape([hand.count(rank) for rank in range(13)]) for hand in combinations_with_replacement(range(5), 5)}
    options: dict[str, list[set[str]]] = {hand: [] for hand in hands - {"3-2"}}
    for hand, outcomes in options.items():
        held = [int(count) for count in hand.split("-")]
        for drawn in range(13):
            six = [*held, *[0] * (13 - len(held))]
            six[drawn] += 1
            if not is_full(six):
                outcomes.append({shape([n - (r == gone) for r, n in enumerate(six)]) for gone in range(13) if six[gone]})
    value = dict.fromkeys(options, 0.0)
    for _ in range(400):
        value = {hand: 1 + sum(min(value[rest] for rest in left) for left in options[hand]) / 13 for hand in options}
    exact = tres_y_dos.solitaire_infinite().by_pattern
    assert {**value, "3-2": 0.0} == pytest.approx({hand: float(draws) for hand, draws in exact.items()}, abs=1e-10)


# --- TYD-O6: solitaire, finite deck ----------------------------------------------------------------------------------


def test_tyd_o6_solitaire_finite(finite: ExpectedDraws) -> None:
    expected = oracles("solitaire_finite_opt_E")
    assert finite.overall == expected.pop("overall")
    assert finite.by_pattern == {**expected, "3-2": 0}


@pytest.mark.parametrize(("pattern", "outs"), [("3-1-1", 6), ("2-2-1", 4)])
@pytest.mark.parametrize("ranks", [3, 4, 13])
def test_hands_that_just_wait_follow_the_negative_hypergeometric(finite: ExpectedDraws, pattern: str, outs: int, ranks: int) -> None:
    """Waiting for the first of some outs among the unseen cards takes (unseen + 1) / (outs + 1) draws."""
    result = finite if ranks == 13 else tres_y_dos.solitaire_finite(ranks)
    assert result.by_pattern[pattern] == Fraction(4 * ranks - 5 + 1, outs + 1)


def unseen_cards(state: Ranks) -> int:
    return sum(unseen for _, unseen in state)


def change(state: Ranks, rank: int, held: int, unseen: int) -> Ranks:
    before = state[rank]
    return tuple(sorted((*state[:rank], (before[0] + held, before[1] + unseen), *state[rank + 1 :])))


@pytest.mark.parametrize("ranks", [2, 3, 4, 5])
def test_small_packs_agree_with_plain_recursion(ranks: int) -> None:
    @cache
    def expected(state: Ranks) -> Fraction | float:
        stock = unseen_cards(state)
        if is_full([held for held, _ in state]):
            return Fraction(0)
        if not stock:
            return math.inf
        total: Fraction | float = Fraction(1)
        for rank, (_, unseen) in enumerate(state):
            if unseen:
                total += Fraction(unseen, stock) * after_draw(change(state, rank, 1, -1))
        return total

    @cache
    def after_draw(state: Ranks) -> Fraction | float:
        if is_full([held for held, _ in state]):
            return Fraction(0)
        return min(expected(change(state, rank, -1, 0)) for rank, (held, _) in enumerate(state) if held)

    by_pattern: dict[str, Fraction | float] = {}
    overall: Fraction | float = Fraction(0)
    for hand in combinations_with_replacement(range(ranks), 5):
        counts = [hand.count(rank) for rank in range(ranks)]
        if max(counts) <= 4:
            name = shape(counts)
            by_pattern[name] = expected(tuple(sorted((count, 4 - count) for count in counts)))
            ways = prod(comb(4, count) for count in counts)
            overall += Fraction(ways, comb(4 * ranks, 5)) * by_pattern[name]
    assert tres_y_dos.solitaire_finite(ranks) == (by_pattern, overall)


def test_best_play_leaves_the_tail_that_its_expectation_needs(finite: ExpectedDraws) -> None:
    """E is the sum of P(T > t). After draw 20 there are 27 unseen cards, so at most 26 more terms up to P(T > 20)."""
    survival = [1 - Fraction(chance) for chance in ORACLES["tyd.stock_only_cdf"]["optimal"]]
    first_terms = sum(survival, start=Fraction(0))
    assert first_terms < finite.overall < first_terms + 26 * survival[-1]


@pytest.mark.parametrize("ranks", [1, 14])
def test_the_number_of_ranks_is_checked(ranks: int) -> None:
    with pytest.raises(ValueError, match="ranks"):
        tres_y_dos.solitaire_finite(ranks)


# --- TYD-O7: policy G ------------------------------------------------------------------------------------------------


def test_tyd_o7_policy_g_cdf(policy_g: list[Fraction]) -> None:
    """The published values come from floating-point sums; their fifteenth decimal may be off by one."""
    published = [Fraction(chance) for chance in ORACLES["tyd.stock_only_cdf"]["G"]]
    differences = [abs(exact - chance) for exact, chance in zip(policy_g, published, strict=True)]
    assert max(differences) < Fraction(1, 10**15)


def test_policy_g_starts_with_the_deal_and_the_first_six_cards(policy_g: list[Fraction]) -> None:
    assert policy_g[0] == tres_y_dos.rank_patterns()["3-2"][1]
    assert policy_g[1] == tres_y_dos.first_six_full_house()


def test_policy_g_agrees_with_plain_recursion(policy_g: list[Fraction], five_cards: list[tuple[list[int], int]]) -> None:
    """Three draws, discard by discard, for each pattern of the deal."""

    @cache
    def wins_within(draws: int, state: Ranks) -> Fraction:
        if is_full([held for held, _ in state]):
            return Fraction(1)
        if not draws:
            return Fraction(0)
        total = Fraction(0)
        for rank, (_, unseen) in enumerate(state):
            if unseen:
                total += Fraction(unseen, unseen_cards(state)) * after_draw(draws - 1, change(state, rank, 1, -1))
        return total

    def after_draw(draws: int, state: Ranks) -> Fraction:
        held = [count for count, _ in state]
        if is_full(held):
            return Fraction(1)
        candidates = [r for r in range(13) if held[r] == (1 if 1 in held else 2)]
        chances = [wins_within(draws, change(state, rank, -1, 0)) for rank in candidates]
        return sum(chances, start=Fraction(0)) / len(chances)

    expected = [Fraction(0)] * 4
    for counts, ways in five_cards:
        start = tuple(sorted((count, 4 - count) for count in counts))
        for draws in range(4):
            expected[draws] += Fraction(ways, HANDS) * wins_within(draws, start)
    assert policy_g[:4] == expected


def test_policy_g_is_no_faster_than_best_play(finite: ExpectedDraws, policy_g: list[Fraction]) -> None:
    """Its law over the whole stock rises to at most one and needs more draws than the least expectation."""
    law = tres_y_dos.policy_g_cdf(47)
    assert law[: len(policy_g)] == policy_g
    assert all(earlier < later for earlier, later in pairwise(law))
    assert law[-1] < 1
    assert sum(1 - chance for chance in law[:-1]) > finite.overall


@pytest.mark.parametrize("tmax", [-1, 48])
def test_the_number_of_draws_is_checked(tmax: int) -> None:
    with pytest.raises(ValueError, match="tmax"):
        tres_y_dos.policy_g_cdf(tmax)
