"""Predictions as rows of text; unseen categories are counted, marked, or stop the command with an error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from treewright._render.numbers import count
from treewright._render.safe_text import visible
from treewright.cli.app.console import Console
from treewright.cli.scoring.unseen_report import UnseenReport
from treewright.cli.tables.batches import Batch, batches
from treewright.cli.tables.source import Source
from treewright.errors import DataError, Hint, UsageError
from treewright.schema import label

__all__ = ["Predictions"]

MAX_CATEGORIES = 10


class Predictions:
    """The predictions for the rows of a source."""

    def __init__(
        self,
        model: Any,
        source: Source,
        *,
        proba: bool,
        interval: float | None,
        keep_columns: bool,
        unseen: str,
    ) -> None:
        if proba and not model.schema_.classes:
            raise UsageError(
                "--proba works only for class targets; this model predicts numbers", slug="usage"
            )
        if interval is not None and not hasattr(model, "predict_interval"):
            raise UsageError(
                "--interval works only for boosting, extra-trees and forest with a numeric target",
                slug="usage",
            )
        if interval is not None and not vars(model).keys() & {"_leaf_targets", "_interval_ends"}:
            raise UsageError(
                "the model was fitted without --interval",
                slug="usage.model",
                hints=[Hint(option="interval", value=interval, note="also an option of fit")],
            )
        self._model, self._source, self._interval = model, source, interval
        self._proba, self._keep, self._unseen = proba, keep_columns, unseen
        self._rows, self._used = 0, model._used_columns()
        self._report = UnseenReport(model)

    def batches(self, console: Console) -> Iterator[tuple[list[str], list[list[str]]]]:
        """Give the header and some rows of text, a batch at a time."""
        for batch in batches(self._source, self._model.schema_, console, self._used):
            if batch.unseen and self._unseen == "error":
                raise self._unseen_error(batch)
            self._report.count(batch)
            columns = [*batch.cells.values()] if self._keep else []
            columns += self._columns(batch) if len(batch) else []
            yield self._header(list(batch.cells)), [list(r) for r in zip(*columns, strict=True)]
            self._rows += len(batch)

    def is_numeric(self, place: int) -> bool:
        """Whether the column at a place, counted from the end, has numbers: probabilities, and predictions that are."""
        behind = int(self._unseen == "mark")
        classes = self._model.schema_.classes
        probabilities = len(classes) if self._proba else 0
        probabilities += 0 if self._interval is None else 2
        if place == -(behind + probabilities + 1):
            return all(isinstance(c, (int, float)) and not isinstance(c, bool) for c in classes)
        return -(behind + probabilities) <= place < -behind

    def notes(self) -> Iterator[str]:
        """Give a note about each column with unseen categories."""
        return self._report.notes(self._rows, advise=self._unseen == "stop")

    def _header(self, present: list[str]) -> list[str]:
        names = ["prediction"]
        if self._proba:
            names += [f"probability {label(c)}" for c in self._model.classes_.tolist()]
        if self._interval is not None:
            names += ["low", "high"]
        if self._unseen == "mark":
            names.append("unseen")
        if not self._keep:
            return names
        taken = set(present)
        for name in names:
            while name in taken:
                name += "_"
            taken.add(name)
            present = [*present, name]
        return present

    def _columns(self, batch: Batch) -> list[list[str]]:
        columns = [[label(value) for value in self._model.predict(batch.table).tolist()]]
        if self._proba:
            probabilities = self._model.predict_proba(batch.table).T.tolist()
            columns += [[repr(p) for p in column] for column in probabilities]
        if self._interval is not None:
            ends = self._model.predict_interval(batch.table, self._interval).T.tolist()
            columns += [[label(end) for end in column] for column in ends]
        if self._unseen == "mark":
            marks: list[list[str]] = [[] for _ in range(len(batch))]
            for name, rows in batch.unseen.items():
                for row in np.flatnonzero(rows).tolist():
                    marks[row].append(name)
            columns.append(["; ".join(names) for names in marks])
        return columns

    def _unseen_error(self, batch: Batch) -> DataError:
        name, rows = next(iter(batch.unseen.items()))
        row = int(np.flatnonzero(rows)[0])
        column = next(c for c in self._model.schema_.columns if c.name == name)
        known = [visible(label(level)) for level in column.levels[:MAX_CATEGORIES]]
        more = ["…"] if len(column.levels) > len(known) else []
        return DataError(
            f"{self._source.label} row {count(batch.first + row + 1)}: "
            f'"{visible(batch.cells[name][row])}" in column "{visible(name)}" was not seen in training',
            slug="predict.unseen-value",
            hints=[
                f"seen: {', '.join([*known, *more])}",
                Hint(option="unseen", value="stop", note="use the node that tests the column"),
                Hint(option="unseen", value="mark", note="and mark these rows"),
            ],
        )
