"""What the README and the pages of games show works, as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text()
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "games").glob("*.md"))]
BLOCKS = {
    f"{page.stem}-block{k}": code
    for page in PAGES
    for k, code in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
}


@pytest.mark.parametrize("code", list(BLOCKS.values()), ids=list(BLOCKS))
def test_a_block_runs_and_prints_what_it_says(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every `print(..)  # text` prints a line that begins with the text up to a colon."""
    exec(compile(code, "page.md", "exec"), {"__name__": "readme"})
    printed = capsys.readouterr().out
    for promised in re.findall(r"print\(.*\)  # (\(.*)", code):
        assert promised.split(":")[0] in printed


def test_the_two_commands_stand_at_the_top() -> None:
    head = TEXT[:1200]
    assert "make demo" in head
    assert "make test" in head
