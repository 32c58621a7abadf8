"""`fm-env play`: a person against agents, in the terminal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from agents.registry import make
from agents.sitting import Sitting, best_agent, told
from fm_env import registry, shown
from fm_env.contract import CHANCE
from fm_env.errors import SetupError
from fm_env.match import Match
from fm_env.match import load as load_game
from fm_env.replay import load, save
from fm_env.replay_check import verify

HELP = """A number, or the words after it, makes that choice. Besides:
  hint    what the best agent would weigh in your place (it sees no more than you do)
  show    the position again
  log     all that has happened, as far as you know
  quit    leave; the game is kept, and `fm-env play --resume FILE` goes on with it
  ?       this page
Cards are written rank and colour: 7r is a red seven, Kb a black king, X a joker. `fm-env games`
lists what else can be played; the rules are in RULES.md beside each game."""

CARD = re.compile(r"\b(?:[2-9TJQKA][rb])\b")
MAP = re.compile(r"^ *[\d.]* \|.*\|$|^ {6}0( +[\d.]+)+$")
"""A line of the table's map, or the ruler below it."""


def play_command(
    game: str,
    scenario: str | None,
    options: Mapping[str, Any],
    *,
    seat: int,
    agents: Sequence[str],
    seed: int | None,
    save_to: Path | None,
    resume: Path | None,
) -> None:
    """Play a game from its beginning or from a file; see `fm_env.cli.play` for the arguments.

    Raises:
        FmEnvError: something in what was asked for can't be played, read or written.
    """
    if resume is not None:
        sitting, seat = _resumed(resume, agents)
        file = save_to or resume
    else:
        sitting = _new(game, scenario, options, seat, agents, seed)
        spec = sitting.match.spec
        file = save_to or _free(f"{spec.game}-{spec.scenario}")
    Table(sitting, seat, file).play()


def _new(
    game: str,
    scenario: str | None,
    options: Mapping[str, Any],
    seat: int,
    agents: Sequence[str],
    seed: int | None,
) -> Sitting:
    chosen = load_game(game).scenario(scenario, **options)
    seats = chosen.spec.num_seats
    if not 0 <= seat < seats:
        raise SetupError(f"--seat: expected 0 to {seats - 1}, got {seat}")
    specs = list(agents) or [best_agent(registry.find(game), chosen)]
    others = [other for other in range(seats) if other != seat]
    seated = {other: specs[k % len(specs)] for k, other in enumerate(others)}
    return Sitting(load_game(game).new_match(chosen, seed=seed), seated)


def _resumed(file: Path, agents: Sequence[str]) -> tuple[Sitting, int]:
    replay = load(file)
    match = verify(replay, str(file))
    people = [player.seat for player in replay.players if player.agent is None]
    if len(people) != 1:
        raise SetupError(f"--resume: {file} has {len(people)} people in it, expected one")
    seated = {player.seat: player.agent for player in replay.players if player.agent is not None}
    for k, seat in enumerate(seated):
        if agents:
            seated[seat] = agents[k % len(agents)]
    sitting = Sitting(match, seated)
    sitting.thoughts = list(replay.thoughts)
    return sitting, people[0]


def _free(stem: str) -> Path:
    """A file of that name that isn't there yet."""
    return next(path for k in range(1, 10_000) if not (path := Path(f"{stem}-{k}.json")).exists())


