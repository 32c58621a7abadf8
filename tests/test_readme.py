"""What the README shows works, as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TEXT = (Path(__file__).parent.parent / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("code", BLOCKS, ids=[f"block{k}" for k in range(len(BLOCKS))])
def test_readme_block_runs_and_prints_what_it_says(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Every `print(..)  # text` prints a line that begins with the text up to a colon."""
    exec(compile(code, "README.md", "exec"), {"__name__": "readme"})
    printed = capsys.readouterr().out
    for promised in re.findall(r"print\(.*\)  # (\(.*)", code):
        assert promised.split(":")[0] in printed


def test_the_two_commands_stand_at_the_top() -> None:
    head = TEXT[:1200]
    assert "make demo" in head
    assert "make test" in head
