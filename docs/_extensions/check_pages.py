"""Open every page of a built site in a browser: none scrolls sideways on a phone, and none reports an error.

Usage: ``python check_pages.py FOLDER [PART OF A NAME ...]``. Needs Playwright and the Chromium of the system; without
them it says so and checks nothing.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

__all__ = ["find_faults"]

PHONE = {"width": 390, "height": 844}
# The elements that make the page, or the article in it, scroll sideways: those that reach beyond the right edge and are
# not inside a box of their own that scrolls.
WIDE = """() => {
  const article = document.querySelector(".bd-article-container");
  const boxes = [document.documentElement, ...(article ? [article] : [])];
  if (boxes.every((box) => box.scrollWidth <= box.clientWidth + 1)) return [];
  const edge = document.documentElement.clientWidth + 1;
  const scrolls = (element) => {
    for (let box = element.parentElement; box && !boxes.includes(box); box = box.parentElement)
      if (getComputedStyle(box).overflowX !== "visible") return true;
    return false;
  };
  return [...document.querySelectorAll(".bd-article *, body > .treewright-document *")]
    .filter((element) => element.getBoundingClientRect().right > edge && !scrolls(element))
    .map((element) => [element.tagName, ...element.textContent.trim().split(/\\s+/).slice(0, 6)].join(" "))
    .slice(0, 3);
}"""


def find_faults(folder: Path, names: list[str]) -> Iterator[str]:
    """Yield a line for each page that is too wide for a phone, and for each message of an error."""
    from playwright.sync_api import sync_playwright

    pages = sorted(
        path
        for path in folder.rglob("*.html")
        if path.relative_to(folder).parts[0] not in ("live", "_static")
        and (not names or any(name in str(path) for name in names))
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_context(viewport=PHONE, offline=True).new_page()
        messages: list[str] = []
        page.on("console", lambda m: messages.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: messages.append(str(error)))
        for path in pages:
            name = path.relative_to(folder)
            yield from (f"{name}: too wide: {what}" for what in look_at(page, path))
            yield from (f"{name}: {message}" for message in messages)
            messages.clear()
        browser.close()


def look_at(page: Any, path: Path) -> list[str]:
    """Open a page, and return what is wider than a phone in it."""
    page.goto(path.resolve().as_uri())
    wide: list[str] = page.evaluate(WIDE)
    return wide


if __name__ == "__main__":
    if not (shutil.which("chromium") and find_spec("playwright")):
        print("pages: not opened, because Chromium or Playwright is not installed")
        sys.exit()
    lines = list(find_faults(Path(sys.argv[1]), sys.argv[2:]))
    print(*lines, f"{len(lines)} faults of pages", sep="\n")
    sys.exit(bool(lines))