class Table:
    """The conversation."""

    def __init__(self, sitting: Sitting, seat: int, file: Path) -> None:
        """Args: the person's `seat`, the `file` that keeps the game."""
        self.sitting, self.seat, self.file = sitting, seat, file
        self.console = Console(highlight=False)
        self.told = len(self.match.events)
        self.plan: list[str] = []

    @property
    def match(self) -> Match:
        """The game."""
        return self.sitting.match

    def play(self) -> None:
        """Until the game is over or the person leaves; what was played is kept in any case."""
        self._welcome()
        try:
            while self._go_on():
                pass
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            self._keep()
            self.console.print(f"Left. Go on with: fm-env play --resume {self.file}", soft_wrap=True)

    def _welcome(self) -> None:
        spec = self.match.spec
        self.console.rule(f"[bold]{spec.game.replace('_', ' ').title()}[/bold], {spec.scenario}")
        for player in self.sitting.players:
            mine = player.seat == self.seat
            who = "you" if mine else player.name
            fairies = shown.position(self.match.game, self.match.state, self.seat).get("fairies", [])
            names = " ".join(one["name"] for one in fairies if one["seat"] == player.seat)
            leads = f", plays {names}" if names else ""
            self.console.print(Text(f"seat {player.seat}: {who}{leads}", "bold" if mine else ""))
        self.console.print("? explains what you can type.\n", style="dim")
        if self.told:
            self.told = 0 if self.told < 40 else self.told - 40
            self._tell()

    def _go_on(self) -> bool:
        """One choice of the person; False when the game is over."""
        self.sitting.let_agents_choose()
        self._keep()
        self._tell()
        if self.match.is_over:
            self._show()
            self._result()
            return False
        offered = shown.choices(
            self.match.game, self.match.spec, self.match.state, self.seat, self.match.legal_ids(self.seat)
        )
        if len(offered) == 1:
            self.console.print(Text(f"Your only choice: {offered[0]['words']}.", "dim"))
            self.match.play(self.seat, offered[0]["id"])
            return True
        self._show()
        self._offer(offered)
        self.match.play(self.seat, self._answer(offered))
        return True

    # -- what is shown ----------------------------------------------------------------------------
    def _tell(self) -> None:
        """What has happened since, as far as the person may know."""
        for who, run in groupby(told(self.match, self.told, self.seat), key=lambda event: event[0]):
            style = "cyan" if who == self.seat else "" if who == CHANCE else "bold"
            for words in shown.condensed(words for _, words in run):
                self.console.print(painted(words, style))
        self.told = len(self.match.events)

    def _show(self, whole: bool = False) -> None:
        """The position; its map only where it has changed since it was shown last, or if `whole`."""
        lines = self.match.text(self.seat).splitlines()
        plan = [line for line in lines if MAP.match(line)]
        if plan == self.plan and not whole:
            lines = [line for line in lines if not MAP.match(line)]
        self.plan = plan
        shown_lines = [self._mapped(line) if MAP.match(line) else painted(line) for line in lines]
        self.console.print(Panel(Text("\n").join(shown_lines), border_style="dim", expand=False))

    def _mapped(self, line: str) -> Text:
        """A line of the map with the fairies on it in colour: one's own and the others'."""
        fairies = shown.position(self.match.game, self.match.state, self.seat).get("fairies", [])
        mine = {fairy["name"]: fairy["seat"] == self.seat for fairy in fairies}
        text = Text(line, "green")
        for k, letter in enumerate(line):
            if letter in mine and "|" in line[:k]:
                text.stylize("bold cyan" if mine[letter] else "bold red", k, k + 1)
        return text

    def _offer(self, offered: list[dict[str, Any]]) -> None:
        """Numbered choices under their headings, in columns where they are many."""
        number = 0
        for group, items in groupby(offered, key=lambda one: one["group"]):
            if group:
                self.console.print(Text(group, "bold yellow"))
            lines = []
            for one in items:
                number += 1
                lines.append(Text.assemble((f"{number:3} ", "green"), painted(one["words"])))
            if len(lines) > 8:
                self.console.print(Columns(lines, equal=True, padding=(0, 2)))
            else:
                for line in lines:
                    self.console.print(line)

    def _result(self) -> None:
        returns = self.match.returns()
        mine = returns[self.seat]
        best = max(returns)
        alone = returns.count(best) == 1
        words = "You win." if mine == best and alone else "A draw." if mine == best else "You lose."
        self.console.print(Text(f"{words} Returns: {', '.join(f'{r:+g}' for r in returns)}", "bold"))
        self.console.print(f"Watch it again: fm-env replay show {self.file}", style="dim", soft_wrap=True)

    # -- what is typed ----------------------------------------------------------------------------
    def _answer(self, offered: list[dict[str, Any]]) -> int:
        while True:
            typed = self.console.input("[green]>[/green] ").strip()
            word = typed.lower()
            if word in ("quit", "q", "exit"):
                raise EOFError
            if word in ("?", "help", "h"):
                self.console.print(HELP)
            elif word == "hint":
                self._hint()
            elif word == "show":
                self._show(whole=True)
                self._offer(offered)
            elif word == "log":
                for words in shown.condensed(words for _, words in told(self.match, 0, self.seat)):
                    self.console.print(painted(words))
            elif (action := meant(word, offered)) is not None:
                return action
            elif typed:
                self.console.print(f"Not one of the choices: type 1 to {len(offered)}, or ? for help.")

    def _hint(self) -> None:
        match = self.match
        spec = best_agent(match.game, match.scenario)
        agent = make(spec, match.game, match.scenario)
        agent.reset(match.spec, self.seat, 0)
        if agent.needs_sampler:
            agent.imagine(match.sampler(self.seat))
        thought = self.sitting.think(agent, self.seat)
        legal = match.legal_ids(self.seat)
        offered = shown.choices(match.game, match.spec, match.state, self.seat, legal)
        words = {one["text"]: one["words"] for one in offered}
        if not thought.alternatives:
            text = match.game.action_text(
                match.spec, int(agent.act(match.observation(self.seat), match.mask(self.seat)))
            )
            self.console.print(f"{spec} would choose: {words[text]}")
        for one in thought.alternatives:
            self.console.print(Text(f"{one.probability:5.0%}  {words[one.text]}", "magenta"))
        if thought.win_estimate is not None:
            self.console.print(Text(f"{thought.win_estimate:5.0%}  is its estimate of your score", "dim"))

    def _keep(self) -> None:
        save(self.file, self.sitting.replay())


def meant(typed: str, offered: Sequence[Mapping[str, Any]]) -> int | None:
    """Id of the choice that a number, a text or the beginning of one choice's words means; else None."""
    if typed.isdecimal() and 1 <= int(typed) <= len(offered):
        return int(offered[int(typed) - 1]["id"])
    for exact in ("text", "words"):
        for one in offered:
            if typed and one[exact].lower() == typed:
                return int(one["id"])
    begun = [one for one in offered if len(typed) > 1 and one["words"].lower().startswith(typed)]
    return int(begun[0]["id"]) if len(begun) == 1 else None


def painted(words: str, style: str = "") -> Text:
    """Cards in their colours."""
    text = Text(words, style)
    for match in CARD.finditer(words):
        text.stylize("bold red" if match.group().endswith("r") else "bold", *match.span())
    return text
