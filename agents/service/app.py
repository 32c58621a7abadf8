"""The protocol over HTTP and WebSocket, and the page to play at."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from importlib.metadata import version as package_version
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from agents.service.choose import choose
from agents.service.guard import STATUS, Buckets, Guard, error_reply
from agents.service.hall import Hall
from agents.service.lent import catalog as make_catalog
from agents.service.protocol import ChooseReply, ChooseRequest, ErrorReply, GameRef, Reply, SeatRecord
from agents.service.protocol_hosted import (
    AgentList,
    Catalog,
    Created,
    CreateRequest,
    GameList,
    HintRequest,
    Joined,
    JoinRequest,
    PostedAct,
)
from agents.service.protocol_view import Hint, Record, View
from agents.service.replay_view import ReplayRequest, replay_view
from agents.service.schema import schema
from agents.service.sockets import serve_socket
from fm_env.errors import FmEnvError

WEB = Path(__file__).with_name("web")
PARTS_TEXT = r"^[a-z]+(,[a-z]+)*$"

api = APIRouter(prefix="/v1", responses={"4XX": {"model": ErrorReply}})


def hall_of(request: Request) -> Hall:
    """The hall behind this server."""
    return request.app.state.hall


def token_of(authorization: Annotated[str | None, Header()] = None) -> str | None:
    """The token of `Authorization: Bearer TOKEN`."""
    if authorization is None:
        return None
    kind, _, token = authorization.partition(" ")
    if kind.lower() != "bearer" or not 0 < len(token) <= 100:
        raise PermissionError("authorization: expected Bearer TOKEN")
    return token


HallOf = Annotated[Hall, Depends(hall_of)]
TokenOf = Annotated[str | None, Depends(token_of)]


def answer(message: Reply, status: int = 200) -> Response:
    """A message as a response."""
    return Response(message.model_dump_json(), status, media_type="application/json")


@api.get("/catalog", response_model=Catalog)
async def catalog() -> Response:
    """Games and scenarios that can be hosted."""
    return answer(await asyncio.to_thread(make_catalog))


@api.get("/agents", response_model=AgentList)
async def agents(
    hall: HallOf,
    game: Annotated[str, Query(max_length=64)] = "fairy_meat",
    scenario: Annotated[str | None, Query(max_length=64)] = None,
) -> Response:
    """Agents that play a scenario; levels first, easiest first."""
    setting, offered, hint = await hall.agents(GameRef(game=game, scenario=scenario))
    spec = setting.spec
    return answer(AgentList(game=spec.game, scenario=spec.scenario, agents=offered, hint=hint))


@api.get("/schema")
async def json_schema() -> dict[str, Any]:
    """JSON Schema of every message."""
    return schema()


@api.post("/choose", response_model=ChooseReply)
async def post_choose(message: ChooseRequest, hall: HallOf) -> Response:
    """An agent's action for a position."""
    work = asyncio.to_thread(choose, message, hall.lending)
    return answer(await asyncio.wait_for(work, 4 * hall.limits.agent_seconds))


@api.get("/games", response_model=GameList)
async def games(hall: HallOf) -> Response:
    """Listed games, newest first."""
    return answer(await hall.games())


@api.post("/games", response_model=Created)
async def create(message: CreateRequest, hall: HallOf) -> Response:
    """Set up a game; the answer holds the tokens of the `human` seats."""
    return answer(await hall.create(message))


@api.post("/games/{game_id}/join", response_model=Joined)
async def join(game_id: str, message: JoinRequest, hall: HallOf) -> Response:
    """Take an open seat."""
    return answer(await hall.join(game_id, message))


@api.get("/games/{game_id}", response_model=View)
async def view(
    game_id: str,
    hall: HallOf,
    token: TokenOf,
    since: Annotated[int, Query(ge=0)] = 0,
    parts: Annotated[str | None, Query(max_length=80, pattern=PARTS_TEXT)] = None,
) -> Response:
    """The game as the token's seat sees it, or a spectator; `parts` separated by commas."""
    wanted: Any = None if parts is None else parts.split(",")
    return answer(await hall.view(game_id, token, since, wanted))


@api.post("/games/{game_id}/act", response_model=View)
async def act(game_id: str, message: PostedAct, hall: HallOf, token: TokenOf) -> Response:
    """Choose an action; the answer is the view after quick agents have chosen, too."""
    await hall.act(game_id, token, message.action, message.version)
    return answer(await hall.view(game_id, token, message.since, message.parts))


@api.post("/games/{game_id}/resign", response_model=View)
async def resign(game_id: str, hall: HallOf, token: TokenOf) -> Response:
    """Give up."""
    await hall.resign(game_id, token)
    return answer(await hall.view(game_id, token))


@api.post("/games/{game_id}/hint", response_model=Hint)
async def hint(game_id: str, message: HintRequest, hall: HallOf, token: TokenOf) -> Response:
    """What an agent would do at this seat."""
    return answer(await hall.hint(game_id, token, message))


@api.get("/games/{game_id}/seat-record", response_model=SeatRecord)
async def seat_record(game_id: str, hall: HallOf, token: TokenOf) -> Response:
    """What the token's seat has seen so far, to keep or to send with `choose`."""
    return answer(await hall.seat_record(game_id, token))


@api.get("/games/{game_id}/record", response_model=Record)
async def record(game_id: str, hall: HallOf) -> Response:
    """All of a finished game."""
    return answer(await hall.record(game_id))


@api.post("/replay")
async def replay(message: ReplayRequest, request: Request) -> Response:
    """A replay file step by step, from a seat's eyes or all-seeing, for a viewer."""
    async with request.app.state.watching:  # reading one keeps a core busy for seconds
        film = await asyncio.to_thread(replay_view, json.dumps(message.replay), message.seat)
    return Response(json.dumps(film, separators=(",", ":")), media_type="application/json")


def create_app(hall: Hall, *, rate: float = 20.0, burst: float = 200.0) -> FastAPI:
    """The application.

    Args:
        hall: what it serves; started and closed with the application.
        rate: requests a second that one client address may make in the long run; 0: any number.
        burst: ... and at once.
    """

    @contextlib.asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await hall.start()
        yield
        await hall.close()

    app = FastAPI(title="fm-env", version=package_version("fm-env"), lifespan=lifespan)
    app.state.hall = hall
    app.state.rate, app.state.burst = rate, burst
    app.state.watching = asyncio.Semaphore(1)
    app.include_router(api)
    app.add_api_websocket_route("/v1/games/{game_id}/ws", serve_socket)
    app.add_middleware(Guard, buckets=Buckets(rate, burst))
    for kind in (FmEnvError, PermissionError, TimeoutError):
        app.add_exception_handler(kind, _told)
    app.add_exception_handler(RequestValidationError, _bad_message)
    app.add_exception_handler(HTTPException, _http_error)
    app.mount("/", StaticFiles(directory=WEB, html=True, check_dir=False), name="web")
    return app


async def _told(request: Request, error: Exception) -> Response:
    reply = error_reply(error)
    return answer(reply, STATUS[reply.code])


async def _bad_message(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "body"
    return answer(ErrorReply(code="bad_message", message=f"{where}: {first['msg']}"[:500]), 422)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code: Any = "unknown" if error.status_code == 404 else "bad_message"
    return answer(ErrorReply(code=code, message=str(error.detail)), error.status_code)
