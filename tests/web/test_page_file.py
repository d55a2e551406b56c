"""The page as one file: its policy names its own script and style."""

from __future__ import annotations

import base64
import hashlib

from treewright._web.page_file import fill_page

STYLE = ".node { fill: none; }"
SCRIPT = "export const page = `<style>${style}</style><title>${title}</title>`;"
SHELL = (
    '<!doctype html><html><head><meta charset="utf-8"><title>page</title>'
    f'<script type="module" crossorigin>{SCRIPT}</script><style rel="stylesheet">{STYLE}</style></head>'
    '<body><div id="app"></div><!--DATA--></body></html>'
)


def hash_of(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_a_script_that_writes_pages_does_not_change_the_policy_of_its_own() -> None:
    page = fill_page(SHELL, "a < b", [])
    assert hash_of(STYLE) in page
    assert hash_of(SCRIPT) in page
    assert "<title>a &lt; b</title>" in page
    assert SCRIPT in page
