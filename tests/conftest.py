"""What all tests stand on."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import yardstick

# Whoever starts the tests in the background may have told them to ignore Ctrl-C, and every process they start would do the same; some
# tests send Ctrl-C and expect it to be heard.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def c_program(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Compiles the plain C program that a game's core is measured against."""

    def build(game: str) -> Path:
        stick = next(stick for stick in yardstick.YARDSTICKS if stick.game == game)
        program = stick.build(tmp_path_factory.mktemp("yardstick"))
        if program is None:
            pytest.skip("no gcc here")
        return program

    return build
