"""``llms.txt`` and Markdown copies of the pages, for programs that read text."""

from __future__ import annotations

import re
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
        copy.write_text(with_included(source), "utf-8")
        title = app.env.titles[name].astext()
        lines.append(f"- [{title}]({name}.md)")
    (out / "llms.txt").write_text("\n".join([*lines, ""]), "utf-8")


def with_included(source: Path) -> str:
    """Return the text of a page with the parts that it includes."""

    def part(found: re.Match[str]) -> str:
        return (source.parent / found[1]).read_text("utf-8").rstrip()

    return re.sub(
        r"^```\{include\} (\S+)\n```$", part, source.read_text("utf-8"), flags=re.MULTILINE
    )
