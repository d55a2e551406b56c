"""The columns of a report: what each one is, which values are missing, how its values are distributed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._input.encoding import encode_columns
from treewright._input.short_numbers import write_value
from treewright._render.charts import Bar, BarChart, NamedBars
from treewright._render.document import Block, Heading, Picture, Table, Text
from treewright._render.document import Column as TableColumn
from treewright._render.numbers import count, percent, plural
from treewright._render.safe_text import visible
from treewright._web.report.report_subject import GivenRows, Subject
from treewright.schema import Column, label
from treewright.table import MISSING

__all__ = ["column_blocks", "distribution_blocks", "used_columns"]

MAX_LISTED = 300
MAX_BINS = 16
MAX_BARS = 10
MAX_CLASSES = 6  # with a color of their own
SHOWN_CATEGORIES = 3


def used_columns(subject: Subject) -> NDArray[np.int64]:
    """Return how many splits of the trees in the report test each column."""
    splits = np.zeros(len(subject.schema.columns), dtype=np.int64)
    for tree in subject.trees:
        inner = tree.n_children > 0
        splits += np.bincount(tree.feature[inner], minlength=len(splits))
    return splits


def column_blocks(subject: Subject, others: tuple[str, ...]) -> list[Block]:
    """Return a table with a line for each column that the model reads, and the columns that it does not read."""
    columns = subject.schema.columns[:MAX_LISTED]
    rows, splits = subject.described, used_columns(subject)
    table = [
        TableColumn("column", tuple(visible(c.name) for c in columns), left=True),
        TableColumn("kind", tuple(map(_kind, columns)), left=True),
        TableColumn("values", tuple(_values(subject, rows)[: len(columns)]), left=True),
    ]
    if rows is not None:
        table.append(TableColumn("missing", tuple(_missing(rows)[: len(columns)])))
    if subject.trees:
        table.append(TableColumn("splits", tuple(count(n) for n in splits[: len(columns)])))
    blocks: list[Block] = [Table(tuple(table))]
    left_out = len(subject.schema.columns) - len(columns)
    blocks += [Text(f"… {plural(left_out, 'more column')}")] if left_out else []
    if rows is not None:
        blocks.append(
            Text(
                f"Values and missing values are those of {plural(len(rows.X), 'row')}: {rows.title}."
            )
        )
    if others:
        names = ", ".join(visible(name) for name in others[:40])
        blocks.append(
            Text(
                f"Not read by the model: {names}. The target and columns that were ignored in training are among them."
            )
        )
    return blocks


def _kind(column: Column) -> str:
    if column.order:
        return "ordered categories"
    if column.is_date:
        return "date"
    if column.part:
        return f"{column.part} of {visible(column.source)}"
    if column.kind == "numeric":
        return "number"
    return f"categories, rare ones as {visible(column.other)}" if column.other else "categories"


def _values(subject: Subject, rows: GivenRows | None) -> list[str]:
    """Return the range or the categories of each column in words."""
    coded = None if rows is None else encode_columns(rows.X, subject.model.schema_)
    return [
        _describe(column, None if coded is None else coded[i])
        for i, column in enumerate(subject.schema.columns)
    ]


def _describe(column: Column, data: NDArray[Any] | None) -> str:
    if column.kind == "categorical":
        names = [visible(label(level)) for level in column.levels]
        if data is not None:
            counts = np.bincount(data[data < len(names)], minlength=len(names))
            order = np.argsort(-counts, kind="stable").tolist()
            names = [f"{names[i]} ({percent(counts[i] / max(1, len(data)))})" for i in order]
        rest = len(names) - SHOWN_CATEGORIES
        return ", ".join(names[:SHOWN_CATEGORIES]) + (
            f" and {count(rest)} more" if rest > 0 else ""
        )
    known = np.empty(0) if data is None else data[~np.isnan(data)]
    if not len(known):
        return ", ".join(visible(label(level)) for level in column.order[:6])
    low, middle, high = (float(x) for x in np.quantile(known, [0, 0.5, 1], method="lower"))
    exact = column.in_words or column.decimals is not None
    texts = [write_value(x, column) if exact else f"{x:.5g}" for x in (low, middle, high)]
    return f"{texts[0]} to {texts[2]}, median {texts[1]}"


def _missing(rows: GivenRows) -> list[str]:
    absent = [int(np.count_nonzero(series.missing())) for series in rows.X._densify().series]
    return [f"{count(n)} ({percent(n / max(1, len(rows.X)))})" if n else "0" for n in absent]


def distribution_blocks(subject: Subject, chosen: list[int]) -> list[Block]:
    """Return a picture of the values of each chosen column, by class."""
    rows = subject.described
    if rows is None:
        return []
    coded = encode_columns(rows.X, subject.model.schema_)
    classes, names = _classes(subject, rows)
    blocks: list[Block] = [Heading("Distributions")]
    blocks.append(
        Text(
            f"Rows by value and class: {rows.title}." if names else f"Rows by value: {rows.title}."
        )
    )
    for i in chosen:
        column = subject.schema.columns[i]
        if column.kind == "categorical":
            blocks.append(Picture(_category_bars(column, coded[i])))
        else:
            chart = _histogram(column, coded[i], classes, names)
            blocks += [] if chart is None else [Picture(chart)]
    return blocks if len(blocks) > 2 else []


def _classes(subject: Subject, rows: GivenRows) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Return the class of each row and their names, the most frequent first; a single one for numbers."""
    values = [label(value) for value in np.asarray(rows.y).tolist()]
    known = [label(c) for c in subject.schema.classes]
    if not known:
        return np.zeros(len(values), dtype=np.int64), ()
    place = {name: i for i, name in enumerate(known)}
    codes = np.array([place.get(value, 0) for value in values], dtype=np.int64)
    order = np.argsort(-np.bincount(codes, minlength=len(known)), kind="stable")
    rank = np.empty(len(known), dtype=np.int64)
    rank[order] = np.arange(len(known))
    names = [visible(known[i]) for i in order.tolist()]
    if len(names) > MAX_CLASSES:
        names = [*names[: MAX_CLASSES - 1], "others"]
    return np.minimum(rank[codes], MAX_CLASSES - 1), tuple(names)


