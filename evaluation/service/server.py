"""`fm-env serve` in a process of its own, which can be killed and measured (Linux)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from fm_env.errors import SetupError


class Server:
    """A running server."""

    def __init__(self, db: Path, *arguments: str, port: int = 0) -> None:
        """Start it and wait until it listens.

        Raises:
            SetupError: it didn't start.
        """
        command = [sys.executable, "-m", "fm_env.cli", "serve", "--port", str(port), "--db", str(db)]
        self.process = subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SetupError(f"the server didn't start: exit status {self.process.wait()}")
        self.address = line.split()[-1].rstrip("/")
        self.port = int(self.address.rsplit(":", 1)[1])

    def kill(self) -> None:
        """As `kill -9` does."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def peak_memory(self) -> int:
        """Largest resident size so far, in bytes."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text("ascii").splitlines():
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
        raise SetupError("this system doesn't tell how much memory a process uses")

    def cpu_seconds(self) -> float:
        """Processor time used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
