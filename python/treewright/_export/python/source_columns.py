"""Python text that makes the columns of a model of those of a row: ordered categories, dates, amounts."""

from __future__ import annotations

from treewright.schema import Schema

__all__ = ["read_sources", "write_sources"]

SOURCES = '''
# For each column that is not a plain number: where it comes from, what it is, and its order or way of writing.
SOURCES = {sources}


def _read(value, part, order, written):
    """Return the number that a category, a date or an amount stands for; nan if it stands for none."""
    if part == "other":
        return value if value is None or value in order else order[-1]
    if value is None or value != value or (order and value in order):
        return order.index(value) if order and value in order else nan
    if order and not part:
        return nan
    if isinstance(value, (int, float)):
        return value
    if not part:
        text = "".join(c for c in value if c in "0123456789-()" or c == written).replace(written, ".")
        return -float(text[1:-1]) if text.startswith("(") else float(text)
    if isinstance(value, str):
        day, time = (value.replace("T", " ").strip() + " ").split(" ", 1)
        words = day.replace("/", "-").replace(".", "-").split("-")
        if len(words[0]) < 4:
            words = [words[i] for i in ((2, 1, 0) if written == "dmy" else (2, 0, 1))]
        clock = datetime.time.fromisoformat(time.strip()) if time.strip() else datetime.time()
        value = datetime.datetime.combine(datetime.date(*map(int, words)), clock)
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime.combine(value, datetime.time())
    value = value.replace(tzinfo=None)
    if part == "date":
        return float((value - datetime.datetime(1970, 1, 1)).days)
    if part == "time":
        return (value - datetime.datetime(1970, 1, 1)).total_seconds() / 86400.0
    if part == "weekday":
        return value.weekday()
    return value.month - 1 if part == "month" else getattr(value, part)


def _prepare(row):
    """Return a row with numbers in place of ordered categories, dates and amounts."""
    made = {{name: _read(row.get(name, row.get(at)), *how) for name, (at, *how) in SOURCES.items()}}
    return {{**row, **made}}
'''


def read_sources(schema: Schema) -> str:
    """Write the line that prepares a row; nothing if its columns are those of the model."""
    return "    row = _prepare(row)\n" if any(c.meaning for c in schema.columns) else ""


def write_sources(schema: Schema) -> str:
    """Write the function that prepares a row; nothing if its columns are those of the model."""
    entries = []
    for column in schema.columns:
        if column.meaning is not None:
            part, order = ("other", column.levels) if column.other else (column.part, column.order)
            how = (column.source, part, order, column.meaning.written)
            entries.append(f"    {column.name!r}: {how!r},\n")
    if not entries:
        return ""
    return "\n\nimport datetime\n" + SOURCES.format(sources=f"{{\n{''.join(entries)}}}")
