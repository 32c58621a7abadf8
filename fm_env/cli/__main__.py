"""`python -m fm_env.cli` is `fm-env`."""

from fm_env.cli import main

main()
