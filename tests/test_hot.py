"""The hot state of a table: where its parts lie, and decisions in two parts."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
import numpy as np
import pytest

from sim import hot
from sim.answers import FAULT, NOT_SHORT, in_parts
from sim.decide import COMPILED, address, ask, raise_fault
from sim.game import Game, all_games
from sim.jit import kernel
from sim.view import MAX_SEATS, records, view_dtype

GAMES = list(all_games().values())
VIEW = view_dtype([("hand", "u8"), ("asked", "i8")])
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
compiled_only = pytest.mark.skipif(not COMPILED, reason="about machine code")


@kernel
def mark(positions, views, deciders, status, rules):
    """Write something at the end of each part, found from the position alone."""
    hot.views_behind(positions, views, views)[MAX_SEATS - 1].seat = 7
    hot.deciders_behind(positions, views, deciders)[hot.SLOTS - 1] = np.uint64(8)
    hot.status_behind(positions, views, status)[hot.STATUS_WORDS - 1] = 9
    hot.rules_behind(positions, views, rules)[0].players = 3


@every_game
@compiled_only
def test_the_parts_of_a_block_lie_where_kernels_look_for_them(game: Game) -> None:
    rules = game.make_rules({"players": 2} if game.name == "tres-y-dos" else {}).to_record()
    block = hot.lay_out(game.position_dtype, game.view_dtype, rules)
    assert block.rules.tobytes() == rules.tobytes()
    for part in block:
        assert part.size == 1 or not part.view(np.uint8).any()
    mark(*block)
    assert block.views[MAX_SEATS - 1]["seat"] == 7 and not block.views["seat"][:-1].any()
    assert list(np.flatnonzero(block.deciders)) == [hot.SLOTS - 1]
    assert list(np.flatnonzero(block.status)) == [hot.STATUS_WORDS - 1]
    assert block.rules["players"][0] == 3 and not block.positions.view(np.uint8).any()


@kernel
def short(view):
    """Answers hands below 10 itself."""
    view.asked += 1
    if view.hand == np.uint64(5):
        raise ValueError("five")
    return np.int64(view.hand) if view.hand < np.uint64(10) else np.int64(NOT_SHORT)


@kernel
def long(view):
    """Answers the others."""
    view.asked += 10
    if view.hand == np.uint64(50):
        raise IndexError("fifty")
    return np.int64(view.hand) * 2


@kernel
@in_parts(short, long)
def whole(view):
    """Both."""
    answer = short(view)
    return answer if answer != NOT_SHORT else long(view)


@kernel
def asked(decision, views):
    """What an engine sees of an answer, before and after it looks whether the decision raised."""
    view = views[0]
    answer, code, exception = ask(decision, view)
    if answer == FAULT:
        raise_fault(code, exception)
    return answer


def view_of(hand: int):
    views = records(VIEW, 1)
    views["hand"] = hand
    return views


@pytest.mark.parametrize(("hand", "answer", "count"), [(3, 3, 1), (9, 9, 1), (10, 20, 11), (1000, 2000, 11)])
def test_the_second_part_answers_what_the_first_does_not(hand: int, answer: int, count: int) -> None:
    for decide in (lambda views: whole(views[0]), lambda views: asked(np.uint64(address(whole, VIEW)) if COMPILED else whole, views)):
        views = view_of(hand)
        assert (decide(views), int(views["asked"][0])) == (answer, count)


@pytest.mark.parametrize(("hand", "error", "words"), [(5, ValueError, "five"), (50, IndexError, "fifty")])
def test_what_either_part_raises_arrives(hand: int, error: type[Exception], words: str) -> None:
    decision = np.uint64(address(whole, VIEW)) if COMPILED else whole
    with pytest.raises(error, match=words):
        asked(decision, view_of(hand))
    assert asked(decision, view_of(2)) == 2  # and nothing of it is left behind
