"""Tables from files: delimited text, compressed or not, Parquet, Arrow, Excel, JSON, SQLite, DuckDB.

``read_csv`` and ``read_table`` return a table; ``inspect`` returns it with a report on how every column was read;
``RowReader`` reads rows for a fitted model in chunks.

The core splits text into cells and has the rules about columns (``columns/`` there). Here is ``column_overrides`` (what
the user decided), ``decisions`` (what the core decided), ``dialect`` (how text is written), ``content`` (what a file
holds), ``signatures`` (first bytes), ``file_formats`` (file extensions).
"""

from treewright._reading.inspection import ColumnReport, Inspection, Note
from treewright._reading.row_reader import RowReader, Rows, read_header, refuse_lacking
from treewright._reading.table_files import inspect, read_csv, read_table

__all__ = [
    "ColumnReport",
    "Inspection",
    "Note",
    "RowReader",
    "Rows",
    "inspect",
    "read_csv",
    "read_header",
    "read_table",
    "refuse_lacking",
]
