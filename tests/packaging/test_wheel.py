"""What users install: it holds all it needs, and works far from the checkout and without extras."""

from __future__ import annotations

import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

import fm_env
from fm_env.registry import names
from tests.packaging.conftest import PLAY, ROOT, Run, built
from tests.packaging.extras import WHAT_FOR, extras

ROOMS = ("fm_env", "agents", "training", "evaluation")

WITHOUT_EXTRAS = """
import importlib.metadata, re, sys

class NotInstalled:
    # What only an extra brings can't be imported here, as on a machine that lacks it.
    extras = {"torch", "stable_baselines3", "sb3_contrib", "tensorboard", "matplotlib", "PIL", "pygame",
              "pyspiel", "open_spiel", "scipy", "pytest", "hypothesis", "fastapi", "uvicorn", "ray", "jinja2",
              "onnx", "onnxruntime", "sqlalchemy", "websockets"}
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.extras:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, NotInstalled())
"""


def test_the_wheel_holds_every_file_of_the_rooms_and_nothing_else(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    assert {name.split("/")[0] for name in inside if ".dist-info" not in name} == set(ROOMS)
    for room in ROOMS:
        assert f"{room}/py.typed" in inside
        wanted = {
            file.relative_to(ROOT).as_posix()
            for file in (ROOT / room).rglob("*")
            if file.is_file() and "__pycache__" not in file.parts
        }
        assert wanted <= inside, sorted(wanted - inside)[:5]


def test_its_metadata_says_what_it_is(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    metadata = Parser().parsestr(archive.read(name).decode())
    assert metadata["Version"] == fm_env.__version__
    assert metadata["License-Expression"] == "MIT"
    assert "Fairy Meat" in str(metadata.get_payload())
    assert any("LICENSE" in name for name in archive.namelist())


def test_the_source_archive_builds_what_the_checkout_builds(tmp_path: Path) -> None:
    archive = built(tmp_path, "--sdist")
    with tarfile.open(archive) as tar:
        inside = {name.partition("/")[2] for name in tar.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "constraints.txt", "Makefile"} <= inside
    assert not [name for name in inside if name.startswith(("runs", ".ci", ".venv"))]
    for room in (*ROOMS, "tests"):
        assert f"{room}/__init__.py" in inside


@pytest.mark.drill(
    done="the wheel alone, without the source tree and HOME, from another folder, in a path with spaces",
    expected="every game is played, every bot made, a policy loaded, a view rendered",
)
def test_rules_views_and_bots_need_no_extra(run: Run) -> None:
    """From another folder, in a path with spaces, without the source tree, without HOME."""
    printed = run(WITHOUT_EXTRAS + PLAY, HOME=None, XDG_CACHE_HOME=None)
    for game in names():
        if game in ("fairy_meat", "fairy_tale", "sword_and_shield", "angry_miniatures"):
            assert f"{game} " in printed


def test_the_command_works_without_extras_and_says_what_it_lacks(run: Run) -> None:
    command = "from fm_env.cli import main\nsys.argv = ['fm-env', {}]\nmain()\n"
    assert "skirmish" in run(WITHOUT_EXTRAS + command.format("'games'"))
    refused = (
        "try:\n    " + command.format("'train', 'clash'").replace("\n", "\n    ") + "\n"
        "except SystemExit as stop:\n    print('code', stop.code)\n"
    )
    said = run(WITHOUT_EXTRAS + "sys.stderr = sys.stdout\n" + refused)
    assert "pip install 'fm-env[train]'" in said and "code 2" in said


def test_a_cache_folder_that_cannot_be_made_is_replaced(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    folder = tmp_path / "file" / "cache"
    code = "import fm_env; from fm_env.compiled import cache_folder; print(cache_folder())"
    assert str(folder) not in run(code, FM_ENV_CACHE_DIR=str(folder))


def test_every_extra_is_tried_alone() -> None:
    """`make packages` installs each in a fresh environment; here only that none was forgotten."""
    assert set(extras()) <= set(WHAT_FOR)
