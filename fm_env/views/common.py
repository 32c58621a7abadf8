"""What the multi-agent views share: agents' names, spaces, the `wait` action, and pictures."""

from __future__ import annotations

import os
import sys
from typing import Any, Literal

import numpy as np
from gymnasium import logger, spaces

from fm_env.contract import GameSpec
from fm_env.errors import SetupError
from fm_env.records import as_record
from fm_env.views.table import Table, action_number

AgentID = str
ActionMask = np.ndarray
"""int8, 1 = legal."""
IllegalPolicy = Literal["lose", "raise"]

RENDER_MODES = ("ansi", "rgb_array", "human")
RENDER_FPS = 2
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
"""One of these variables is set where a window can be opened under Linux."""


def agent_names(spec: GameSpec) -> list[AgentID]:
    """`player_0`, `player_1`, ... in the order of the seats."""
    return [f"player_{seat}" for seat in range(spec.num_seats)]


def wait_action(spec: GameSpec) -> int:
    """Id of `wait`, one past the game's own actions: all that a seat may do that owes nothing.

    Both multi-agent views have it, so that their spaces are equal and no mask is ever all zero.
    """
    return spec.num_actions


def observation_space(spec: GameSpec, num_actions: int) -> spaces.Dict:
    """`{"observation": f4[F] within [-1, 1], "action_mask": int8[num_actions]}`."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-1.0, 1.0, (spec.observation_size,), np.float32),
            "action_mask": spaces.Box(0, 1, (num_actions,), np.int8),
        }
    )


def global_space(spec: GameSpec) -> spaces.Box:
    """The space of `global_state`."""
    return spaces.Box(-1.0, 1.0, (spec.num_seats * spec.observation_size,), np.float32)


def global_state(table: Table) -> np.ndarray:
    """The observations of all seats in a row, `f4[seats * F]`."""
    return np.concatenate([table.observation(seat) for seat in range(table.spec.num_seats)])


def json_action(action: object) -> int | str:
    """A refused action in a form that infos and JSON can hold."""
    number = action_number(action, 1 << 62)
    return repr(action) if number is None else number


def view_metadata(game: str, **more: Any) -> dict[str, Any]:
    """Metadata of a PettingZoo view."""
    return {"name": f"{game}_v0", "render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS, **more}


def check_choice(field: str, given: object, expected: tuple[object, ...]) -> None:
    """Raise SetupError unless `given` is one of `expected`."""
    if given not in expected:
        raise SetupError(f"{field}: {given!r}, expected one of {', '.join(map(repr, expected))}")


class Renderer:
    """Shows a table in one of the render modes. The window, if any, is never copied or saved."""

    def __init__(self, mode: str | None) -> None:
        """Args: `mode` is None or one of RENDER_MODES."""
        check_choice("render_mode", mode, (None, *RENDER_MODES))
        self.mode = mode
        self._screen: Any = None
        self._no_window = False
        self._warned = False
        self._shown: np.ndarray | None = None
        self._before: np.ndarray | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"mode": self.mode, "shown": self._shown, "before": self._before}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__init__(saved["mode"])  # type: ignore[misc]
        self._shown, self._before = saved["shown"], saved["before"]

    def forget(self) -> None:
        """A new game begins: what was shown of another is of no use."""
        self._shown = self._before = None

    def render(self, table: Table) -> str | np.ndarray | None:
        """Text, picture (`uint8[H, W, 3]`) or None after showing the position; all-seeing."""
        if self.mode is None:
            if not self._warned:
                logger.warn(f"render() does nothing without a render_mode, one of {list(RENDER_MODES)}")
                self._warned = True
            return None
        if self.mode == "ansi":
            return table.text()
        if self.mode == "rgb_array":
            return self._frame(table)
        self._show(table)
        return None

    def close(self) -> None:
        """Close the window, if one is open."""
        if self._screen is not None:
            import pygame

            pygame.display.quit()
            self._screen = None

    def _frame(self, table: Table) -> np.ndarray:
        """A picture with the lines of the last act, in games whose pictures have any: those that tell what
        was done since the frame before that act, until a frame that shows another.
        """
        done = getattr(table.game, "something_done", None)
        if done is None:
            return picture(table)
        now, shown = table.states, self._shown
        if shown is None or shown.tobytes() != now.tobytes():
            if shown is not None and done(as_record(shown, 0), table.record()):
                self._before = shown
            self._shown = now.copy()
        return picture(table, before=None if self._before is None else as_record(self._before, 0))

    def _show(self, table: Table) -> None:
        image = None if self._no_window else self._frame(table)
        if image is None or not self._open(image.shape[1], image.shape[0]):
            print(table.text(), flush=True)
            return
        import pygame

        pygame.event.pump()
        self._screen.blit(pygame.surfarray.make_surface(image.swapaxes(0, 1)), (0, 0))
        pygame.display.flip()

    def _open(self, width: int, height: int) -> bool:
        """Open or resize the window. False: no pygame or no display here, so text must do."""
        if sys.platform == "linux" and not any(os.environ.get(name) for name in DISPLAYS):
            self._no_window = True
            return False
        try:
            import pygame
        except ImportError:
            self._no_window = True
            return False
        if self._screen is None or self._screen.get_size() != (width, height):
            try:
                pygame.display.init()
                self._screen = pygame.display.set_mode((width, height))
            except pygame.error:
                self._no_window = True
                return False
        return True


def picture(table: Table, seat: int | None = None, before: np.record | None = None) -> np.ndarray:
    """The position as `uint8[H, W, 3]`: the game's own picture, or its text in a frame.

    `before` is an earlier position for the lines of what was done since, in games that draw such.
    """
    draw = getattr(table.game, "picture", None)
    if draw is not None:
        since = () if before is None else (before,)
        return np.ascontiguousarray(draw(table.record(), seat, *since), dtype=np.uint8)
    return text_picture(table.text(seat))


def text_picture(text: str) -> np.ndarray:
    """Text in a monospaced block on paper colour, `uint8[H, W, 3]`, at least 320 x 200."""
    from PIL import Image, ImageDraw, ImageFont

    margin, font = 16, ImageFont.load_default(size=14)
    canvas = ImageDraw.Draw(Image.new("RGB", (1, 1)))
    _, _, right, bottom = canvas.multiline_textbbox((0, 0), text, font=font, spacing=6)
    size = (max(320, int(right) + 2 * margin), max(200, int(bottom) + 2 * margin))
    image = Image.new("RGB", size, (250, 246, 236))
    draw = ImageDraw.Draw(image)
    draw.rectangle((4, 4, size[0] - 5, size[1] - 5), outline=(120, 98, 80), width=2)
    draw.multiline_text((margin, margin), text, fill=(44, 38, 34), font=font, spacing=6)
    return np.asarray(image, np.uint8).copy()
