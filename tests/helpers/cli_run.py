"""Running the command line in a test: in this process, which is quick, or in one of its own, which is real."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from treewright.cli.main import cli

__all__ = ["TENNIS", "command", "run", "start"]

TENNIS = """\
Day,Outlook,Temperature,Humidity,Wind,PlayTennis
D1,Sunny,Hot,High,Weak,No
D2,Sunny,Hot,High,Strong,No
D3,Overcast,Hot,High,Weak,Yes
D4,Rain,Mild,High,Weak,Yes
D5,Rain,Cool,Normal,Weak,Yes
D6,Rain,Cool,Normal,Strong,No
D7,Overcast,Cool,Normal,Strong,Yes
D8,Sunny,Mild,High,Weak,No
D9,Sunny,Cool,Normal,Weak,Yes
D10,Rain,Mild,Normal,Weak,Yes
D11,Sunny,Mild,Normal,Strong,Yes
D12,Overcast,Mild,High,Strong,Yes
D13,Overcast,Hot,Normal,Weak,Yes
D14,Rain,Mild,High,Strong,No
"""


def run(
    *args: str | Path, stdin: str | bytes | None = None, code: int | None = 0, **env: str
) -> Result:
    """Run a command in this process and check its exit code; None is any of a slip."""
    result = CliRunner(env={"COLUMNS": "100", "NO_COLOR": "", "TERM": "xterm"} | env).invoke(
        cli, [str(arg) for arg in args], input=stdin, prog_name="treewright"
    )
    said = f"{result.stdout}\n{result.stderr}\n{result.exception!r}"
    assert result.exit_code == code or (
        code is None and result.exit_code in range(5) and result.exit_code != 1
    ), said
    assert "Traceback" not in said
    return result


def command(*args: str | Path) -> list[str]:
    """Return the words that run a command in a process of its own."""
    return [sys.executable, "-m", "treewright", *map(str, args)]


def start(*args: str | Path, **settings: Any) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process of its own."""
    env = os.environ | {"COLUMNS": "100"} | settings.pop("env", {})
    return subprocess.run(
        command(*args), capture_output=True, env=env, timeout=60, check=False, **settings
    )
