"""A server as users start it, and a player who clicks."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]

AUTOPILOT = """async ([places, most, seed]) => {
  const any = ".choices [data-action]", game = () => document.querySelector(".game");
  const until = async (ready) => {
    for (let k = 0; !ready(); k++) {
      if (k > 6000) throw new Error("nothing happens any more");
      await new Promise((done) => setTimeout(done, 5));
    }
  };
  const ended = () => document.querySelector(".ending");
  for (let n = 0; n < most; n++) {
    await until(() => ended() || (game().dataset.turn === "true" && document.querySelector(any)));
    if (ended()) return n;
    const place = places.find((one) => document.querySelector(one)) ?? any;
    const offered = document.querySelectorAll(place);
    seed = (seed * 48271) % 2147483647;
    const version = game().dataset.version;
    offered[seed % offered.length].dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await until(() => game().dataset.version !== version);
  }
  return most;
}"""
"""Clicks through a game; `places` are selectors."""


@contextmanager
def serving(*arguments: str) -> Iterator[str]:
    """`fm-env serve` as a process of its own; its address. Killed at the end."""
    command = [sys.executable, "-m", "fm_env.cli", "serve", "--port", "0", *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            found = None
            while found is None:
                line = server.stdout.readline()
                assert line, "the server ended before it served"
                found = re.search(r"http://\S+", line)
            yield found[0].rstrip("/")
        finally:
            server.kill()


class Player:
    """Plays through the page: by clicks on whatever is offered, and by keys."""

    def __init__(self, browser: Any, address: str, width: int = 1280, height: int = 860, **more: Any) -> None:
        self.address = address
        self.context = browser.new_context(viewport={"width": width, "height": height}, **more)
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._said)
        self.random = random.Random(4)

    def _said(self, message: Any) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def start(self, scenario: str, opponent: str) -> None:
        """Set up a game in the lobby."""
        self.page.goto(self.address + "/")
        self.page.click(f"[data-scenario='{scenario}']")
        self.page.wait_for_selector(f"[data-for='{scenario}']")
        self.page.click(f"[data-agent='{opponent}']")
        self.page.wait_for_selector(f"[data-agent='{opponent}'][aria-pressed=true]")
        self.page.click("#start")
        self.page.wait_for_selector(".game[data-version]", timeout=300_000)

    def is_over(self) -> bool:
        """After waiting until there is something to choose, or nothing any more."""
        self.page.wait_for_selector(".game[data-turn=true] .choices [data-action], .ending", timeout=300_000)
        return self.page.query_selector(".ending") is not None

    def choose(self, place: str = ".choices [data-action]") -> None:
        """Click on one of what is offered at a place; wait for what comes of it."""
        version = self.page.get_attribute(".game", "data-version")
        offered = self.page.query_selector_all(place)
        self.random.choice(offered).dispatch_event("click")
        self.wait_beyond(version)

    def wait_beyond(self, version: str | None) -> None:
        """Until the view is a later one."""
        self.page.wait_for_selector(f".game:not([data-version='{version}'])", timeout=300_000)

    def play(self, places: tuple[str, ...], most: int = 3000) -> int:
        """To the end, by clicks made inside the page; the first of `places` that offers something is
        used. How many choices were made.
        """
        self.page.set_default_timeout(300_000)
        made = self.page.evaluate(AUTOPILOT, [list(places), most, self.random.randrange(1, 2**31)])
        self.page.set_default_timeout(30_000)
        assert self.is_over(), f"not over after {made} choices"
        return made