def _histogram(
    column: Column, data: NDArray[Any], classes: NDArray[np.int64], names: tuple[str, ...]
) -> BarChart | None:
    known = ~np.isnan(data)
    if not known.any() or column.in_words:
        return None
    low, high = float(data[known].min()), float(data[known].max())
    if not high > low:
        return None
    edges = np.linspace(low, high, MAX_BINS + 1)
    # A bin holds the numbers above its lower edge, up to its upper edge, as a split does.
    place = np.clip(np.searchsorted(edges, data[known], side="left") - 1, 0, MAX_BINS - 1)
    parts = max(1, len(names))
    amounts = np.bincount(place * parts + classes[known], minlength=MAX_BINS * parts)
    return BarChart(
        tuple(edges.tolist()),
        names or ("rows",),
        tuple(tuple(map(float, bar)) for bar in amounts.reshape(MAX_BINS, parts).tolist()),
        None,
        f"Distribution of {visible(column.name)}",
        (visible(column.name), "rows"),
    )


def _category_bars(column: Column, data: NDArray[Any]) -> NamedBars:
    names = [visible(label(level)) for level in column.levels]
    counts = np.bincount(data[data < len(names)], minlength=max(1, len(names)))
    order = np.argsort(-counts, kind="stable").tolist()[: len(names)]
    counted = [(names[i], int(counts[i])) for i in order[:MAX_BARS]]
    rest = int(counts[order[MAX_BARS:]].sum())
    counted += [(f"{len(order) - MAX_BARS} others", rest)] if len(order) > MAX_BARS else []
    absent = int(np.count_nonzero(data == MISSING))
    counted += [("missing", absent)] if absent else []
    bars = tuple(Bar(name, float(n), count(n)) for name, n in counted)
    return NamedBars(bars, f"Rows of each category of {visible(column.name)}")
