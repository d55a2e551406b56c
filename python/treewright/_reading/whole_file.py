"""A table with the report on how it was read: from text, or from a container with typed columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from treewright import _core
from treewright._input.columns import to_levels
from treewright._input.core_text import core_labels, core_text
from treewright._reading.byte_source import CsvFeed, open_feed
from treewright._reading.column_overrides import ColumnOverrides
from treewright._reading.content import Binary, Content
from treewright._reading.decisions import check_refusal, make_series, read_notes, report_column
from treewright._reading.dialect import Dialect
from treewright._reading.inspection import Inspection
from treewright._render.numbers import plural
from treewright.errors import DataError, Hint
from treewright.schema import label as level_label
from treewright.table import Series, Table

__all__ = ["inspect_table", "inspect_text"]

ROWS_PER_CHUNK = 1 << 16


def inspect_table(table: Table, overrides: ColumnOverrides, label: str) -> Inspection:
    """Report on a table with typed columns."""
    overrides.check(table.columns, label)
    if not len(table):
        raise DataError(f"{label} has no rows", slug="data.no-rows")
    sources = [_to_categories(series, overrides) for series in table.series]
    answer = _core.judge_columns(
        core_text(label),
        [_send(series) for series in sources],
        _send_choices(overrides, table.columns),
        overrides.dates == "parts",
        overrides.selects,
    )
    return _inspection(check_refusal(answer), sources, overrides, label)


def inspect_text(
    source: Binary | Content, dialect: Dialect, overrides: ColumnOverrides, label: str
) -> Inspection:
    """Read delimited text and decide what its columns are."""
    with open_feed(source, dialect, label) as feed:
        dialect = feed.dialect
        header = feed.header()
        overrides.check(header, label)
        chunks = list(feed.chunks(ROWS_PER_CHUNK))
    reader = feed.reader
    if not chunks:
        raise _no_rows(label, reader.dropped)
    answer = _core.read_columns(
        core_text(label),
        header,
        chunks,
        dialect.rules(),
        _send_file(feed),
        _send_choices(overrides, header),
        overrides.dates == "parts",
        overrides.selects,
        reader.unnamed_index,
    )
    inspection = _inspection(check_refusal(answer), (), overrides, label)
    if dialect.rewritten:
        return inspection
    return replace(
        inspection,
        delimiter=reader.delimiter,
        encoding=dialect.encoding,
        header=dialect.header,
    )


def _inspection(
    answer: Mapping[str, Any], sources: Sequence[Series], overrides: ColumnOverrides, label: str
) -> Inspection:
    columns, reports = [], []
    for column in answer["columns"]:
        levels = [level_label(level) for level in overrides.levels.get(column["name"], ())]
        series = make_series(column, sources[column["source"]] if sources else None, levels)
        columns.append(series)
        reports.append(report_column(column, series))
    return Inspection(label, Table(columns), tuple(reports), read_notes(answer))


def _to_categories(series: Series, overrides: ColumnOverrides) -> Series:
    """Return a column as categories if the user asked for them; any other column as it is."""
    name = series.name
    if name in overrides.categorical or name in overrides.levels:
        return replace(to_levels(series), meaning=None)
    if series.are_dates and overrides.mentions(name):
        return replace(series, meaning=None)
    return series


def _send(series: Series) -> tuple[str, Any, list[str] | None, list[bool]]:
    """Return a column as the core judges it."""
    coded = series.kind == "categorical"
    labels = core_labels(series.levels) if coded else None
    is_text = coded and all(isinstance(level, str) for level in series.levels)
    meaning = series.meaning is not None
    flags = [series.declared, series.ordered, is_text, series.are_dates, meaning]
    return core_text(series.name), np.ascontiguousarray(series.data), labels, flags


def _send_choices(
    overrides: ColumnOverrides, header: Sequence[str]
) -> list[tuple[str, bool, bool, list[str] | None, bool]]:
    """Return what the user decided about each column."""
    return [_send_choice(overrides, name) for name in header]


def _send_choice(
    overrides: ColumnOverrides, name: str
) -> tuple[str, bool, bool, list[str] | None, bool]:
    levels = overrides.levels.get(name)
    labels = None if levels is None else core_labels(levels)
    kept, ordered = name in overrides.keep, name in overrides.ordered
    return overrides.form(name), name in overrides.ignore, kept, labels, ordered


def _send_file(feed: CsvFeed) -> tuple[str | None, bool, list[str], list[int]]:
    """Return the delimiter if nobody named it, whether there is a header, missing texts, and what was left out."""
    reader, dialect = feed.reader, feed.dialect
    delimiter = None
    if dialect.delimiter is None and not reader.names_delimiter:
        delimiter = "" if reader.delimiter == "whitespace" else reader.delimiter
    left_out = [reader.dropped, reader.blank_lines, reader.comment_lines]
    return delimiter, dialect.header, dialect.missing, left_out


def _no_rows(label: str, dropped: int) -> DataError:
    hints: list[str | Hint] = ["the first row holds the names of the columns"]
    if dropped:
        hints = [f"{plural(dropped, 'row')} left out: not as many fields as the header has"]
    return DataError(f"{label} has no rows under its header", slug="data.no-rows", hints=hints)
