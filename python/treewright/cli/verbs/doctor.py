"""``treewright doctor``: what is installed here, and whether it works."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import sys
from typing import Any

import click

from treewright.cli.app.command import Verb
from treewright.cli.app.console import Console, data_out

__all__ = ["command"]

NEEDED = ("numpy", "scikit-learn", "narwhals", "click", "rich")
OPTIONAL = {
    "pandas": "its data frames",
    "polars": "its data frames, Parquet and Arrow files",
    "pyarrow": "its tables, Parquet and Arrow files",
}
COMPLETION = {
    "bash": 'eval "$(_TREEWRIGHT_COMPLETE=bash_source treewright)"',
    "zsh": 'eval "$(_TREEWRIGHT_COMPLETE=zsh_source treewright)"',
    "fish": "_TREEWRIGHT_COMPLETE=fish_source treewright | source",
}


@click.command("doctor", cls=Verb)
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="The form."
)
@click.pass_obj
def command(console: Console, /, form: str) -> None:
    """Print versions, optional parts, threads, and what the terminal can show.

    Names of files and people do not appear, so the output can be pasted into a report.

    Shell completion: put the line for your shell, printed at the end, into its start-up file.
    """
    facts = _facts(console)
    if form == "json":
        data_out(json.dumps(facts, indent=1) + "\n")
    else:
        console.say(_text(facts))
    if facts["check"].startswith("FAILED"):
        raise click.exceptions.Exit(1)


def _facts(console: Console) -> dict[str, Any]:
    import treewright

    return {
        "treewright": treewright.__version__,
        "python": f"{platform.python_version()} ({platform.python_implementation()})",
        "system": f"{platform.system()} {platform.machine()}",
        "needed": {name: _version(name) for name in NEEDED},
        "optional": {name: _version(name) for name in OPTIONAL},
        "threads": _threads(),
        "cpu": _features(),
        "terminal": {
            "output": getattr(sys.stdout, "encoding", None) or "none",
            "signs": "ASCII" if console.signs_are_plain(sys.stdout) else "Unicode",
            "color": console.colors(sys.stderr),
        },
        "check": _check(),
        "completion": COMPLETION,
    }


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _threads() -> int:
    """Return the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _features() -> list[str]:
    """Return the instruction sets that numpy found beyond the least that it needs."""
    import numpy as np

    simd = np.show_config(mode="dicts").get("SIMD Extensions", {})
    return [str(name) for name in simd.get("found", [])]


def _check() -> str:
    """Learn, write, read and ask the smallest tree: it needs every part to work."""
    from treewright import ID3Classifier, datasets
    from treewright.files import from_bytes, to_bytes

    try:
        X, y = datasets.play_tennis()
        model = from_bytes(to_bytes(ID3Classifier().fit(X, y)))
        right = int((model.predict(X) == y).sum())
    except Exception as error:  # whatever it is, the other lines are what helps to find it
        return f"FAILED: {type(error).__name__}: {error}"
    nodes = model.tree_.n_nodes
    return f"learnt, saved and read play-tennis: {nodes} nodes, {right} of {len(y)} right"


def _text(facts: dict[str, Any]) -> str:
    terminal = facts["terminal"]
    lines = [
        f"treewright   {facts['treewright']}",
        f"python       {facts['python']}, {facts['system']}",
        *(f"{name:<13}{version or 'MISSING'}" for name, version in facts["needed"].items()),
        *(
            f"{name:<13}{version or 'not installed'}   ({OPTIONAL[name]})"
            for name, version in facts["optional"].items()
        ),
        f"threads      {facts['threads']}",
        f"cpu          {', '.join(facts['cpu']) or 'nothing beyond the least'}",
        f"terminal     {terminal['output']}, {terminal['signs']} signs, "
        f"{'colour' if terminal['color'] else 'no colour'}",
        f"check        {facts['check']}",
        "",
        "shell completion",
        *(f"  {shell:<5} {line}" for shell, line in facts["completion"].items()),
    ]
    return "\n".join(lines)
