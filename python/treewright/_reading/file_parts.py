"""A part of a file by its name: ``sales.xlsx::Sheet2``, ``data.sqlite::customers``, ``archive.zip::train.csv``."""

from __future__ import annotations

import os
import re
from typing import Any

from treewright._reading.quoting import list_some, quote, quote_argument
from treewright._render.numbers import count
from treewright.errors import DataError, UsageError

__all__ = ["SEPARATOR", "refuse_url", "split_part", "which_part"]

SEPARATOR = "::"
URL = re.compile(r"(https?|ftps?|s3|gs|abfss?|hdfs)://", re.IGNORECASE)


def split_part(source: Any) -> tuple[Any, str | None]:
    """Return the path of a file and the part of it that is named; a file that has the whole name wins.

    Examples
    --------
    >>> split_part("sales.xlsx::Sheet2"), split_part("sales.csv")
    (('sales.xlsx', 'Sheet2'), ('sales.csv', None))
    """
    if not isinstance(source, (str, os.PathLike)):
        return source, None
    path = os.fsdecode(source)
    if SEPARATOR not in path or os.path.exists(path):
        return source, None
    path, _, part = path.partition(SEPARATOR)
    return path, part


def refuse_url(source: Any) -> None:
    """Raise an error for an address: files are not downloaded."""
    if isinstance(source, str) and URL.match(source):
        raise UsageError(
            f"{quote(source)} is an address, and files are not downloaded",
            slug="file.url",
            hints=[f"try: curl -sL {quote_argument(source)} | treewright inspect -"],
        )


def which_part(label: str, part: str | None, what: str, names: list[str]) -> DataError:
    """Return the error about a file of which a part must be named."""
    path = label.removesuffix(f"{SEPARATOR}{part}") if part is not None else label
    if not names:
        return DataError(f"{path} holds no {what}", slug="data.no-such-part")
    message = f"{path} holds {count(len(names))} {what}s: name one of them"
    if part is not None:
        message = f"{path} holds no {what} {quote(part)}"
    return DataError(
        message,
        slug="data.no-such-part",
        hints=[
            f"{what}s: {list_some(names[:20], more=len(names) > 20)}",
            f"try: {quote_argument(f'{path}{SEPARATOR}{names[0]}')}",
        ],
    )
