"""The documentation site builds strictly, and every link in it leads somewhere."""

from __future__ import annotations

import logging
import warnings
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("material", reason="the site needs the extra `docs`")

ROOT = Path(__file__).parent.parent


class Page(HTMLParser):
    """Ids and links of one page."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.pictures_without_words: list[str] = []
        self.feed(file.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids.update(filter(None, (given.get("id"), given.get("name"))))
        link = given.get("href") or given.get("src")
        if link is not None:
            self.links.append(link)
        if tag == "img" and not given.get("alt"):
            self.pictures_without_words.append(given.get("src") or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    folder = tmp_path_factory.mktemp("site")
    before = logging.getLogger().handlers.copy()
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")  # of mkdocs and its plugins, which are not ours to mend
        patch.setenv("NO_MKDOCS_2_WARNING", "1")
        patch.chdir(ROOT)
        config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder), strict=True)
        config.plugins.run_event("startup", command="build", dirty=False)
        build(config)  # raises where a warning was given
    logging.getLogger().handlers[:] = before
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {file: Page(file) for file in site.rglob("*.html")}


def test_readme_rules_reference_and_command_line_are_there(site: Path) -> None:
    for page, words in (
        ("index.html", "These two commands are all a fresh clone needs"),
        ("rules/fairy_meat.html", "UnclEvl's combat"),
        ("reference/contract.html", "chance_weights"),
        ("reference/training.html", "SelfPlayVecEnv"),
        ("reference/cli.html", "fm-env doctor"),
        ("changelog.html", "Unreleased"),
        ("files/evaluation/results/duel.json", "matchups"),
    ):
        assert words in (site / page).read_text("utf-8"), page


def test_every_link_leads_to_a_file_and_an_anchor(pages: dict[Path, Page]) -> None:
    broken = []
    for file, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link.startswith(("#__", "data:", "javascript:")):
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            target = target / "index.html" if target.is_dir() else target
            anchor = unquote(parts.fragment)
            if file.name == "404.html":
                continue  # made for the root of a server
            if not target.exists() or (anchor and target in pages and anchor not in pages[target].ids):
                broken.append(f"{file.name}: {link}")
    assert not broken


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    """The site opens without a network: no fonts, scripts or pictures of other hosts."""
    for file in site.rglob("*.html"):
        text = file.read_text("utf-8")
        for sign in ('src="http', "fonts.googleapis", "unpkg.com", "cdn."):
            assert sign not in text, (file, sign)


def test_pictures_are_described(pages: dict[Path, Page]) -> None:
    assert not [src for page in pages.values() for src in page.pictures_without_words]
