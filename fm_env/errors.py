"""Errors for users: one message that says what was wrong, where, and what was expected."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LONGEST = 2_000
"""Characters of a message. It may repeat what a file held, and a file may hold anything."""


class FmEnvError(Exception):
    """Base of everything this package raises on purpose."""

    def __str__(self) -> str:
        """The message, cut where it is far too long to be read."""
        text = super().__str__()
        return text if len(text) <= LONGEST else text[: LONGEST - 4] + " ..."


class SetupError(FmEnvError, ValueError):
    """A scenario, an option, a script of draws or a parameter that can't be used."""


class IllegalActionError(FmEnvError, ValueError):
    """An action that the seat may not take now."""


class LoadError(FmEnvError, ValueError):
    """A saved match, policy or report that doesn't fit this version or was changed."""


class UnknownNameError(FmEnvError, LookupError):
    """A name that nothing is registered under."""

    def __init__(self, kind: str, given: str, known: Iterable[str]) -> None:
        """Word the message `unknown KIND GIVEN: did you mean ...?` with the known names."""
        self.kind, self.given, self.known = kind, given, tuple(known)
        super().__init__(f"unknown {kind} {given!r}: {suggestion(given, self.known)}")


def suggestion(given: str, known: Iterable[str]) -> str:
    """`did you mean 'duel'? Known: clash, duel` for messages about names."""
    names = tuple(known)
    close = difflib.get_close_matches(str(given), names, n=3)  # a file may hold a number
    hint = f"did you mean {' or '.join(map(repr, close))}? " if close else ""
    return f"{hint}known: {', '.join(names) or 'none'}"
