"""A model's answers as rows of text, and the account of values that it never met.

Glossary: a row *stops* at a node whose question it cannot follow, because its value there is unseen; it then gets that
node's answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from treewright.cli.batches import Batch, batches
from treewright.cli.console import Console
from treewright.cli.sources import Source
from treewright.draw.figures import count, plural
from treewright.draw.names import visible
from treewright.errors import DataError, UsageError
from treewright.schema import label

__all__ = ["Answers"]

NAMED = 3
MOST_VALUES = 1000  # different unseen values counted by name for each column: memory stays flat


class Answers:
    """The answers for the rows of a source."""

    def __init__(
        self, model: Any, source: Source, *, proba: bool, keep_columns: bool, unseen: str
    ) -> None:
        if proba and not model.schema_.classes:
            raise UsageError("this model predicts numbers: it has no probabilities", slug="usage")
        self._model, self._source = model, source
        self._proba, self._keep, self._unseen = proba, keep_columns, unseen
        self._rows = 0
        # By column: the unseen values with how often they occur, and the nodes where rows stopped for them.
        self._values: dict[str, Counter[str]] = {}
        self._stops: dict[str, Counter[int]] = {}
        self._totals: Counter[str] = Counter()

    def tables(self, console: Console) -> Iterator[list[list[str]]]:
        """Give rows of text: the names first, then the answers, a batch at a time."""
        for batch in batches(self._source, self._model.schema_, console):
            self._count(batch)
            columns = [*batch.cells.values()] if self._keep else []
            columns += self._answers(batch) if len(batch) else []
            header = [] if self._rows else [self._header(list(batch.cells))]
            yield header + [list(row) for row in zip(*columns, strict=True)]
            self._rows += len(batch)

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

    def _count(self, batch: Batch) -> None:
        if not batch.unseen:
            return
        if self._unseen == "error":
            raise self._refusal(batch)
        tree, names = self._model.tree_, self._model.schema_.names
        nodes = self._model.apply(batch.table)
        stopped = tree.n_children[nodes] > 0
        for name, rows in batch.unseen.items():
            cells = batch.cells[name]
            self._totals[name] += int(rows.sum())
            values = self._values.setdefault(name, Counter())
            for row in np.flatnonzero(rows).tolist():
                if cells[row] in values or len(values) < MOST_VALUES:
                    values[cells[row]] += 1
            asked = tree.feature[nodes] == names.index(name)
            self._stops.setdefault(name, Counter()).update(nodes[rows & stopped & asked].tolist())

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
                "try: --unseen stop   (the answer of the node that asks)   or: --unseen mark",
            ],
        )

    def notes(self) -> Iterator[str]:
        """Give a sentence about each column with unseen values."""
        advice = "--unseen error refuses such rows, --unseen mark adds a column."
        for name, values in self._values.items():
            rows = self._totals[name]
            common = [f'"{visible(v)}" ×{count(n)}' for v, n in values.most_common(NAMED)]
            more = ["…"] if len(values) > NAMED else []
            said = [
                f"{count(rows)} of {plural(self._rows, 'row')} {'has' if rows == 1 else 'have'} "
                f"{_article(name)} {visible(name)} never seen in training "
                f"({', '.join([*common, *more])}).",
                self._consequence(name, rows),
            ]
            last = name == list(self._values)[-1]
            yield " ".join([*said, advice] if last and self._unseen == "stop" else said)

    def _consequence(self, name: str, rows: int) -> str:
        stops = self._stops[name]
        total = stops.total()
        if not total:
            return "No question about it was met, so the answers do not depend on it."
        one = total == 1
        who = ("It" if one else "They") if total == rows else f"{count(total)} of them"
        where = f"node #{next(iter(stops))}" if len(stops) == 1 else "the node that asks about it"
        answer = "majority class" if self._model.schema_.classes else "mean"
        return f"{who} {'stops' if one else 'stop'} at {where} and {'gets' if one else 'get'} its {answer}."


def _article(noun: str) -> str:
    return "an" if noun[:1].lower() in "aeiou" else "a"
