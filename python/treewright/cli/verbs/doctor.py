"""``treewright doctor``: check the installation."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from dataclasses import dataclass
from typing import Any

import click

from treewright._utils.build_info import describe_kernels
from treewright.cli.app.command import Command
from treewright.cli.app.console import Console
from treewright.cli.app.options import format_option
from treewright.cli.app.output import emit

__all__ = ["command"]

NEEDED = ("numpy", "scikit-learn", "narwhals", "click", "rich")
OPTIONAL = {
    "pandas": "for pandas data frames",
    "polars": "for Polars data frames, Parquet and Arrow files",
    "pyarrow": "for Arrow tables, Parquet and Arrow files",
}
COMPLETION = {
    "bash": 'eval "$(_TREEWRIGHT_COMPLETE=bash_source treewright)"',
    "zsh": 'eval "$(_TREEWRIGHT_COMPLETE=zsh_source treewright)"',
    "fish": "_TREEWRIGHT_COMPLETE=fish_source treewright | source",
}


@click.command("doctor", cls=Command)
@format_option("text", "json")
@click.pass_obj
def command(console: Console, /, form: str | None) -> None:
    """Check the installation: versions, optional packages, threads, terminal, and a self-test.

    Exits with code 1 if the self-test fails.

    The output contains no file names or user names, so you can paste it into a
    bug report. It ends with the lines that enable completion in your shell.
    """
    report = _Report(_examine(console))
    emit(report, form, None)
    if report.values["check"].startswith("FAILED"):
        raise click.exceptions.Exit(1)


def _examine(console: Console) -> dict[str, Any]:
    import treewright

    return {
        "treewright": treewright.__version__,
        "python": f"{platform.python_version()} ({platform.python_implementation()})",
        "system": f"{platform.system()} {platform.machine()}",
        "needed": {name: _version(name) for name in NEEDED},
        "optional": {name: _version(name) for name in OPTIONAL},
        "threads": _threads(),
        "kernels": describe_kernels(),
        "cpu": _cpu_features(),
        "terminal": {
            "output": getattr(sys.stdout, "encoding", None) or "none",
            "signs": "ASCII" if console.ascii_only(sys.stdout) else "Unicode",
            "color": console.uses_color(sys.stderr),
        },
        "check": _self_test(),
        "completion": COMPLETION,
    }


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _threads() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _cpu_features() -> list[str]:
    """Return the instruction sets that numpy uses beyond its baseline."""
    import numpy as np

    simd = np.show_config(mode="dicts").get("SIMD Extensions", {})
    return [str(name) for name in simd.get("found", [])]


def _self_test() -> str:
    """Train, write, read and use the smallest tree: it needs every part to work."""
    from treewright import ID3Classifier, datasets
    from treewright.files import from_bytes, to_bytes

    try:
        X, y = datasets.play_tennis()
        model = from_bytes(to_bytes(ID3Classifier().fit(X, y)))
        correct = int((model.predict(X) == y).sum())
    except Exception as error:  # whatever it is, the other lines help to find the cause
        return f"FAILED: {type(error).__name__}: {error}"
    nodes = model.tree_.n_nodes
    return f"passed: play-tennis trained, saved and loaded ({nodes} nodes, {correct} of {len(y)} correct)"


@dataclass(frozen=True)
class _Report:
    """What was found."""

    values: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        return self.values

    def text(self) -> str:
        values, terminal = self.values, self.values["terminal"]
        lines = [
            f"treewright   {values['treewright']}",
            f"python       {values['python']}, {values['system']}",
            *(f"{name:<13}{version or 'MISSING'}" for name, version in values["needed"].items()),
            *(
                f"{name:<13}{version or 'not installed'}   ({OPTIONAL[name]})"
                for name, version in values["optional"].items()
            ),
            f"threads      {values['threads']}",
            f"kernels      {values['kernels']}",
            f"cpu          {', '.join(values['cpu']) or 'baseline'}",
            f"terminal     {terminal['output']}, {terminal['signs']} characters, "
            f"{'color' if terminal['color'] else 'no color'}",
            f"self-test    {values['check']}",
            "",
            "shell completion",
            *(f"  {shell:<5} {line}" for shell, line in values["completion"].items()),
        ]
        return "\n".join(lines)
