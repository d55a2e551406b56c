"""Move the fragments of ``changelog.d`` into ``CHANGELOG.md``, grouped by kind, below the heading of a release.

Usage: ``python collect_changelog.py VERSION DATE [ROOT]``, with a date such as 2026-12-01. The fragments are deleted.
"""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

__all__ = ["collect"]

KINDS = {"added": "Added", "changed": "Changed", "fixed": "Fixed", "removed": "Removed"}


def collect(root: Path, version: str, date: str) -> str:
    """Return the text of the changelog with all fragments and the date of the release, and delete them."""
    changelog = root / "CHANGELOG.md"
    text = changelog.read_text("utf-8")
    heading = f"## {version} ({date})"
    waiting = f"## {version} (unreleased)\n"
    if waiting in text:
        text = text.replace(waiting, f"{heading}\n", 1)
    else:
        before, rest = text.split("\n## ", 1)
        text = f"{before}\n{heading}\n\n## {rest}"
    parts = []
    for kind, title in KINDS.items():
        fragments = sorted((root / "changelog.d").glob(f"*.{kind}.md"))
        entries = [write_entry(path.read_text("utf-8")) for path in fragments]
        if entries:
            parts.append(f"### {title}\n\n" + "\n".join(entries))
        for path in fragments:
            path.unlink()
    # Below what the changelog says about the release already, before its first part or the next release.
    start = text.index(heading) + len(heading)
    following = re.search(r"^##", text[start:], re.M)
    place = start + following.start() if following else len(text)
    return text[:place] + "".join(f"{part}\n\n" for part in parts) + text[place:]


def write_entry(fragment: str) -> str:
    """Return a fragment as one item of a list."""
    sentence = " ".join(fragment.split())
    return textwrap.fill(sentence, 120, initial_indent="- ", subsequent_indent="  ")


if __name__ == "__main__":
    version, date = sys.argv[1:3]
    folder = Path(sys.argv[3] if len(sys.argv) > 3 else Path(__file__).parents[2])
    (folder / "CHANGELOG.md").write_text(collect(folder, version, date), "utf-8")
