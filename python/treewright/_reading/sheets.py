"""Excel workbooks (.xlsx): the rows of one sheet, read from the file piece by piece with openpyxl.

Formulas give the values that were saved with them.
"""

from __future__ import annotations

import importlib
import zipfile
from collections.abc import Iterator
from typing import Any

from treewright._reading.compression import check_expansion
from treewright._reading.file_parts import which_part
from treewright._reading.row_text import RowText
from treewright._render.safe_text import visible
from treewright.errors import DataError, UsageError

__all__ = ["is_workbook", "open_sheet"]

NEEDED = "reading Excel files needs openpyxl"


def is_workbook(archive: zipfile.ZipFile) -> bool:
    """Whether a zip archive is an Excel workbook."""
    return "xl/workbook.xml" in archive.namelist()


def open_sheet(file: Any, archive: zipfile.ZipFile, part: str | None, label: str) -> RowText:
    """Return the rows of a sheet as delimited text: the one that is named, or the only one that has rows."""
    try:
        openpyxl = importlib.import_module("openpyxl")
    except ImportError:
        raise UsageError(
            NEEDED,
            slug="usage",
            hints=['try: pip install "treewright[excel]"   or save the sheet as CSV'],
        ) from None
    sizes = [(info.compress_size, info.file_size) for info in archive.infolist()]
    check_expansion(sum(small for small, _ in sizes), sum(large for _, large in sizes), label)
    file.seek(0)
    try:
        book = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
        sheets = {sheet.title: sheet for sheet in book.worksheets}
        filled = [name for name, sheet in sheets.items() if _has_rows(sheet)]
    except (MemoryError, UsageError):
        raise
    except Exception as error:
        # openpyxl passes on whatever its parts raise.
        raise _unreadable(label, error) from None
    if part is None and len(filled) == 1:
        part = filled[0]
    if part not in sheets:
        raise which_part(label, part, "sheet", filled or list(sheets))
    return RowText(_rows(sheets[part], label), label)


def _has_rows(sheet: Any) -> bool:
    sheet.reset_dimensions()
    return any(any(cell is not None for cell in row) for row in sheet.iter_rows(values_only=True))


def _rows(sheet: Any, label: str) -> Iterator[tuple[Any, ...]]:
    """Yield rows as long as the first one that is not empty; cells of spreadsheets have no end."""
    sheet.reset_dimensions()  # many programs write a wrong size
    width = 0
    rows = sheet.iter_rows(values_only=True)
    while True:
        try:
            row = next(rows, None)
        except Exception as error:
            raise _unreadable(label, error) from None
        if row is None:
            return
        filled = [i for i, cell in enumerate(row, 1) if cell is not None]
        width = width or max(filled, default=0)
        end = max(width, *filled) if filled else 0
        yield (*row[:end], *[None] * (end - len(row)))


def _unreadable(label: str, error: Exception) -> DataError:
    return DataError(
        f"{label} cannot be read as an Excel workbook",
        slug="data.unreadable",
        hints=[f"{type(error).__name__}: {visible(str(error))}"],
    )
