"""Pictures and texts of a position."""

from __future__ import annotations

import numpy as np
import pytest

from fm_env import views
from fm_env.errors import SetupError
from fm_env.views.common import text_picture
from tests.views.cases import Case


def test_rendering_changes_nothing(case: Case) -> None:
    game, options = case
    for mode in ("ansi", "rgb_array"):
        env = views.makers(game).raw_env(render_mode=mode, **options)
        env.reset(seed=3)
        before = env.to_json()
        first, second = env.render(), env.render()
        assert env.to_json() == before
        assert np.array_equal(first, second)
        env.close()


def test_human_prints_without_a_display(
    case: Case, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    game, options = case
    env = views.makers(game).raw_env(render_mode="human", **options)
    env.reset(seed=3)
    assert env.table.text() in capsys.readouterr().out
    assert env.render() is None


def test_no_mode_warns_once() -> None:
    env = views.makers("kuhn").raw_env()
    env.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None
    env.render()  # warnings are errors: a second one would fail here


def test_unknown_mode() -> None:
    with pytest.raises(SetupError, match="render_mode: 'video', expected one of None, 'ansi'"):
        views.makers("kuhn").env(render_mode="video")


def test_text_picture_grows_with_its_text() -> None:
    small, large = text_picture("one"), text_picture("many words in a row, many words in a row\n" * 30)
    assert small.shape == (200, 320, 3) and small.dtype == np.uint8
    assert large.shape[0] > 400 and large.shape[1] > 320 - 1
