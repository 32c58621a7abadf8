"""A program on the other end of two pipes, spoken to in lines of JSON, that may misbehave in any way.

Nothing it does can block the caller, or make it read more than `MAX_LINE` bytes at a time.
"""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import threading
import time
from collections.abc import Sequence
from typing import Any, Literal

MAX_LINE = 65_536
"""Longest line that is read; a longer one is garbage, and the program is ended."""
MAX_WAITING = 256
"""Lines that nobody asked for are kept up to this number, then it is ended."""

Trouble = Literal["crashed", "silent", "garbage"]


class TroubleError(Exception):
    """What the program did instead of answering."""

    def __init__(self, kind: Trouble, detail: str) -> None:
        """Say which kind, with a detail for people."""
        self.kind: Trouble = kind
        super().__init__(detail)


class Program:
    """A running program. Threads read and write its pipes."""

    def __init__(self, argv: Sequence[str]) -> None:
        """Start it.

        Raises:
            TroubleError: it can't be started.
        """
        self.argv = tuple(argv)
        try:
            self._process = subprocess.Popen(
                self.argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a Ctrl-C is ours alone
            )
        except OSError as error:
            raise TroubleError(
                "crashed", f"can't start {self.argv[0]!r}: {error.strerror or error}"
            ) from None
        self._lines: queue.Queue[bytes | TroubleError] = queue.Queue(MAX_WAITING)
        self._out: queue.Queue[bytes | None] = queue.Queue(MAX_WAITING)
        for target in (self._read, self._write):
            threading.Thread(target=target, daemon=True).start()

    @property
    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def send(self, message: dict[str, Any]) -> None:
        """Write one line, without waiting for the program to read it.

        Raises:
            TroubleError: it has ended, or has not read its input for long.
        """
        if not self.is_alive:
            raise TroubleError("crashed", f"it ended with exit status {self._process.returncode}")
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        try:
            self._out.put_nowait(line)
        except queue.Full:
            raise TroubleError("silent", "it doesn't read its input") from None

    def receive(self, deadline: float) -> dict[str, Any]:
        """The next line, as an object.

        Args:
            deadline: on the clock of `time.monotonic`.

        Raises:
            TroubleError: none came in time, it ended, or the line is no JSON object.
        """
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise TroubleError("silent", "no answer in time") from None
        if isinstance(line, TroubleError):
            with contextlib.suppress(queue.Full):
                self._lines.put_nowait(line)  # whoever asks next is told the same
            raise line
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            raise TroubleError("garbage", f"not JSON: {line[:60]!r}") from None
        if not isinstance(message, dict):
            raise TroubleError("garbage", f"no JSON object: {line[:60]!r}")
        return message

    def end(self) -> None:
        """Close its pipes and end it, the hard way if need be."""
        with contextlib.suppress(queue.Full):
            self._out.put_nowait(None)
        with contextlib.suppress(OSError):
            self._process.terminate()
        try:
            self._process.wait(0.5)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(OSError):
                self._process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(2.0)

    def _read(self) -> None:
        out = self._process.stdout
        assert out is not None
        trouble = TroubleError("crashed", "it closed its output")
        try:
            while line := out.readline(MAX_LINE + 1):
                if len(line) > MAX_LINE:
                    trouble = TroubleError("garbage", f"a line longer than {MAX_LINE} bytes")
                    break
                if line.strip():
                    self._lines.put_nowait(line)
        except queue.Full:
            trouble = TroubleError("garbage", f"more than {MAX_WAITING} lines that nobody asked for")
        except (OSError, ValueError):
            pass
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.wait()
        out.close()
        self._tell(trouble)

    def _tell(self, trouble: TroubleError) -> None:
        while True:
            try:
                return self._lines.put_nowait(trouble)
            except queue.Full:
                with contextlib.suppress(queue.Empty):
                    self._lines.get_nowait()

    def _write(self) -> None:
        pipe = self._process.stdin
        assert pipe is not None
        with contextlib.suppress(OSError, ValueError):
            while (line := self._out.get()) is not None:
                pipe.write(line)
                pipe.flush()
        with contextlib.suppress(OSError):
            pipe.close()
