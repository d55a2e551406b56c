"""``llms.txt`` and Markdown copies of the pages, for programs that read text."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

__all__ = ["setup"]


def setup(app: Any) -> dict[str, bool]:
    """Register the copies."""
    app.connect("build-finished", write_copies)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_copies(app: Any, error: Exception | None) -> None:
    """Copy every Markdown source beside its page, and list them in ``llms.txt``."""
    if error or app.builder.name != "html":
        return
    out = Path(app.outdir)
    lines = [
        "# treewright",
        "",
        "> Decision trees you can read, in Python. Each page as Markdown:",
        "",
    ]
    for name in sorted(app.env.found_docs):
        source = Path(app.env.doc2path(name))
        if source.suffix != ".md":
            continue
        copy = out / f"{name}.md"
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
        title = app.env.titles[name].astext()
        lines.append(f"- [{title}]({name}.md)")
    (out / "llms.txt").write_text("\n".join([*lines, ""]), "utf-8")
