"""How rules are compiled: once per version of their sources, kept on disk, never stale.

Rules are plain functions decorated with `rule`. Numba compiles each at its first call and keeps
the machine code in a cache folder of the user. Numba alone notices only an edit of the file that
a function stands in, not of the files it imports; so each file's functions are kept in a folder
named by the hash of that file and of all the rule files it imports (directly or not). An edit
moves exactly the functions it can reach to a fresh folder.

`NUMBA_DISABLE_JIT=1` leaves rules as plain Python (debugging, coverage) and
`NUMBA_BOUNDSCHECK=1` checks every index. `FM_ENV_CACHE_DIR` names another cache folder.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import sys
import tempfile
import threading
import time
import types
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
import platformdirs
from numba.core import event
from numba.core.caching import FunctionCache

from fm_env.sources import rule_sources

F = TypeVar("F", bound=Callable[..., Any])

KEEP_DAYS = 30
"""Machine code that no process has used for this long is deleted."""

_config: Any = vars(numba)["config"]

JIT_DISABLED = bool(_config.DISABLE_JIT)
"""True when rules run as plain Python."""

_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cfunc_wrapper": True,
    "_nrt": False,
}
"""No lock while rules run; no zero-division checks (rules never raise, see `fm_env.contract`); no
wrapper for C (an eighth of the time to compile); no reference counts, which rules don't need since
they make no arrays, and which cost a third of a batch's time."""

_FOLDER_NAME = re.compile("[0-9a-f]{20}")

_lock = threading.Lock()


def rule(function: F) -> F:
    """Compile `function` at its first call, with the result kept on disk."""
    return _compile(function, rule_sources([function.__code__.co_filename]))


def allocating_rule(function: F) -> F:
    """As `rule`, for the rare function that makes an array of its own."""
    return _compile(function, rule_sources([function.__code__.co_filename]), {**_OPTIONS, "_nrt": True})


def specialise(template: Callable[..., Any], tag: str, **kernels: Any) -> Callable[..., Any]:
    """A compiled copy of `template` whose globals hold `kernels`.

    A closure over kernels would never find its machine code on disk again; a copy of a
    module-level function with its own name does.

    Args:
        template: module-level Python function that calls the kernels by their names.
        tag: what the copy is for, e.g. the game's name; used in messages and file names.
        **kernels: functions made by `rule` (or plain values) to be seen as globals. Not closures:
            what they close over is nowhere in their source.
    """
    name = f"{template.__name__}@{tag}@{_digest_of(kernels)}"
    namespace = {**template.__globals__, **kernels}
    copy = types.FunctionType(template.__code__, namespace, name, template.__defaults__)
    copy.__qualname__ = name
    copy.__module__ = template.__module__
    copy.__doc__ = template.__doc__
    files = [template.__code__.co_filename, *_files_of(kernels.values())]
    return _compile(copy, rule_sources(files))


def python_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """The plain Python function behind a compiled one."""
    return cast("Callable[..., Any]", getattr(function, "py_func", function))


def cache_folder() -> Path:
    """The folder that holds all machine code of this package for this user."""
    return _writable_folder(os.environ.get("FM_ENV_CACHE_DIR"))


def _compile(function: F, sources: tuple[Path, ...], options: dict[str, Any] = _OPTIONS) -> F:
    if JIT_DISABLED:
        return function
    if not sources:  # typed into an interpreter: nothing to name a folder by
        return cast("F", numba.njit(**options)(function))
    dispatcher: Any = numba.njit(**options)(function)
    with _numba_cache(_folder_of(sources)):
        dispatcher._cache = _Kept(function)
    return cast("F", dispatcher)


class _Kept(FunctionCache):
    """Numba's files of one function, which are a convenience and never a reason to fail.

    Numba itself ends with a traceback, now and ever after, where a file was cut off by a full disk
    or a kill, and where nothing can be written.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # whatever unpickling makes of damaged bytes
            with contextlib.suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError:  # a full disk, say: compiled again next time
            return
        except Exception:  # an index that was damaged is read before it is written
            with contextlib.suppress(OSError):
                self.flush()
                super().save_overload(sig, data)


@contextlib.contextmanager
def _numba_cache(folder: Path) -> Iterator[None]:
    """Functions decorated inside are kept in `folder`; the rest of the process isn't touched."""
    with _lock:
        before = _config.CACHE_DIR
        _config.CACHE_DIR = str(folder)
        try:
            yield
        finally:
            _config.CACHE_DIR = before


@functools.cache
def _folder_of(sources: tuple[Path, ...]) -> Path:
    digest = hashlib.sha256()
    for part in (sys.version, numba.__version__, np.__version__, _config.BOUNDSCHECK, _OPTIONS):
        digest.update(repr(part).encode())
    for path in sources:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    folder = cache_folder() / digest.hexdigest()[:20]
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)  # seen as used: see `_prune`
    return folder


@functools.cache
def _writable_folder(wanted: str | None) -> Path:
    folder = Path(wanted) if wanted else Path(platformdirs.user_cache_dir("fm-env", False)) / "rules"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"fm-env-{os.getuid() if hasattr(os, 'getuid') else 0}"
        folder.mkdir(parents=True, exist_ok=True)
    _prune(folder)
    return folder


def _prune(folder: Path) -> None:
    oldest = time.time() - KEEP_DAYS * 86400
    for child in folder.iterdir():
        with contextlib.suppress(OSError):
            if _FOLDER_NAME.fullmatch(child.name) and child.stat().st_mtime < oldest:
                shutil.rmtree(child, ignore_errors=True)


def _digest_of(kernels: dict[str, Any]) -> str:
    """Tells apart two copies that get different functions from the same files."""
    parts: list[str] = []
    for name, value in sorted(kernels.items()):
        function = python_of(value)
        if not isinstance(function, types.FunctionType):
            parts.append(f"{name}={value!r}")
            continue
        if function.__closure__:
            raise ValueError(f"{name}: {function.__qualname__} is a closure; write it at module level")
        where = f"{function.__module__}:{function.__qualname__}:{function.__code__.co_firstlineno}"
        parts.append(f"{name}={where}")
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:10]


def _files_of(values: Iterable[Any]) -> list[str]:
    functions = (python_of(value) for value in values if callable(value))
    return [function.__code__.co_filename for function in functions if hasattr(function, "__code__")]


class _Announcer(event.Listener):
    """Says on stderr, once per game and process, that rules are being compiled."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def on_start(self, event: event.Event) -> None:
        function = cast("dict[str, Any]", event.data)["dispatcher"].py_func
        tag = function.__name__.partition("@")[2].partition("@")[0]
        if not tag or tag in self._said:
            return
        self._said.add(tag)
        message = f"fm-env: compiling the rules of {tag} (once per version, may take a minute) ..."
        print(message, file=sys.stderr, flush=True)

    def on_end(self, event: event.Event) -> None:
        """Nothing to say."""


event.register("numba:compile", _Announcer())
