"""A hosted game as one viewer sees it."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.service.hosted import HostedGame
from agents.service.protocol_hosted import PARTS, Part
from agents.service.protocol_view import ActionInfo, EventInfo, View
from agents.service.seats import HostedSeat
from agents.service.setting import Setting, open_options
from fm_env import shown
from fm_env.shown import viewers
from fm_env.shown.viewers import SPECTATOR


def view_of(
    game: HostedGame, viewer: int, clock: float, since: int = 0, parts: tuple[Part, ...] | list[Part] = PARTS
) -> View:
    """The game as a viewer sees it; `clock` is the loop's."""
    running, setting = game.running, game.setting
    spec, state, seat = setting.spec, running.state, None if viewer == SPECTATOR else viewer
    my_turn = viewer in game.owing()
    told = running.told(viewer) if "events" in parts else []
    wants = set(parts)
    return View(
        game_id=game.game_id,
        game=spec.game,
        scenario=spec.scenario,
        options=open_options(setting.scenario),
        rules_version=spec.rules_version,
        observation_version=spec.observation_version,
        seat=seat,
        seats=[_seat_info(game, viewer, other) for other in game.seats],
        seeded=game.seeded,
        status=game.status,
        version=game.version(viewer),
        your_turn=my_turn,
        waiting_for=list(running.waiting[viewer]) if game.status == "running" else [],
        actions=_actions(game, viewer, "words" in wants) if my_turn and "actions" in wants else [],
        clock=None if seat is None else game.seats[seat].clock(game.time.move, clock),
        events=[
            EventInfo(n=since + k, seat=event.seat, words=event.words) for k, event in enumerate(told[since:])
        ],
        next_event=len(told) if "events" in wants else since,
        points=viewers.points(setting.game, state),
        outcome=game.outcome,
        text=viewers.text(setting.game, state, viewer) if "text" in wants else None,
        table=shown.position(setting.game, state, viewer) if "table" in wants else None,
        svg=svg_of(setting, state, viewer) if "svg" in wants else None,
        observation=running.observation(viewer).tolist()
        if "observation" in wants and seat is not None
        else None,
    )


def _seat_info(game: HostedGame, viewer: int, seat: HostedSeat) -> Any:
    """Troubles at other seats are shown as of the viewer's last change: they tell that a seat chose."""
    version = game.version(viewer)
    seen = game.seen.get(viewer)
    if seen is None or seen[0] != version:
        seen = game.seen[viewer] = version, [other.info() for other in game.seats]
    return seat.info() if seat.seat == viewer else seen[1][seat.seat]


def _actions(game: HostedGame, seat: int, words: bool) -> list[ActionInfo]:
    legal = np.flatnonzero(game.running.mask(seat)).tolist()
    setting = game.setting
    if not words:
        return [ActionInfo(id=a, text=setting.texts[a]) for a in legal]
    offered = shown.choices(setting.game, setting.spec, game.running.state, seat, legal)
    return [ActionInfo.model_validate(each) for each in offered]


def svg_of(setting: Setting, state: Any, viewer: int) -> str | None:
    """The whole table as a picture; other positions and spectators have none."""
    if setting.game.name != "fairy_meat" or not setting.spec.scenario.startswith("skirmish"):
        return None
    if viewer == SPECTATOR:
        return None
    from fm_env.games.fairy_meat.picture_table import table_svg

    return table_svg(state, viewer)
