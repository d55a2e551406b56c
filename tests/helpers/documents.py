"""The examples of a document: console blocks whose commands are run, and Python examples."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

__all__ = ["check_commands", "commands", "find_blocks"]


# Times differ from run to run, and sizes of pages with each build of their scripts: these are not compared.
VARYING = re.compile(r" +\d[\d.]*(e-\d+)? (s|ms|µs)\b|(?<=\.html) \(\d+ KB\)")


def find_blocks(path: Path) -> list[tuple[str, str]]:
    """Return the language and the text of each block of a document."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", path.read_text("utf-8"), re.M | re.S)


def commands(block: str) -> list[tuple[str, str]]:
    """Split a console block into commands and what each prints."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.M)
    assert parts[0] == "", "a console block opens with a command"
    return list(zip(parts[1::2], parts[2::2], strict=True))


def check_commands(block: str, folder: Path, skipped: str = "(?!)") -> None:
    """Run the commands of a block in a folder, and compare what they print; parts of commands may be skipped."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    env = os.environ | {"PATH": path, "COLUMNS": "80", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
    for command, expected in commands(block):
        rest = re.sub(skipped, "", command)
        if not rest:
            continue
        done = subprocess.run(
            ["/bin/sh", "-c", rest],
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        shown = "".join(line.rstrip() + "\n" for line in done.stdout.splitlines())
        wanted = expected.rstrip("\n") + "\n" * bool(expected.strip())
        assert VARYING.sub(" …", shown) == VARYING.sub(" …", wanted), command
