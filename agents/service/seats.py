"""Who sits at a seat of a hosted game: its token, its clock, what went wrong."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Any, Literal

from agents.service.protocol_view import Clock, SeatInfo, SeatStatus

WORST: tuple[SeatStatus, ...] = (
    "ok",
    "slow",
    "silent",
    "illegal",
    "garbage",
    "crashed",
    "absent",
    "resigned",
)
"""A seat shows the last of these that has happened to it."""
ABSENT_AFTER = 3
"""A person out of time so often in a row is taken for absent: no more waiting for the bank."""


def new_token() -> str:
    """256 random bits, for use in a header."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What is stored of a token. It is random and long, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass
class HostedSeat:
    """One seat."""

    seat: int
    kind: Literal["human", "agent", "open"]
    name: str = ""
    agent: str | None = None
    token: str | None = None
    """Its hash; None for agents and open seats."""
    bank: float = 0.0
    """Seconds left beyond the budgets of single choices."""
    status: SeatStatus = "ok"
    fallbacks: int = 0
    late_in_a_row: int = 0
    asked_at: float | None = None
    """When its present choice began, on the loop's clock; None: it owes none."""

    def owns(self, token: str) -> bool:
        """Whether a token is this seat's, in constant time."""
        return self.token is not None and hmac.compare_digest(self.token, token_hash(token))

    def give_token(self) -> str:
        """A new token, of which only the hash is kept."""
        token = new_token()
        self.token = token_hash(token)
        return token

    def note(self, status: SeatStatus) -> None:
        """Something happened; the worst is kept."""
        if WORST.index(status) > WORST.index(self.status):
            self.status = status

    def fell_back(self, why: SeatStatus) -> None:
        """The fallback chose for it."""
        self.fallbacks += 1
        if why == "resigned":
            return
        self.late_in_a_row += 1
        self.note("absent" if self.kind == "human" and self.late_in_a_row >= ABSENT_AFTER else why)

    def chose(self) -> None:
        """It chose by itself."""
        self.late_in_a_row = 0
        if self.status == "absent":
            self.status = "slow"

    def info(self) -> SeatInfo:
        """What all may know."""
        return SeatInfo(
            seat=self.seat,
            kind=self.kind,
            name=self.name or (self.agent or ""),
            agent=self.agent,
            status=self.status,
            fallbacks=self.fallbacks,
        )

    def allowed(self, move: float | None) -> float | None:
        """Seconds for the present choice; None: no limit."""
        if move is None:
            return None
        return move if self.status == "absent" else move + self.bank

    def spend(self, move: float | None, now: float) -> None:
        """Take from the bank what the present choice took longer than `move`."""
        if self.asked_at is not None and move is not None:
            self.bank = max(0.0, self.bank - max(0.0, now - self.asked_at - move))
        self.asked_at = None

    def clock(self, move: float | None, now: float) -> Clock:
        """Its own time."""
        if move is None or self.asked_at is None:
            return Clock(move=None, bank=round(self.bank, 3))
        gone = now - self.asked_at
        return Clock(
            move=round(max(0.0, move - gone), 3), bank=round(max(0.0, self.bank - max(0.0, gone - move)), 3)
        )

    def stored(self) -> dict[str, Any]:
        """For the database; clocks and troubles are found from the moves."""
        return {"kind": self.kind, "name": self.name, "agent": self.agent, "token": self.token}
