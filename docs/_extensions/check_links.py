"""Check that every link inside a built site leads to a file, and to an anchor that exists.

Usage: ``python check_links.py FOLDER``. Links to other sites are not followed.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["find_broken_links"]


class Page(HTMLParser):
    """The links and the anchors of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note what a tag links to, and the anchors that it sets."""
        for name, value in attributes:
            if value and name in ("id", "name"):
                self.anchors.add(value)
            elif value and name in ("href", "src") and tag != "link":
                self.links.append(value)


def find_broken_links(folder: Path) -> list[str]:
    """Return a line for each link that leads nowhere."""
    # Pages of treewright itself (live/) address their parts by script; _static/ holds templates of the theme.
    pages = {
        path.resolve(): Page(path.read_text("utf-8"))
        for path in sorted(folder.rglob("*.html"))
        if path.relative_to(folder).parts[0] not in ("live", "_static")
    }
    broken = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                broken.append(f"{path.relative_to(folder.resolve())}: {link}")
            elif (
                parts.fragment
                and target in pages
                and unquote(parts.fragment) not in pages[target].anchors
            ):
                broken.append(f"{path.relative_to(folder.resolve())}: {link} (no such anchor)")
    return broken


if __name__ == "__main__":
    lines = find_broken_links(Path(sys.argv[1]))
    print(*lines, f"{len(lines)} broken links", sep="\n")
    sys.exit(bool(lines))
