"""PettingZoo's own tests, without warnings."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest
from pettingzoo.utils.conversions import parallel_to_aec

from fm_env import views
from tests.views.cases import Case

with warnings.catch_warnings():  # PettingZoo 1.27's tests import one of its games in a way it deprecates
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

NAMED_LIST = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box",
)
"""`api_test` warns of dict observations from any game that isn't in PettingZoo's own list of names."""


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize("maker", ["env", "raw_env"])
def test_api(case: Case, maker: str) -> None:
    game, options = case
    for message in NAMED_LIST:
        warnings.filterwarnings("ignore", message)
    api_test(getattr(views.makers(game), maker)(**options), num_cycles=100)


def test_api_flat(case: Case) -> None:
    game, options = case
    api_test(views.makers(game).env(flat=True, **options), num_cycles=100)


def test_parallel_api(case: Case) -> None:
    game, options = case
    parallel_api_test(views.makers(game).parallel_env(**options), num_cycles=100)


def test_parallel_as_aec(case: Case) -> None:
    game, options = case
    for message in NAMED_LIST:
        warnings.filterwarnings("ignore", message)
    api_test(parallel_to_aec(views.makers(game).parallel_env(**options)), num_cycles=100)


def test_seed(case: Case) -> None:
    game, options = case
    seed_test(lambda: views.makers(game).env(**options), num_cycles=50)
    parallel_seed_test(lambda: views.makers(game).parallel_env(**options), num_cycles=50)


def test_render(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    game, options = case
    render_test(lambda render_mode: views.makers(game).env(render_mode=render_mode, **options))
