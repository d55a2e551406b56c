"""Columns of a model in SQL that are made of a column of the table: parts of dates, amounts as numbers."""

from __future__ import annotations

from treewright._export.combined_model import refuse
from treewright._input.amounts import BETWEEN, UNITS
from treewright._input.dates import write_date
from treewright.schema import Column

__all__ = ["write_date_cut", "write_source"]

EXTRACT = {
    "year": "EXTRACT(YEAR FROM {})",
    "month": "EXTRACT(MONTH FROM {}) - 1",
    "day": "EXTRACT(DAY FROM {})",
    "weekday": "EXTRACT(ISODOW FROM {}) - 1",
    "hour": "EXTRACT(HOUR FROM {})",
}
SQLITE = {
    "year": "CAST(STRFTIME('%Y', {}) AS INTEGER)",
    "month": "CAST(STRFTIME('%m', {}) AS INTEGER) - 1",
    "day": "CAST(STRFTIME('%d', {}) AS INTEGER)",
    "weekday": "(STRFTIME('%w', {}) + 6) % 7",
    "hour": "CAST(STRFTIME('%H', {}) AS INTEGER)",
}


def write_source(column: Column, name: str, dialect: str) -> str:
    """Write the value of a column of the model, given the quoted name of the column that it comes from."""
    meaning = column.meaning
    if meaning is None or not meaning.written:
        return name
    if not meaning.part:
        return _amount(name, meaning.written, dialect)
    if meaning.written != "ymd":
        raise refuse("SQL", f'the dates of "{column.source}" do not begin with the year')
    if dialect == "sqlite":
        moment = f"DATE({name})" if meaning.part == "date" else f"DATETIME({name})"
        return moment if column.is_date else f"({SQLITE[meaning.part].format(name)})"
    kind = "DATE" if meaning.part == "date" else "TIMESTAMP"
    moment = f"CAST({name} AS {kind})"
    return moment if column.is_date else f"({EXTRACT[meaning.part].format(moment)})"


def write_date_cut(column: Column, days: float, dialect: str) -> str:
    """Write a threshold of days as a date or a time."""
    is_day = column.part == "date"
    text = write_date(days // 1 if is_day else days)
    if dialect == "sqlite":
        return f"'{text}'" if is_day else f"DATETIME('{text}')"
    return f"{'DATE' if is_day else 'TIMESTAMP'} '{text}'"


def _amount(name: str, mark: str, dialect: str) -> str:
    """Write a text such as ``$1,542.58`` as a number; parentheses make it negative."""
    dropped = UNITS + BETWEEN + "()" + ("," if mark == "." else ".")
    text = f"CAST({name} AS TEXT)"
    bare = text
    if dialect == "sqlite":
        for sign in dropped:
            bare = f"REPLACE({bare}, '{sign.replace(chr(39), chr(39) * 2)}', '')"
    else:
        bare = f"TRANSLATE({bare}, '{dropped.replace(chr(39), chr(39) * 2)}', '')"
    bare = bare if mark == "." else f"REPLACE({bare}, ',', '.')"
    kind = "REAL" if dialect == "sqlite" else "DOUBLE PRECISION"
    sign = f"CASE WHEN {text} LIKE '(%' THEN -1 ELSE 1 END"
    return f"({sign} * CAST(NULLIF({bare}, '') AS {kind}))"
