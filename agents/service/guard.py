"""What a server admits from outside: sizes, rates, and how errors are told."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from agents.service.choose import ForbiddenError
from agents.service.engine import code_of
from agents.service.floor import FullError
from agents.service.hosted import StaleError
from agents.service.protocol import ErrorCode, ErrorReply
from fm_env.errors import FmEnvError
from fm_env.replay import MAX_BYTES

MAX_BODY = 65_536
"""Bytes of a request, but for those in `LIMITS`."""
MAX_CHOOSE_BODY = 4_000_000
"""A choice with the record of a whole game fits: the longest of six players seen took 0.8 MB."""
MAX_REPLAY_BODY = MAX_BYTES
"""A file of the longest game fits."""
MAX_CLIENTS = 20_000
"""Clients whose rates are remembered."""

STATUS: dict[ErrorCode, int] = {
    "bad_message": 422,
    "bad_setup": 400,
    "unknown": 404,
    "illegal_action": 409,
    "not_your_turn": 409,
    "stale_version": 409,
    "forbidden": 403,
    "full": 503,
    "too_large": 413,
    "too_many": 429,
    "over": 409,
    "internal": 500,
}
"""HTTP's number for each kind of error."""

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


def error_reply(error: Exception, id: str | int | None = None) -> ErrorReply:
    """An error of ours as a message; the text of others stays here."""
    if isinstance(error, StaleError):
        code: ErrorCode = "stale_version"
    elif isinstance(error, FullError):
        code = "full"
    elif isinstance(error, PermissionError | ForbiddenError):
        code = "forbidden"
    elif isinstance(error, FmEnvError):
        code = code_of(error)
    else:
        return ErrorReply(id=id, code="internal", message="the server made a mistake; its log has more")
    return ErrorReply(id=id, code=code, message=str(error)[:2_000])


class Bucket:
    """Admits `rate` things a second, and `burst` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        """Start full; a rate of 0 admits everything."""
        self.rate, self.burst = rate, burst
        self._left, self._at = burst, time.monotonic()

    def admit(self, cost: float = 1.0) -> bool:
        """Take `cost` if it is there."""
        if self.rate == 0:
            return True
        clock = time.monotonic()
        self._left = min(self.burst, self._left + (clock - self._at) * self.rate)
        self._at = clock
        if self._left < cost:
            return False
        self._left -= cost
        return True


class Buckets:
    """One for each client address."""

    def __init__(self, rate: float, burst: float) -> None:
        """As `Bucket`."""
        self.rate, self.burst = rate, burst
        self._clients: OrderedDict[str, Bucket] = OrderedDict()

    def admit(self, client: str, cost: float = 1.0) -> bool:
        """Whether this client may go on."""
        bucket = self._clients.get(client)
        if bucket is None:
            bucket = self._clients[client] = Bucket(self.rate, self.burst)
            if len(self._clients) > MAX_CLIENTS:
                self._clients.popitem(last=False)
        self._clients.move_to_end(client)
        return bucket.admit(cost)


LIMITS = {"/v1/choose": MAX_CHOOSE_BODY, "/v1/replay": MAX_REPLAY_BODY}
"""Bytes of the requests that may be larger than `MAX_BODY`."""
COSTS = {"/v1/choose": 5.0, "/v1/games": 20.0, "/v1/replay": 40.0}
"""Of a POST, counted in ordinary requests."""

HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (
        b"content-security-policy",
        b"default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline';"
        b" img-src 'self' data: blob:; connect-src 'self' ws: wss:; frame-ancestors 'none'",
    ),
]
"""Sent with every answer but the OpenAPI page, which loads its scripts from elsewhere."""


class Guard:
    """ASGI middleware: refuses bodies that are too large or come too fast, and adds `HEADERS`."""

    def __init__(self, app: Any, buckets: Buckets) -> None:
        """Stand before `app`."""
        self.app, self.buckets = app, buckets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path, post = scope["path"], scope["method"] == "POST"
        client = (scope.get("client") or ("?",))[0]
        if path.startswith("/v1/") and not self.buckets.admit(client, COSTS.get(path, 1.0) if post else 1.0):
            await _refuse(send, "too_many", "too many requests; wait a little")
            return
        limit = LIMITS.get(path, MAX_BODY)
        body = await _body(scope, receive, limit)
        if body is None:
            await _refuse(send, "too_large", f"the body is larger than {limit} bytes")
            return
        await self.app(scope, _replay(body, receive), send if path in ("/docs", "/redoc") else _adding(send))


async def _body(scope: Scope, receive: Receive, limit: int) -> bytes | None:
    """The whole body, None if it is too large."""
    for name, value in scope["headers"]:
        if name == b"content-length" and (not value.isdigit() or int(value) > limit):
            return None
    parts, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            break
        part = message.get("body", b"")
        size += len(part)
        if size > limit:
            return None
        parts.append(part)
        more = message.get("more_body", False)
    return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    sent = False

    async def again() -> MutableMapping[str, Any]:
        nonlocal sent
        if sent:
            return await receive()
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _adding(send: Send) -> Send:
    async def add(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *HEADERS]
        await send(message)

    return add


async def _refuse(send: Send, code: ErrorCode, words: str) -> None:
    body = ErrorReply(code=code, message=words).model_dump_json().encode()
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": STATUS[code], "headers": headers})
    await send({"type": "http.response.body", "body": body})
