"""The command `fm-env`. Each command only names its options and imports what it needs."""

from __future__ import annotations

import errno
import sys

import typer

from fm_env.cli import data, judge, learn, play, rules
from fm_env.cli.options import parse_options
from fm_env.errors import FmEnvError
from fm_env.extras import advice

__all__ = ["app", "main", "parse_options"]

app = typer.Typer(
    name="fm-env",
    help="Multi-agent reinforcement learning environments around the miniatures game Fairy Meat.",
    epilog="First steps: `fm-env doctor` looks whether all is well, `fm-env demo` trains and shows a"
    " duellist, `fm-env games` and `fm-env agents` list what there is.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)

for part in (rules, play, judge, learn, data):  # in this order in the help
    app.add_typer(part.commands)

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
"""What a full or locked disk answers."""


def main() -> None:
    """Run the command line; mistakes in what was asked for end in one line, not in a traceback."""
    try:
        app()
    except FmEnvError as error:
        _refuse(str(error))
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        where = f"can't write {error.filename}" if error.filename else "can't write"
        _refuse(f"{where}: {error.strerror}; what was written before is whole, so make room and go on")
    except ModuleNotFoundError as error:
        how = advice(error.name or "")
        if how is None:
            raise
        _refuse(how)


def _refuse(why: str) -> None:
    typer.echo(f"fm-env: {why}", err=True)
    sys.exit(2)
