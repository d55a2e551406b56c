"""A real browser for the tests of the pages: the system's Chromium, driven by Playwright.

The pages run with their own content policy. Under it Playwright cannot evaluate strings that it polls, so tests wait
for selectors (`page.wait_for_selector`), never for expressions.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Start Chromium once, or skip with the reason."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no chromium on this machine: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


OpenPage = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any) -> Iterator[OpenPage]:
    """Give a function that opens a file without a network; at the end no page may have had an error."""
    contexts: list[Any] = []
    problems: list[str] = []

    def open_file(path: Path, fragment: str = "", **context: Any) -> Any:
        settings = {"viewport": {"width": 1280, "height": 800}, "offline": True} | context
        contexts.append(browser.new_context(**settings))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "console",
            lambda line: problems.append(line.text) if line.type in ("error", "warning") else None,
        )
        page.on(
            "dialog",
            lambda dialog: (problems.append(f"dialog: {dialog.message}"), dialog.dismiss()),
        )
        page.on("request", lambda request: _only_local(request.url, problems))
        page.goto(path.as_uri() + fragment)
        return page

    yield open_file
    for context in contexts:
        context.close()
    assert not problems


def read_address(page: Any) -> str:
    """Return the address as the page has it now: `page.url` hears of a changed fragment a little later."""
    address: str = page.evaluate("location.href")
    return address


def _only_local(url: str, problems: list[str]) -> None:
    if not url.startswith(("file:", "data:", "blob:", "http://127.0.0.1:")):
        problems.append(f"a request to {url}")


AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture
def check_access() -> Callable[[Any], None]:
    """Give a function that finds what keeps people from using a page; the page needs ``bypass_csp=True``."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci in web/")
    script = AXE.read_text("utf-8")

    def check(page: Any) -> None:
        page.evaluate(script)
        found = page.evaluate("axe.run(document)")["violations"]
        assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found] == []

    return check
