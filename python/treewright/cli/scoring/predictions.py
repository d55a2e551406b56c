"""A model's answers as rows of text; values that it never met are counted, marked or refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from treewright._render.numbers import count
from treewright._render.safe_text import visible
from treewright.cli.app.console import Console
from treewright.cli.scoring.unseen_report import Unseen
from treewright.cli.tables.batches import Batch, batches
from treewright.cli.tables.source import Source
from treewright.errors import DataError, Hint, UsageError
from treewright.schema import label

__all__ = ["Answers"]


class Answers:
    """The answers for the rows of a source."""

    def __init__(
        self, model: Any, source: Source, *, proba: bool, keep_columns: bool, unseen: str
    ) -> None:
        if proba and not model.schema_.classes:
            raise UsageError("this model predicts numbers: it has no probabilities", slug="usage")
        self._model, self._source = model, source
        self._proba, self._keep, self._unseen = proba, keep_columns, unseen
        self._rows, self._used = 0, model._used_columns()
        self._account = Unseen(model)

    def tables(self, console: Console) -> Iterator[list[list[str]]]:
        """Give rows of text: the names first, then the answers, a batch at a time."""
        for batch in batches(self._source, self._model.schema_, console, self._used):
            if batch.unseen and self._unseen == "error":
                raise self._refusal(batch)
            self._account.count(batch)
            columns = [*batch.cells.values()] if self._keep else []
            columns += self._answers(batch) if len(batch) else []
            header = [] if self._rows else [self._header(list(batch.cells))]
            yield header + [list(row) for row in zip(*columns, strict=True)]
            self._rows += len(batch)

    def numeric(self, place: int) -> bool:
        """Whether the column at a place, counted from the end, holds numbers: shares, and answers that are."""
        behind = int(self._unseen == "mark")
        shares = len(self._model.schema_.classes) if self._proba else 0
        if place == -(behind + shares + 1):
            classes = self._model.schema_.classes
            return all(isinstance(c, (int, float)) and not isinstance(c, bool) for c in classes)
        return -(behind + shares) <= place < -behind

    def notes(self) -> Iterator[str]:
        """Give a sentence about each column with unseen values."""
        return self._account.notes(self._rows, advise=self._unseen == "stop")

    def _header(self, present: list[str]) -> list[str]:
        names = ["prediction"]
        if self._proba:
            names += [f"probability {label(c)}" for c in self._model.classes_.tolist()]
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

    def _answers(self, batch: Batch) -> list[list[str]]:
        columns = [[label(answer) for answer in self._model.predict(batch.table).tolist()]]
        if self._proba:
            columns += [
                [repr(p) for p in share]
                for share in self._model.predict_proba(batch.table).T.tolist()
            ]
        if self._unseen == "mark":
            marks: list[list[str]] = [[] for _ in range(len(batch))]
            for name, rows in batch.unseen.items():
                for row in np.flatnonzero(rows).tolist():
                    marks[row].append(name)
            columns.append(["; ".join(names) for names in marks])
        return columns

    def _refusal(self, batch: Batch) -> DataError:
        name, rows = next(iter(batch.unseen.items()))
        row = int(np.flatnonzero(rows)[0])
        column = next(c for c in self._model.schema_.columns if c.name == name)
        levels = [visible(label(level)) for level in column.levels[:10]]
        more = ["…"] if len(column.levels) > len(levels) else []
        return DataError(
            f"{self._source.label}: row {count(batch.first + row + 1)} has the {visible(name)} "
            f'"{visible(batch.cells[name][row])}", which was never seen in training',
            slug="predict.unseen-value",
            hints=[
                f"seen: {', '.join([*levels, *more])}",
                Hint(
                    option="unseen",
                    value="stop",
                    note="predicts as the node does that asks about it",
                ),
                Hint(option="unseen", value="mark", note="and names such rows"),
            ],
        )
