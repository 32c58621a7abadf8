"""Machine code is kept on disk, found by a second process, and never stale."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fm_env import compiled, sources


def test_importing_fm_env_loads_no_compiler() -> None:
    """`import fm_env` is light: no Numba, no PettingZoo, no torch."""
    code = "import sys, fm_env; print(sorted({'numba', 'pettingzoo', 'torch', 'scipy'} & set(sys.modules)))"
    assert _python(code).stdout.strip() == "[]"


TEMPLATE = """
from fm_env.compiled import rule, specialise
from helper import FACTOR, scaled
import sys

@rule
def kernel_a(x):
    return scaled(x)

@rule
def kernel_b(x):
    return x - 1

kernel = None

def twice(x):
    return kernel(kernel(x))

def compiled_anew(f):
    return sum(f.stats.cache_misses.values())

if __name__ == "__main__":
    import main_module as m
    a = m.specialise(m.twice, "toy", kernel=m.kernel_a)
    b = m.specialise(m.twice, "toy", kernel=m.kernel_b)
    print(a(5), b(5), m.compiled_anew(a), m.compiled_anew(b))
"""


def test_second_process_compiles_nothing_and_edits_of_helpers_are_seen(tmp_path: Path) -> None:
    (tmp_path / "main_module.py").write_text(TEMPLATE)
    helper = "from fm_env.compiled import rule\nFACTOR = {}\n@rule\ndef scaled(x):\n    return x * FACTOR\n"
    (tmp_path / "helper.py").write_text(helper.format(2))
    env = {"FM_ENV_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": f"{tmp_path}{os.pathsep}{sources.ROOT}"}
    code = "import runpy; runpy.run_module('main_module', run_name='__main__')"
    first = _python(code, **env)
    assert first.stdout.split() == ["20", "3", "1", "1"]
    assert first.stderr.count("compiling the rules of toy") == 1
    second = _python(code, **env)
    assert second.stdout.split() == ["20", "3", "0", "0"]
    assert second.stderr == ""
    (tmp_path / "helper.py").write_text(helper.format(3))
    third = _python(code, **env)
    assert third.stdout.split()[:2] == ["45", "3"], "a stale helper was used"


@pytest.mark.drill(
    done="the folder for compiled rules can't be made",
    expected="another one is used",
)
def test_an_unwritable_cache_folder_is_replaced() -> None:
    """Also the place where nothing else than a temporary folder is left."""
    code = (
        "from fm_env.rng import mix; from fm_env import compiled; print(mix(1) > 0, compiled.cache_folder())"
    )
    result = _python(code, FM_ENV_CACHE_DIR=os.devnull + "/nowhere")
    assert result.stdout.startswith("True")
    assert os.devnull not in result.stdout


def test_only_own_old_folders_are_pruned(tmp_path: Path) -> None:
    for name in ("0123456789abcdef0123", "f" * 20, "holiday-photos"):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (0, 0))
    os.utime(tmp_path / ("f" * 20))
    compiled._prune(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f" * 20, "holiday-photos"]


def test_numba_s_own_settings_are_left_alone() -> None:
    code = (
        "import os, numba, fm_env.rng; print(repr(numba.config.CACHE_DIR), 'NUMBA_CACHE_DIR' in os.environ)"
    )
    assert _python(code).stdout.split() == ["''", "False"]


def test_sources_follow_imports(tmp_path: Path) -> None:
    package = tmp_path / "game"
    (package / "sub").mkdir(parents=True)
    for name in ("__init__.py", "unrelated.py", "tables.py", "deep.py", "sub/__init__.py", "sub/far.py"):
        (package / name).write_text("")
    (package / "rules.py").write_text(
        "from game import (  # comment, here\n    tables,\n)\nfrom .deep import X\n"
    )
    (package / "deep.py").write_text("import numpy\nfrom game.sub import far\nfrom . import rules\n")
    found = sources.rule_sources([str(package / "rules.py")])
    assert {"rules.py", "tables.py", "deep.py", "far.py"} <= {path.name for path in found}
    assert "unrelated.py" not in {path.name for path in found}
    assert sources.rule_sources(["<stdin>"]) == ()


def test_a_rule_does_not_depend_on_what_its_package_imports_for_others(tmp_path: Path) -> None:
    package = tmp_path / "game"
    package.mkdir()
    for name, text in {
        "__init__.py": "from game import pictures\nLIMIT = 3\n",
        "pictures.py": "",
        "tables.py": "",
        "rules.py": "from game import tables\n",
        "greedy.py": "from game import LIMIT, tables\n",
    }.items():
        (package / name).write_text(text)
    assert [path.name for path in sources.rule_sources([str(package / "rules.py")])] == [
        "rules.py",
        "tables.py",
    ]
    found = {path.name for path in sources.rule_sources([str(package / "greedy.py")])}
    assert found == {"greedy.py", "tables.py", "__init__.py", "pictures.py"}


def test_a_toml_file_of_the_same_name_is_part_of_a_rule_file(tmp_path: Path) -> None:
    (tmp_path / "tables.py").write_text("import other\n")
    for name in ("tables.toml", "else.toml", "other.py"):
        (tmp_path / name).write_text("")
    found = sources.rule_sources([str(tmp_path / "tables.py")])
    assert [path.name for path in found] == ["other.py", "tables.py", "tables.toml"]


def test_rules_of_the_package_depend_on_the_random_numbers() -> None:
    import fm_env.chance

    names = {path.name for path in sources.rule_sources([fm_env.chance.__file__])}
    assert {"chance.py", "rng.py"} <= names
    assert not {"compiled.py", "errors.py", "sources.py"} & names, "an edit there would compile all anew"
    assert "cli.py" not in names


def test_closures_are_refused() -> None:
    def outer(n):
        def inner(x):
            return x + n

        return inner

    with pytest.raises(ValueError, match="closure"):
        compiled.specialise(_template, "toy", kernel=outer(1))


def _template(x):
    return kernel(x)  # noqa: F821


def _python(code: str, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={"PYTHONPATH": str(sources.ROOT), **clean, **env},
        capture_output=True,
        text=True,
        check=True,
    )
