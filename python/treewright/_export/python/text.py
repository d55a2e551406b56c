"""The text of a Python module: what every model has, and the function ``find`` of small trees and rule sets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from treewright._export.identifiers import identifiers
from treewright._export.python.source_columns import read_sources, write_sources
from treewright._render.safe_text import visible
from treewright.schema import Level, Schema, label

__all__ = ["HEAD", "PREDICT", "SHARES", "VALUES", "class_comment", "dictionary", "docstring"]
__all__ += ["variables", "write_find"]

HEAD = '''\
"""{title}. Written by treewright.

predict(row) predicts one row: a mapping of column names to values. None, NaN and a missing key all mean that the value
is missing.
"""

from math import nan
'''
VALUES = """

def _number(value):
    return nan if value is None else value


def _category(value):
    return None if value is None or value != value else value
"""
FIND = '''

def find(row):
    """Return the number of {what}."""
'''
SHARES = '''

def predict_proba(row):
    """Return the probability of each class, in the order of CLASSES."""
    return {shares}
'''
PREDICT = '''

def predict(row):
    """Return {what} of a row."""
{body}
'''


def variables(schema: Schema) -> list[str]:
    """Return the variable that holds the value of each column."""
    return identifiers(schema.names, taken=("row", "nan", "find", "predict"))


def write_find(schema: Schema, tested: Iterable[int], lines: Iterable[str], what: str) -> str:
    """Write ``find``: read the tested columns, then the lines that return a number."""
    names = variables(schema)
    read = []
    for i in tested:
        reader = "_number" if schema.columns[i].kind == "numeric" else "_category"
        read.append(f"    {names[i]} = {reader}(row.get({schema.names[i]!r}))")
    head = VALUES + write_sources(schema) + FIND.format(what=what)
    return head + read_sources(schema) + "\n".join([*read, *lines]) + "\n"


def class_comment(predicted: Level) -> str:
    """Write a comment that names a class."""
    text = visible(label(predicted))[:60]
    return f"  # {text}" if text.strip() else ""


def dictionary(items: Any, levels: int = 0) -> str:
    """Write a dictionary, one entry per line."""
    indent = "    " * (levels + 1)
    lines = "".join(f"{indent}{key!r}: {value!r},\n" for key, value in items)
    return f"{{\n{lines}{'    ' * levels}}}" if lines else "{}"


def docstring(text: str) -> str:
    """Write a text that cannot end a docstring."""
    return visible(text).replace("\\", "\\\\").replace('"', "'")
