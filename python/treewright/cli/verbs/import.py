"""``treewright import``: read a model of LightGBM, XGBoost or ONNX."""

# ruff: noqa: N999 (a command is in the file of its name)

from __future__ import annotations

import click

from treewright.cli.app.command import Command
from treewright.cli.app.console import Console
from treewright.cli.app.options import output_option
from treewright.cli.app.output import check_output

__all__ = ["command"]


@click.command(
    "import",
    cls=Command,
    examples=[
        "treewright import lightgbm.txt -o model.tree",
        "treewright import xgboost.json -o model.tree",
        "treewright import model.onnx",
    ],
)
@click.argument("file", type=click.Path())
@output_option("File of the model.  [default: FILE with the extension .tree]")
@click.pass_obj
def command(console: Console, /, file: str, output: str | None) -> None:
    """Convert FILE, a model of LightGBM (text), XGBoost (JSON) or ONNX, to a model file of treewright.

    The trees are copied, nothing is trained again: predictions are the same.
    All commands take the new file.
    """
    from pathlib import Path

    from treewright import from_lightgbm, from_onnx, from_xgboost, save

    target = output or str(Path(file).with_suffix(".tree"))
    check_output(target, file)
    start = _first_bytes(file)
    convert = from_xgboost if start.lstrip()[:1] == b"{" else from_lightgbm
    # An ONNX file begins with the number of its version, as a field of Protocol Buffers.
    if file.lower().endswith(".onnx") or start[:1] == b"\x08":
        convert = from_onnx
    save(convert(Path(file)), target)
    console.status(f"saved {target}")


def _first_bytes(path: str) -> bytes:
    """Return the beginning of a file; whoever reads it next reports a file that cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(64)
    except OSError:
        return b""
