"""A table that the server holds: read once with the user's options, and told to the page as the contract says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright._catalog import import_public
from treewright._input.columns import to_levels
from treewright._reading import inspect
from treewright._reading.inspection import ColumnReport, Inspection, count_different
from treewright._reading.target_column import (
    ambiguous_error,
    as_classes,
    is_ambiguous,
    refuse_target,
)
from treewright._web.tree_document import class_names
from treewright.errors import DataError, UsageError
from treewright.schema import Schema, label
from treewright.table import MISSING, Series, Table

__all__ = ["HeldTable", "read_held"]

HEAD_ROWS = 50
MAX_LEVELS = 200
MAX_BARS = 12
MAX_RANGES = 24
CELL_TEXT = 200  # of a cell in a list of rows
TEXT_OPTIONS = (
    "delimiter",
    "header",
    "missing",
    "decimal",
    "thousands",
    "comment",
    "ragged",
    "encoding",
)
COLUMN_CHOICES = ("numeric", "categorical", "ignore", "keep")
TASKS = ("classification", "regression")


@dataclass(frozen=True, eq=False)
class HeldTable:
    """A table, its target, and what was decided about its columns.

    Parameters
    ----------
    content : bytes, path or Table
        What was read, so that it can be read again with other options.
    name : str
        Its name on the page.
    options : mapping
        The options of the user, ``OpenOptions`` of the contract.
    inspection : Inspection
        All columns and the reports on them.
    target : Series
        The target, as classes or numbers.
    features : Table
        The columns that models are trained on.
    schema : Schema
        What models read and predict: the classes are in their order.
    """

    content: Any
    name: str
    options: Mapping[str, Any]
    inspection: Inspection
    target: Series
    features: Table
    schema: Schema

    @property
    def task(self) -> str:
        """What is predicted: "classify" (a class) or "regress" (a number)."""
        return "classify" if self.target.kind == "categorical" else "regress"

    def describe(self, number: int) -> dict[str, Any]:
        """Return the ``Table`` of the contract."""
        names = [report.name for report in self.inspection.reports]
        return {
            "id": number,
            "name": self.name,
            "rows": self.inspection.rows,
            "columns": [self._column(report) for report in self.inspection.reports],
            "features": [_feature(s, names.index(s.name)) for s in self.features.series],
            "target": self.target.name,
            "classes": class_names(self.schema),
            "notes": [str(note) for note in self.inspection.notes if note.column is None],
            "head": self.rows(0, HEAD_ROWS),
        }

    def _column(self, report: ColumnReport) -> dict[str, Any]:
        series = self.inspection.table.column(report.name)
        is_target = report.name == self.target.name
        role = "target" if is_target else "ignored" if report.ignored else "feature"
        document = {
            "name": report.name,
            "kind": report.read_as if report.read_as in ("ordered", "date") else series.kind,
            "role": role,
            "note": report.remark(),
            "missing": report.missing,
            "distinct": count_different(series),
        }
        present = series.data[~series.missing()]
        if series.kind == "numeric":
            ends = [float(present.min()), float(present.max())] if len(present) else []
            return document | dict(zip(("min", "max"), ends, strict=False))
        rows = np.bincount(present, minlength=len(series.levels))
        pairs = zip(series.levels[:MAX_LEVELS], rows.tolist(), strict=False)
        return document | {"levels": [{"name": label(level), "rows": n} for level, n in pairs]}

    def rows(self, offset: int, limit: int) -> list[list[str]]:
        """Return some rows as text, in the order of the columns."""
        part = slice(offset, offset + limit)
        columns = [_texts(series, part) for series in self.inspection.table.series]
        return [list(row) for row in zip(*columns, strict=True)]

    def cells(self, index: list[int]) -> list[list[str | float | None]]:
        """Return rows by their positions, numbers as numbers."""
        chosen = np.asarray(index, np.int64)
        columns = [s.take(chosen).values() for s in self.inspection.table.series]
        return [[_cell(value) for value in row] for row in zip(*columns, strict=True)]

    def distribution(self, column: int) -> dict[str, Any]:
        """Return the ``Distribution`` of a source column."""
        series = self.inspection.table.series[column]
        if self.target.kind == "categorical":
            order = [self.target.levels.index(name) for name in self.schema.classes]
            classes, width = np.argsort(order)[self.target.data], len(order)
        else:
            classes, width = np.zeros(self.inspection.rows, np.int64), 1
        absent = series.missing()
        document = {"missing": np.bincount(classes[absent], minlength=width).tolist()}
        if series.kind == "numeric":
            return document | _ranges(series.data[~absent], classes[~absent], width)
        return document | _bars(series, classes, width)


def read_held(content: Any, name: str, options: Mapping[str, Any]) -> HeldTable:
    """Read a table with the options of a page; all of them are checked."""
    _check_options(options)
    columns = options.get("columns") or {}
    chosen: dict[str, Any] = {
        c: [n for n, choice in columns.items() if choice == c] for c in COLUMN_CHOICES
    }
    text = {key: options[key] for key in TEXT_OPTIONS if options.get(key) is not None}
    source = content.table if hasattr(content, "table") else content
    target = options.get("target") or getattr(content, "target", None)
    ignored = [n for n in getattr(content, "ignore", ()) if n not in chosen["keep"]]
    chosen["ignore"] = [*chosen["ignore"], *ignored]
    if target is None:
        target = _find_target(inspect(source, label=name, **text), name)
    if target not in chosen["keep"]:
        chosen["keep"] = [*(n for n in chosen["keep"]), target]
    chosen["ignore"] = [n for n in chosen["ignore"] if n != target]
    if options.get("task") == "regression" and target not in chosen["numeric"]:
        chosen["numeric"] = [*chosen["numeric"], target]
    inspection = inspect(source, label=name, **chosen, **text)
    return _with_target(content, name, options, inspection, target)


def _find_target(inspection: Inspection, name: str) -> str:
    """Return the last column that could be a target: the page shows a table before one is chosen."""
    for series in reversed(inspection.table.series):
        try:
            refuse_target(series, name)
        except DataError:
            continue
        return series.name
    raise DataError(f"{name} has no column that could be the target", slug="fit.no-features")


def _with_target(
    content: Any, name: str, options: Mapping[str, Any], inspection: Inspection, target: str
) -> HeldTable:
    series = inspection.table.column(target)
    refuse_target(series, name)
    task = options.get("task")
    if series.kind == "numeric":
        if task is None and is_ambiguous(series):
            raise ambiguous_error(series)
        series = as_classes(series) if task == "classification" else series
    unused = {*inspection.ignored, target}
    features = Table([s for s in inspection.table.series if s.name not in unused])
    if not features.series:
        raise DataError(f"{name} has no usable feature column", slug="fit.no-features")
    baseline = "ZeroRClassifier" if series.kind == "categorical" else "ZeroRRegressor"
    schema = import_public(baseline)().fit(features, series).schema_
    return HeldTable(content, name, options, inspection, series, features, schema)


def _check_options(options: Mapping[str, Any]) -> None:
    """Raise an error for what the page never sends."""
    columns = options.get("columns") or {}
    known = {"target", "task", "columns", *TEXT_OPTIONS}
    valid = isinstance(options, Mapping) and set(options) <= known
    valid = valid and isinstance(columns, Mapping) and options.get("task") in (None, *TASKS)
    valid = valid and all(choice in COLUMN_CHOICES for choice in columns.values())
    if not valid or not isinstance(options.get("target"), (str, type(None))):
        raise UsageError("these are not options of a table", slug="server.request")


def _feature(series: Series, source: int) -> dict[str, Any]:
    document: dict[str, Any] = {"name": series.name, "kind": series.kind, "source": source}
    if series.kind == "categorical":
        return document | {"levels": [label(level) for level in series.levels]}
    if series.meaning is not None and series.meaning.order:
        document["ordered"] = [label(level) for level in series.meaning.order]
    if series.meaning is not None and series.meaning.part in ("date", "time"):
        document["date"] = True
    return document


def _texts(series: Series, rows: slice) -> list[str]:
    values = series.take(rows).values()
    return ["" if value is None else label(value)[:CELL_TEXT] for value in values]


def _cell(value: Any) -> str | float | None:
    if value is None or (isinstance(value, float) and not isinstance(value, bool)):
        return value
    return label(value)[:CELL_TEXT]


def _ranges(values: Any, classes: Any, width: int) -> dict[str, Any]:
    """Count numbers in ranges of equal width, by class."""
    if not len(values):
        return {"edges": [], "counts": []}
    halves = values / 2  # the difference of the ends themselves may overflow
    low, high = float(halves.min()), float(halves.max())
    ranges = min(MAX_RANGES, len(np.unique(values)))
    step = (high - low) / ranges
    places = np.minimum((halves - low) / step, ranges - 1).astype(np.int64) if step else 0
    counts = np.zeros((ranges, width), np.int64)
    np.add.at(counts, (places, classes), 1)
    edges = [2 * (low + step * i) for i in range(ranges)] + [2 * high]
    return {"edges": edges, "counts": counts.tolist()}


def _bars(series: Series, classes: Any, width: int) -> dict[str, Any]:
    """Count categories by class, the most frequent first."""
    series = to_levels(series) if series.meaning is not None and series.meaning.order else series
    present = series.data != MISSING
    counts = np.zeros((len(series.levels), width), np.int64)
    np.add.at(counts, (series.data[present], classes[present]), 1)
    order = np.argsort(-counts.sum(1), kind="stable")
    largest, rest = order[:MAX_BARS], order[MAX_BARS:]
    document: dict[str, Any] = {
        "levels": [label(series.levels[i]) for i in largest.tolist()],
        "counts": counts[largest].tolist(),
    }
    return document | ({"others": counts[rest].sum(0).tolist()} if len(rest) else {})
