"""Move the fragments of ``changelog.d`` into ``CHANGELOG.md``, grouped by kind, below the heading of a release.

Usage: ``python collect_changelog.py VERSION [ROOT]``. The fragments are deleted.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

__all__ = ["collect"]

KINDS = {"added": "Added", "changed": "Changed", "fixed": "Fixed", "removed": "Removed"}


def collect(root: Path, version: str) -> str:
    """Return the text of the changelog with all fragments, and delete them."""
    changelog = root / "CHANGELOG.md"
    text = changelog.read_text("utf-8")
    heading = next((line for line in text.splitlines() if line.startswith(f"## {version}")), None)
    if heading is None:
        before, rest = text.split("\n## ", 1)
        heading = f"## {version}"
        text = f"{before}\n{heading}\n\n## {rest}"
    parts = []
    for kind, title in KINDS.items():
        fragments = sorted((root / "changelog.d").glob(f"*.{kind}.md"))
        entries = [write_entry(path.read_text("utf-8")) for path in fragments]
        if entries:
            parts.append(f"### {title}\n\n" + "\n".join(entries))
        for path in fragments:
            path.unlink()
    return text.replace(heading, "\n\n".join([heading, *parts]), 1)


def write_entry(fragment: str) -> str:
    """Return a fragment as one item of a list."""
    sentence = " ".join(fragment.split())
    return textwrap.fill(sentence, 120, initial_indent="- ", subsequent_indent="  ")


if __name__ == "__main__":
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).parents[2])
    (folder / "CHANGELOG.md").write_text(collect(folder, sys.argv[1]), "utf-8")
