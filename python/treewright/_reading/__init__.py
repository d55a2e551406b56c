"""Tables from files: delimited text, Parquet, Arrow, JSON lines.

``read_csv`` and ``read_table`` give a table; ``inspect`` gives it with the account of how every column was read, as the
command line prints it; ``RowReader`` reads rows for a model that exists, chunk by chunk.

Where a rule is: ``kinds`` (numeric or categorical), ``roles`` (which columns are learned from), ``wishes`` (what the
user said), ``source`` (bytes and encodings), ``formats`` (typed files). The tokenising is the core's.
"""

from treewright._reading.inspection import ColumnReport, Inspection, Note
from treewright._reading.row_reader import RowReader, Rows, refuse_lacking
from treewright._reading.table_files import inspect, read_csv, read_table

__all__ = [
    "ColumnReport",
    "Inspection",
    "Note",
    "RowReader",
    "Rows",
    "inspect",
    "read_csv",
    "read_table",
    "refuse_lacking",
]
