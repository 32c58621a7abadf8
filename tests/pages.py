"""Runs what a page of the documentation shows, in order, in one folder and one namespace.

- A `python` block is executed. With `title="name.py"` (any kind of block) it is saved as that file.
- In a `console` block every line `$ fm-env ..`, `$ python FILE ..` or `$ python -m MODULE ..` is run here.
- A `text` block that follows is what was printed: its lines must appear in that order; `...` stands for
  anything.

A comment before a block changes how it is run, never what the reader sees:

    <!-- tested with --games 200 STEPS=10 -->   other values of options and of names assigned in it
    <!-- not run: why -->                        skip the block
    <!-- output of the full run -->              (before a text block) it isn't compared
    <!-- in the background until URL answers --> a server; the page's port becomes a free one
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import runpy
import shlex
import socket
import subprocess
import sys
import time
import urllib.request
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fm_env.cli import app

BLOCK = re.compile(
    r"(?:^<!-- (?P<note>[^\n]*?) -->\n+)?^```(?P<kind>\w+)(?P<title>[^\n]*)\n(?P<body>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Block:
    """One fenced block and the comment before it."""

    kind: str
    title: str
    body: str
    note: str


def blocks(page: Path) -> list[Block]:
    """The page's blocks, in order."""
    found = []
    for match in BLOCK.finditer(page.read_text("utf-8")):
        title = re.search(r'title="([^"]+)"', match["title"])
        found.append(Block(match["kind"], title[1] if title else "", match["body"], match["note"] or ""))
    return found


class PageRun:
    """A reader who does everything a page says, in an empty folder."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Go to `folder`; the repository's examples are there, as in a clone."""
        self.folder, self.monkeypatch = folder, monkeypatch
        self.namespace: dict[str, Any] = {"__name__": "page"}
        self.printed = ""
        monkeypatch.chdir(folder)
        monkeypatch.syspath_prepend(folder)
        monkeypatch.setenv("COLUMNS", "110")
        monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
        monkeypatch.setenv("PYTHONPATH", str(ROOT), prepend=os.pathsep)
        self.servers: list[subprocess.Popen[bytes]] = []
        self.addresses: dict[str, str] = {}
        (folder / "examples").symlink_to(ROOT / "examples")

    def run(self, page: Path) -> int:
        """Run all blocks; returns how many were run, saved or compared."""
        done = 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a reader sees those of other libraries, too, and reads on
            for block in blocks(page):
                done += self.follow(block)
        return done

    def follow(self, block: Block) -> bool:
        """Run, save or compare one block; False if there is nothing to do."""
        if block.note.startswith("not run:"):
            return False
        if block.note.startswith("in the background"):
            self.serve(block)
        elif block.title:
            (self.folder / block.title).write_text(block.body, "utf-8")
        elif block.kind == "python":
            self.printed = self.python(block)
        elif block.kind == "console":
            self.printed = self.console(block)
        elif block.kind == "text" and not block.note.startswith("output of the full run"):
            compare(block.body, self.printed)
        else:
            return False
        return True

    def python(self, block: Block) -> str:
        """Execute a block with the values of its note."""
        code = block.body
        for shown, real in self.addresses.items():
            code = code.replace(shown, real)
        for word in notes(block):
            name, equals, value = word.partition("=")
            if equals and not word.startswith("--"):
                code, found = re.subn(rf"^{name} = [^#\n]*", f"{name} = {value}  ", code, flags=re.MULTILINE)
                assert found == 1, f"no line assigns {name}"
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(code, "page", "exec"), self.namespace)
        return out.getvalue()

    def console(self, block: Block) -> str:
        """Run the commands of a block."""
        out = io.StringIO()
        commands = [line[2:] for line in block.body.splitlines() if line.startswith("$ ")]
        assert commands, "a console block shows commands as `$ command`"
        for command in commands:
            words = replaced(shlex.split(command, comments=True), notes(block))
            with contextlib.redirect_stdout(out):
                self.command(words)
        return out.getvalue()

    def command(self, words: list[str]) -> None:
        """Run one command in this process, so that nothing is imported or compiled twice."""
        self.monkeypatch.setattr("sys.argv", words[1:] if words[0] == "python" else words)
        if words[0] == "fm-env":
            app(words[1:], standalone_mode=False)
        elif words[:2] == ["python", "-m"]:
            self.monkeypatch.setattr("sys.argv", words[2:])
            runpy.run_module(words[2], run_name="__main__", alter_sys=True)
        elif words[0] == "python":
            runpy.run_path(words[1], run_name="__main__")
        else:
            raise AssertionError(f"`{words[0]}` isn't run by the tests; mark the block <!-- not run: why -->")

    def serve(self, block: Block) -> None:
        """Start a server, on a free port in place of the page's, and wait until it answers."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        url = block.note.split()[4]
        self.addresses[url] = f"{url.rpartition(':')[0]}:{port}"
        words = replaced(shlex.split(block.body.removeprefix("$ ")), ["--port", port])
        command = [sys.executable, "-m", "fm_env.cli", *words[1:]]
        self.servers.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        for _ in range(600):
            with contextlib.suppress(OSError), urllib.request.urlopen(self.addresses[url]):
                return
            assert self.servers[-1].poll() is None, "the server ended"
            time.sleep(0.1)
        raise AssertionError(f"no answer from {self.addresses[url]}")

    def leave(self) -> None:
        """End the servers, and forget the modules that lay in the folder."""
        for server in self.servers:
            server.terminate()
            server.wait(30)
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", None) or "").startswith(str(self.folder)):
                del sys.modules[name]


def notes(block: Block) -> list[str]:
    """The words of `tested with ...`."""
    return shlex.split(block.note.removeprefix("tested with")) if block.note.startswith("tested with") else []


def replaced(words: list[str], smaller: list[str]) -> list[str]:
    """A command with the values of options (`--name value`) replaced, or added where it hasn't them."""
    words = list(words)
    for name, value in zip(smaller[::2], smaller[1::2], strict=True):
        if name in words:
            words[words.index(name) + 1] = value
        else:
            words += [name, value]
    return words


def compare(shown: str, printed: str) -> None:
    """Every line that a page shows was printed, in that order; spaces and `...` match anything alike."""
    rest = printed
    for line in filter(None, (text.strip() for text in shown.splitlines())):
        if line == "...":
            continue
        parts = [r"\s+".join(map(re.escape, part.split())) for part in line.split("...")]
        match = re.search(".*?".join(parts), rest)
        assert match is not None, f"the page shows\n{line}\nbut this was printed\n{printed}"
        rest = rest[match.end() :]
