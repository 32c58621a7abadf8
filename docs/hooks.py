"""What the site shows beside the pages of this folder, and links that work on GitHub and here.

Nothing is copied by hand: README.md is the home page, each game's RULES.md a page of its own, and so on
(`BROUGHT_IN`); the reference is made from docstrings (`REFERENCE`) and from the command line itself. A
relative link to any file of the repository is led to its page or, where it has none, to a page or copy
made of it below `files/`.
"""

from __future__ import annotations

import os
import posixpath
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent

BROUGHT_IN = {
    "index.md": "README.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "security.md": "SECURITY.md",
    "rules/angry_miniatures.md": "fm_env/games/angry_miniatures/RULES.md",
    "rules/fairy_meat.md": "fm_env/games/fairy_meat/RULES.md",
    "rules/fairy_tale.md": "fm_env/games/fairy_tale/RULES.md",
    "rules/sword_and_shield.md": "fm_env/games/sword_and_shield/RULES.md",
}
"""Page of the site to file of the repository; a file that isn't there is left out."""

REFERENCE = {
    "play": ("Checked play", ("fm_env.match", "fm_env.registry", "fm_env.errors")),
    "contract": ("The contract", ("fm_env.contract", "fm_env.sampler")),
    "batch": ("Batches and luck", ("fm_env.batch", "fm_env.engine", "fm_env.chance", "fm_env.records")),
    "views": (
        "Views",
        (
            "fm_env.views",
            "fm_env.views.aec",
            "fm_env.views.parallel",
            "fm_env.views.gym_env",
            "fm_env.views.vector",
            "fm_env.views.openspiel",
            "fm_env.views.table",
            "fm_env.views.players",
        ),
    ),
    "service": (
        "The service",
        ("agents.service.protocol", "agents.service.protocol_hosted", "agents.service.protocol_view"),
    ),
    "agents": (
        "Agents",
        ("agents.api", "agents.registry", "agents.policy", "agents.estimates", "agents.search.agent"),
    ),
    "evaluation": (
        "Evaluation",
        (
            "evaluation.arena",
            "evaluation.compare",
            "evaluation.stats",
            "evaluation.behaviour",
            "evaluation.calibration",
            "evaluation.ratings",
            "evaluation.meta",
            "evaluation.tournament.play",
            "evaluation.tournament.files",
            "evaluation.tournament.analysis",
            "evaluation.tournament.benchmark",
        ),
    ),
    "solve": ("Solving", ("evaluation.solve.tree", "evaluation.solve.exploit", "evaluation.solve.grid")),
    "training": (
        "Training",
        (
            "training.config",
            "training.sb3",
            "training.ppo",
            "training.run",
            "training.opponents",
            "training.imitation",
            "training.dataset.load",
            "training.dataset.record",
            "training.dataset.layout",
            "training.clone",
            "training.lens",
            "training.export",
            "training.exploiter",
            "training.league",
            "training.curriculum",
            "training.curves",
            "training.rllib.settings",
            "training.rllib.build",
            "training.rllib.env",
            "training.rllib.modules",
        ),
    ),
}
"""Page below `reference/` to its title and modules."""

SHOWN_AS_CODE = {".py": "python", ".toml": "toml", ".txt": "text", "": "text"}
"""Endings of files that get a page; others are copied as they are."""

LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)\s#]*)(#[^)\s]*)?(?=\))")
PROMPT = re.compile(r'<span class="gp">\$ ?</span>')
CELL = re.compile(r"<td[^>]*>.*?</td>", re.DOTALL)
WIDE = ("index.md", "concepts.md")
"""Pages that have no neighbours, and need no list of them."""

FENCE = re.compile(r"^( *)(```+|~~~+)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that stand elsewhere, the reference, and what any page links to."""
    for page, source in BROUGHT_IN.items():
        if (ROOT / source).is_file():
            files.append(File.generated(config, page, content=(ROOT / source).read_text("utf-8")))
    for name, (title, modules) in REFERENCE.items():
        files.append(File.generated(config, f"reference/{name}.md", content=reference(title, modules)))
    files.append(File.generated(config, "reference/cli.md", content=command_line()))
    for file in list(files.documentation_pages()):
        if not file.src_uri.startswith(("reference/", "files/")):
            for target, _ in links(file.content_string):
                publish(repository_path(file.src_uri, target), files, config)
    add_unlisted(files, config)
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links to files of the repository to what the site has of them."""
    here = page.file.src_uri
    if here in WIDE:
        page.meta["hide"] = ["navigation"]
    if here.startswith(("reference/", "files/")):
        return markdown

    def led(match: re.Match[str]) -> str:
        target, anchor = match.group(1), match.group(2) or ""
        there = site_path(repository_path(here, target))
        if files.get_file_from_path(there) is None:
            return match.group(0)  # left to the strict build, which names page and link
        return posixpath.relpath(there, posixpath.dirname(here) or ".") + anchor

    return "\n".join(line if code else LINK.sub(led, line) for line, code in lines(markdown))


def on_page_content(html: str, page: Page, **_: Any) -> str:
    """Draw prompts, so that copying a command leaves them out; let long names break at signs."""
    html = PROMPT.sub('<span class="gp prompt"></span>', html)
    if page.file.src_uri.startswith("rules/"):
        html = CELL.sub(lambda cell: re.sub(r"(?<=\w)([_:])(?=\w)", r"\1<wbr>", cell[0]), html)
    return html


def links(markdown: str) -> Iterator[tuple[str, str]]:
    """Targets and anchors of the relative links outside of code."""
    for line, code in lines(markdown):
        for match in () if code else LINK.finditer(line):
            if match.group(1):
                yield match.group(1), match.group(2) or ""


def lines(markdown: str) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it belongs to a block of code."""
    fence = ""
    for line in markdown.split("\n"):
        match = FENCE.match(line)
        if fence:
            yield line, True
            if match and line.strip() == fence:
                fence = ""
        else:
            fence = match.group(2) if match else ""
            yield line, bool(match)


def repository_path(page: str, target: str) -> str:
    """What a relative link on a page means in the repository."""
    source = BROUGHT_IN.get(page, f"docs/{page}")
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), target))


