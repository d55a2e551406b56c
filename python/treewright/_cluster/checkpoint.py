"""A file with the finished rounds of a fit, from which a later fit to the same rows goes on.

It is a model file that only this module reads: its bytes are checked, and nothing in it is run. It also holds what the
fit was about, so that a file of other rows or parameters is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._cluster.boosting_part import Progress
from treewright._cluster.forest_bytes import forest_to_bytes
from treewright._cluster.packed_rows import PackedRows
from treewright._utils import atomic_write
from treewright.errors import UsageError
from treewright.schema import Schema

__all__ = ["Checkpoint", "describe_params", "digest_rows"]

EVERY = 10  # rounds between two writes; the file is also written when a fit fails


@dataclass(eq=False)
class Checkpoint:
    """The file of one fit.

    Parameters
    ----------
    path : str or path
        The file.
    about : dict
        What the fit is about: texts and numbers by their names, such as its parameters and a digest of its rows.
    schema : Schema
        The columns.
    """

    path: str | os.PathLike[str]
    about: dict[str, Any]
    schema: Schema
    written: int = 0

    def read(self) -> Progress:
        """Return the rounds in the file; none if there is no file."""
        path = Path(self.path)
        if not path.exists():
            return Progress()
        forest, text = _core.Forest.from_bytes(path.read_bytes())
        noted = json.loads(text)["params"].get("checkpoint")
        if not isinstance(noted, dict):
            raise self._refuse("is a model, not the checkpoint of a fit")
        about = noted["about"]
        for name, value in self.about.items():
            if about.get(name) != value:
                raise self._refuse(f"was written by another fit: {_compare(name, about, value)}")
        losses = [[float.fromhex(each) for each in losses] for losses in noted["losses"]]
        self.written = noted["rounds"]
        trees = forest_to_bytes(forest, self.schema)
        return Progress([], losses, trees, noted["rounds"], noted["is_over"])

    def _refuse(self, reason: str) -> UsageError:
        return UsageError(
            f"{os.fspath(self.path)} {reason}",
            slug="cluster.checkpoint",
            hints=["pass another path, or remove the file to begin anew"],
        )

    def note(self, progress: Progress) -> None:
        """Write the file if enough rounds are new."""
        if progress.rounds >= self.written + EVERY:
            self.write(progress)

    def write(self, progress: Progress) -> None:
        """Write all rounds; the file is the old or the new one at every moment."""
        forest = progress.forest()
        if forest is None or progress.rounds == self.written:
            return
        noted = {
            "about": self.about,
            "losses": [[float(each).hex() for each in losses] for losses in progress.losses],
            "rounds": progress.rounds,
            "is_over": progress.is_over,
        }
        atomic_write.write(self.path, forest_to_bytes(forest, self.schema, checkpoint=noted))
        self.written = progress.rounds


def _compare(name: str, about: dict[str, Any], value: Any) -> str:
    """Say in words what differs."""
    if name == "rows_digest":
        return "its rows are others, or in another order"
    return f"{name} was {about.get(name)}, and is {value}"


def describe_params(estimator: Any) -> dict[str, str]:
    """Return the parameters that the trees depend on, as text."""
    params = estimator.get_params(deep=False)
    return {
        name: repr(value)
        for name, value in sorted(params.items())
        if name not in ("verbose", "n_jobs")
    }


def digest_rows(part: PackedRows, first: int) -> int:
    """Return a number that changes with any value of some rows, whose numbers in the table begin at ``first``.

    The numbers of all partitions add up to that of the table, however it is cut.
    """
    columns: Sequence[NDArray[Any]] = (
        part.columns if isinstance(part.columns, list) else list(part.columns.T)
    )
    weights = [] if part.weights is None else [part.weights]
    state = _mix(np.arange(first + 1, first + 1 + len(part), dtype=np.uint64))
    for column in (*columns, part.target, *weights):
        values = np.array(column, dtype=np.float64) + 0.0  # one zero
        values[np.isnan(values)] = np.nan  # one kind of gap
        state = _mix(state ^ values.view(np.uint64))
    return int(np.add.reduce(state, dtype=np.uint64))


def _mix(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return words whose every bit depends on all bits of the given ones (the last step of SplitMix64)."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    result: NDArray[np.uint64] = words ^ (words >> np.uint64(31))
    return result
