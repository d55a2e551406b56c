"""Errors as the pages read them: slug, message and hint, as on the command line."""

from __future__ import annotations

import json
from typing import Any

from treewright.errors import TreewrightError

__all__ = ["describe_error", "failure_body"]

INTERNAL = "an error in treewright itself, not in your data"


def failure_body(slug: str, message: str, hint: str = "") -> bytes:
    """Return an error as JSON."""
    failure = {"slug": slug, "message": message} | ({"hint": hint} if hint else {})
    return json.dumps(failure).encode()


def describe_error(error: BaseException) -> dict[str, Any]:
    """Return what the page shows for an exception; nothing of the program's inside for a defect."""
    if isinstance(error, TreewrightError):
        failure = {"slug": error.slug, "message": error.message}
        return failure | ({"hint": "\n".join(error.lines)} if error.lines else {})
    if isinstance(error, MemoryError):
        return {"slug": "memory", "message": "there is not enough memory for this"}
    return {"slug": "internal", "message": f"{INTERNAL}: {type(error).__name__}"}