def site_path(path: str) -> str:
    """Where the site has a file or folder of the repository."""
    for page, source in BROUGHT_IN.items():
        if path == source:
            return page
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if (ROOT / path).is_dir():
        return f"files/{path}/index.md"
    shown = posixpath.splitext(path)[1] in SHOWN_AS_CODE
    return f"files/{path}.md" if shown else f"files/{path}"


def publish(path: str, files: Files, config: MkDocsConfig) -> None:
    """Add a file or folder that a page links to, unless the site has it already."""
    there, source = site_path(path), ROOT / path
    if path.startswith("..") or files.get_file_from_path(there) is not None or not source.exists():
        return
    if not there.startswith("files/"):
        return  # a page of docs/ that mkdocs knows, or should complain about
    if source.is_dir():
        inside = sorted(p.name for p in source.iterdir() if p.is_file() and not p.name.startswith("."))
        for name in inside:
            publish(f"{path}/{name}", files, config)
        found = {name: posixpath.relpath(site_path(f"{path}/{name}"), f"files/{path}") for name in inside}
        listing = "\n".join(f"- [{name}]({where})" for name, where in found.items())
        files.append(File.generated(config, there, content=side_page(path, listing)))
    elif there.endswith(".md"):
        language = SHOWN_AS_CODE[source.suffix]
        code = f"````{language}\n{source.read_text('utf-8').rstrip()}\n````"
        files.append(File.generated(config, there, content=side_page(path, code)))
    else:
        files.append(File.generated(config, there, abs_src_path=str(source)))


def side_page(path: str, content: str) -> str:
    """A page that search and navigation leave out."""
    return f"---\nsearch:\n  exclude: true\n---\n# {path}\n\n{content}\n"


def add_unlisted(files: Files, config: MkDocsConfig) -> None:
    """Pages of docs/ that mkdocs.yml doesn't place yet are listed at the end, not lost."""
    listed = set(pages_of(config.nav or []))
    more = [
        file.src_uri
        for file in files.documentation_pages()
        if file.src_uri not in listed and not file.src_uri.startswith("files/")
    ]
    if more and config.nav is not None and not any("More" in entry for entry in config.nav):
        config.nav.append({"More": sorted(more)})


def pages_of(nav: Any) -> Iterator[str]:
    """Every page that a navigation names."""
    if isinstance(nav, str):
        yield nav
    elif isinstance(nav, dict):
        for entry in nav.values():
            yield from pages_of(entry)
    else:
        for entry in nav:
            yield from pages_of(entry)


def reference(title: str, modules: tuple[str, ...]) -> str:
    """A page that mkdocstrings fills from docstrings; modules not there are left out."""
    there = [m for m in modules if module_file(m) is not None]
    return f"# {title}\n\n" + "\n\n".join(f"::: {module}" for module in there) + "\n"


def module_file(module: str) -> Path | None:
    """The source of a module, if there is one."""
    base = ROOT / module.replace(".", os.sep)
    for file in (base.with_suffix(".py"), base / "__init__.py"):
        if file.is_file():
            return file
    return None


def command_line() -> str:
    """Every command of `fm-env` with its arguments and options, from the command line itself."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    import typer

    from fm_env.cli import app

    group: Any = typer.main.get_command(app)
    parts = [
        "# The command line",
        "`fm-env COMMAND --help` says the same in the terminal.",
    ]
    for name, command in commands_of(group):
        parts.append(f"## fm-env {name}\n\n{(command.help or '').strip()}")
        rows = [row for parameter in command.params if (row := option_row(parameter)) is not None]
        if rows:
            parts.append("\n".join(["| option | | default |", "|---|---|---|", *rows]))
    return "\n\n".join(parts) + "\n"


def commands_of(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Every command by its full name, those of groups included."""
    for name, command in group.commands.items():
        yield f"{before}{name}", command
        if hasattr(command, "commands"):
            yield from commands_of(command, f"{before}{name} ")


def option_row(parameter: Any) -> str | None:
    """One line of a command's table; None for what every command has."""
    if parameter.name == "help" or getattr(parameter, "hidden", False):
        return None
    if parameter.param_type_name == "argument":
        names, default = f"`{parameter.name.upper()}`", "" if parameter.required else parameter.default
    else:
        names, default = ", ".join(f"`{option}`" for option in parameter.opts), parameter.default
    if parameter.required:
        default = "needed"
    shown = "" if default in (None, "", False, [], ()) else str(default)
    return f"| {names} | {(getattr(parameter, 'help', None) or '').replace('|', '&#124;')} | {shown} |"
