"""A page as one file: the built shell of a page, with its data, and a policy that lets only its own script run.

The shells in ``pages/`` are built from ``web/`` by ``make web``; what they show is in the data. Data is text that the
page parses, never markup: every ``<`` and ``&`` in it is escaped.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
from importlib.resources import files
from typing import Any

from treewright.errors import InternalError

__all__ = ["embed_bytes", "embed_json", "fill_page", "read_engine", "read_shell"]

# A larger document is compressed: it is a fifth of the size, and the page unpacks it in a few milliseconds.
COMPRESS_ABOVE = 256 * 1024
DATA_MARK = "<!--DATA-->"
TITLE = re.compile(r"<title>.*?</title>", re.S)
SCRIPT = re.compile(r'<script type="module"[^>]*>(.*?)</script>', re.S)
STYLE = re.compile(r"<style[^>]*>(.*?)</style>", re.S)
ESCAPES = {"&": "\\u0026", "<": "\\u003c", ">": "\\u003e", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def read_shell(name: str) -> str:
    """Return the built HTML of a page: "workbench", "lesson" or "report"."""
    return (files("treewright._web") / "pages" / f"{name}.html").read_text("utf-8")


def read_engine() -> bytes:
    """Return the core as WebAssembly, compressed with gzip."""
    return (files("treewright._web") / "pages" / "engine.wasm.gz").read_bytes()


def fill_page(
    shell: str,
    title: str,
    parts: list[str],
    static: str = "",
    engine: bool = False,
    server: bool = False,
) -> str:
    """Return a page with its data.

    Parameters
    ----------
    shell : str
        The built HTML, see :func:`read_shell`.
    title : str
        The title of the document.
    parts : list of str
        Elements of :func:`embed_json` and :func:`embed_bytes`.
    static : str, default=""
        Escaped HTML that is shown where JavaScript is off; the page replaces it.
    engine : bool, default=False
        Whether the page may run WebAssembly, in a worker of its own.
    server : bool, default=False
        Whether the page may talk to the server that it came from.
    """
    script = SCRIPT.search(shell)
    # A script may hold the text of another page: what looks like a style in it is none of this page.
    style = STYLE.search(SCRIPT.sub("", shell))
    if script is None or style is None or DATA_MARK not in shell:
        raise InternalError("a page of treewright was not built as it should be: run make web")
    policy = _content_policy(script[1], style[1], engine, server)
    head = f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{policy}">'
    # Each replacement is a function: a backslash of the data must not become a group reference.
    page = TITLE.sub(lambda _: f"<title>{html.escape(title)}</title>", shell, count=1)
    page = page.replace('<meta charset="utf-8">', head, 1)
    page = page.replace('<div id="app"></div>', f'<div id="app">{static}</div>', 1)
    return page.replace(DATA_MARK, "\n".join(parts), 1)


def embed_json(name: str, document: Any) -> str:
    """Return a document as an element that the page reads by its name; a large one is compressed."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    if len(text) > COMPRESS_ABOVE:
        return embed_bytes(name, gzip.compress(text.encode(), 9, mtime=0))
    escaped = "".join(ESCAPES.get(letter, letter) for letter in text)
    return f'<script type="application/json" id="{name}">{escaped}</script>'


def embed_bytes(name: str, content: bytes) -> str:
    """Return bytes that are compressed with gzip as an element that the page reads by its name."""
    text = base64.b64encode(content).decode()
    return f'<script type="application/octet-stream" id="{name}">{text}</script>'


def _content_policy(script: str, style: str, engine: bool, server: bool) -> str:
    """Return the policy: no network, no script and no style but those of the page."""
    runs = f"{_hash(script)}{' ' + chr(39) + 'wasm-unsafe-eval' + chr(39) if engine else ''}"
    workers = " worker-src blob:;" if engine else ""
    talks = " connect-src 'self';" if server else ""
    return (
        f"default-src 'none'; script-src {runs}; style-src {_hash(style)};{workers}{talks}"
        " img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
