"""Every slug on the page of errors is an address: ``errors.html#data.encoding``."""

from __future__ import annotations

from typing import Any

from docutils import nodes

__all__ = ["setup"]


def setup(app: Any) -> dict[str, bool]:
    """Register the addresses."""
    app.connect("doctree-read", add_addresses)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def add_addresses(app: Any, page: nodes.document) -> None:
    """Name each row of the page after its slug."""
    if app.env.docname != "errors":
        return
    for row in page.findall(nodes.row):
        slug = next(row.findall(nodes.literal), None)
        if slug is not None:
            row["ids"].append(slug.astext())
