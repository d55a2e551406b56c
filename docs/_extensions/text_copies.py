"""``llms.txt``, and copies of the pages as Markdown and of the scripts of the gallery, for programs that read text.

The copies hold what a reader sees; what only Sphinx understands is written out, or left out where it is a picture.
"""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["setup"]

DIRECTIVE = re.compile(r"^(`{3,}|:{3,})\{([\w-]+)\} ?(.*)\n((?:.*\n)*?)\1$", re.M)
OPTION = re.compile(r"^:[\w-]+:.*\n", re.M)
ROLE = re.compile(r"\{\w+\}`([^`<]+?)(?: <[^>]*>)?`")
HEAD = """# treewright

> Decision trees you can read, in Python. Pages as Markdown, scripts of the gallery as Python.
"""


def setup(app: Any) -> dict[str, bool]:
    """Register the copies."""
    app.connect("build-finished", write_copies)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_copies(app: Any, error: Exception | None) -> None:
    """Write a copy beside every page that has one, and list all of them in ``llms.txt``."""
    if error or app.builder.name != "html":
        return
    out = Path(app.outdir)
    lists: dict[str, list[str]] = {"Pages": [], "Python reference": [], "Gallery": []}
    for name in sorted(app.env.found_docs):
        source = Path(app.env.doc2path(name))
        if source.suffix == ".md":
            kind, copy, text = "Pages", f"{name}.md", as_markdown(source, name, app.env)
        elif name.startswith("generated/api/"):
            kind, copy, text = "Python reference", f"{name}.md", describe(Path(name).name)
        elif source.with_suffix(".py").exists():
            kind, copy, text = "Gallery", f"{name}.py", source.with_suffix(".py").read_text("utf-8")
        else:
            continue
        (out / copy).parent.mkdir(parents=True, exist_ok=True)
        (out / copy).write_text(text, "utf-8")
        lists[kind].append(f"- [{app.env.titles[name].astext()}]({copy})")
    parts = [HEAD] + ["\n".join([f"## {kind}", "", *lines, ""]) for kind, lines in lists.items()]
    (out / "llms.txt").write_text("\n".join(parts), "utf-8")


def as_markdown(source: Path, name: str, env: Any) -> str:
    """Return the text of a page in plain Markdown."""

    def write_out(match: re.Match[str]) -> str:
        _, kind, argument, content = match.groups()
        if kind in ("include", "literalinclude"):
            text = (source.parent / argument).read_text("utf-8").rstrip()
            return text if kind == "include" else f"```json\n{text}\n```"
        if kind == "toctree":
            return list_pages(content, name, env)
        if kind == "materials":
            return list_materials(content, Path(name).name)
        if kind == "picture":
            return f"*Picture: {argument}*"
        if kind == "raw":
            return ""
        # A grid, its cards, the glossary: a title and the text inside.
        inside = DIRECTIVE.sub(write_out, OPTION.sub("", content)).strip()
        return f"**{argument}** {inside}" if kind == "grid-item-card" else inside

    text = re.sub(r"\A---\n.*?\n---\n", "", source.read_text("utf-8"), flags=re.DOTALL)
    text = ROLE.sub(r"\1", DIRECTIVE.sub(write_out, text))
    return re.sub(r"\n{3,}", "\n\n", text)


def list_pages(content: str, name: str, env: Any) -> str:
    """Return the entries of a table of contents as links to the copies."""
    caption = re.search(r"^:caption: (.*)$", content, re.M)
    lines = [f"**{caption[1]}**", ""] if caption else []
    for entry in OPTION.sub("", content).split():
        known = (Path("/") / Path(name).parent / entry).resolve().relative_to("/").as_posix()
        if known in env.titles:
            suffix = "md" if Path(env.doc2path(known)).suffix == ".md" else "html"
            lines.append(f"- [{env.titles[known].astext()}]({entry}.{suffix})")
    return "\n".join(lines)


def list_materials(content: str, page: str) -> str:
    """Return what belongs to a tutorial as links."""
    options = dict(re.findall(r"^:(\w+): (.*)$", content, re.M))
    folder = f"../materials/{page}"
    return (
        f"To work with: [{options['table']}.csv]({folder}/table.csv), [worksheet]({folder}/worksheet.tex), "
        f"[worksheet with its key]({folder}/key.tex), "
        f"[the workbench at this step](../live/workbench.html#{options['place']})."
    )


def describe(name: str) -> str:
    """Return the signature and the docstring of a public name such as ``treewright.show``."""
    module, short = name.rsplit(".", 1)
    value = getattr(import_module(module), short)
    try:
        call = f"{short}{inspect.signature(value)}"
    except (TypeError, ValueError):  # a value, or a class like an exception
        call = short
    return f"# {short}\n\n```python\nfrom {module} import {short}\n{call}\n```\n\n{inspect.getdoc(value)}\n"
