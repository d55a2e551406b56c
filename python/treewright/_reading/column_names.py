"""The names of the columns of a file, without its rows where the format allows it."""

from __future__ import annotations

import importlib
import os
from typing import Any

from treewright._input.containers import as_table
from treewright._reading.byte_source import open_feed
from treewright._reading.content import Content, open_content
from treewright._reading.dialect import Dialect
from treewright._reading.file_parts import split_part

__all__ = ["column_names"]


def column_names(path: str, max_size: int, **text: Any) -> list[str]:
    """Return the names of the columns; none for a file of more bytes if it would have to be read as a whole."""
    with open_content(path, path) as content:
        if not content.is_typed:
            with open_feed(content, Dialect(**text), path) as feed:
                return feed.header()
        if content.form in ("parquet", "arrow"):
            return _names_in_schema(content)
        if os.path.getsize(split_part(path)[0]) > max_size:
            return []
        return list(as_table(content.read_typed()).columns)


def _names_in_schema(content: Content) -> list[str]:
    if content.form == "parquet":
        file = importlib.import_module("pyarrow.parquet").ParquetFile(content.file)
        return list(file.schema_arrow.names)
    return list(importlib.import_module("pyarrow.ipc").open_file(content.file).schema.names)
