"""Compile LaTeX where it is installed, and say what the log complains about."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

__all__ = ["compile_tex", "engine_of", "needs"]


def needs(engine: str) -> pytest.MarkDecorator:
    """Skip a test where an engine is not installed."""
    return pytest.mark.skipif(shutil.which(engine) is None, reason=f"{engine} is not installed")


def engine_of(text: str) -> str:
    """Return the engine that a file is made for."""
    return "xelatex" if text.startswith("% !TeX program = xelatex") else "pdflatex"


def compile_tex(text: str, folder: Path, engine: str | None = None, *, fits: bool = True) -> str:
    """Compile a file; return its log, in which no line is too wide and no character is missing."""
    engine = engine or engine_of(text)
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed")
    (folder / "page.tex").write_text(text, "utf-8")
    command = [engine, "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=folder, timeout=120, capture_output=True, check=False)
    output = done.stdout.decode("utf-8", "replace")
    assert done.returncode == 0, output[-3000:]
    log = (folder / "page.log").read_text("utf-8", "replace")
    if not fits:  # pictures of trees are as wide as they are
        return log
    assert not re.search(r"^Overfull .*", log, re.M), re.findall(r"^Overfull .*", log, re.M)
    assert "Missing character" not in log
    return log
