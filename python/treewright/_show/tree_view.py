"""A drawing of a tree as a value: what is drawn is decided when it was made, how it looks when it is written."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from treewright import _draw
from treewright._draw.caption import Caption
from treewright._draw.excerpt import Scope
from treewright._render import table_grid
from treewright._render.glyphs import ASCII, UNICODE
from treewright._render.latex_text import tex
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import visible
from treewright._render.text_blocks import latex_verbatim, markdown_fence
from treewright._utils import atomic_write as _atomic
from treewright.errors import Hint, UsageError
from treewright.tree import Tree

__all__ = ["STYLES", "View"]

# The module of draw that writes each style.
WRITERS = {
    "j48": "j48",
    "plain": "sentences",
    "rules": "rules",
    "summary": "summary",
    "table": "node_table",
    "tree": "text_tree",
}
STYLES = tuple(WRITERS)
SUFFIXES = (".txt", ".md", ".html", ".svg", ".tex", ".dot", ".mmd", ".json")
# A file has no terminal to ask: it is wider, and as long as the drawing on a small screen.
FILE = PageFormat(width=120, lines=72)


@dataclass(frozen=True, slots=True, repr=False)
class View:
    """A drawing of a model, made by :func:`treewright.show`.

    It is text in a terminal, a picture in a notebook, and a file by :meth:`save`.

    Parameters
    ----------
    tree : Tree
        What is drawn.
    caption : Caption
        What is said about the model.
    style : str, default="tree"
        How it is drawn.
    scope : Scope
        Which part of it.
    width, lines : int or None, default=None
        Columns and lines to use; those of the terminal where not given.
    ascii : bool or None, default=None
        Whether to draw with ASCII signs; None asks the stream.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, show
    >>> view = show(ID3Classifier().fit(*datasets.play_tennis()), style="j48")
    >>> print(str(view).splitlines()[0])
    Outlook = Sunny
    """

    tree: Tree
    caption: Caption = field(default_factory=Caption)
    style: str = "tree"
    scope: Scope = field(default_factory=Scope)
    width: int | None = None
    lines: int | None = None
    ascii: bool | None = None

    def text(self, stream: Any = None) -> str:
        """Return the drawing as text that a stream can carry.

        Parameters
        ----------
        stream : text file, default=None
            Where it will be written; standard output where not given.

        Returns
        -------
        str
            Text without a line break at its end, encodable in the stream's encoding.
        """
        return self._written(
            PageFormat.of(stream, width=self.width, lines=self.lines, ascii=self.ascii)
        )

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """Return what is drawn as plain values: exact numbers and whole names."""
        write = _draw.as_dict.rule_list if self.style == "rules" else _draw.as_dict.drawing
        return {"style": self.style} | write(
            self.tree, self.caption, self.scope, self._file().lines
        )

    def to_markdown(self) -> str:
        """Return a Markdown table of rules or nodes, otherwise the text in a fenced block."""
        write = {"rules": _draw.rules.lanes, "table": _draw.node_table.lanes}.get(self.style)
        if write is None:
            return markdown_fence(self._written(self._file()))
        columns, note = write(self.tree, self.caption, self.scope, self._file())
        said = f"\n\n`{note}`" if note else ""
        return f"{table_grid.markdown(columns)}{said}\n"

    def to_html(self) -> str:
        """Return an HTML fragment without scripts, at most 100 KB."""
        if self.style == "tree":
            return _draw.html_tree.picture(self.tree, self.caption, self.scope, self.lines)
        if self.style in ("rules", "table"):
            return _draw.html_tree.table(
                self.tree, self.caption, self.scope, self.style, self.lines
            )
        return _draw.html_tree.bounded(
            lambda lines: _draw.html_tree.preformatted(
                self._written(replace(self._file(), lines=lines))
            ),
            self._file().lines,
        )

    def to_svg(self) -> str:
        """Return the tree as an SVG picture of at most 60 nodes, unless more lines were asked for."""
        return _draw.svg_tree.render(
            self._pictured(),
            self.caption,
            self.scope,
            self.lines or _draw.svg_tree.DRAWN,
            alone=True,
        )

    def to_latex(self) -> str:
        """Return LaTeX: the tree for the package ``forest``, a table of rules or nodes for ``booktabs``."""
        if self.style == "tree":
            return _draw.latex_forest.render(
                self.tree, self.caption, self.scope, self.lines or _draw.svg_tree.DRAWN
            )
        write = {"rules": _draw.rules.lanes, "table": _draw.node_table.lanes}.get(self.style)
        if write is None:
            return latex_verbatim(
                self._written(replace(self._file(), glyphs=ASCII, encoding="ascii"))
            )
        columns, note = write(self.tree, self.caption, self.scope, self._file())
        return table_grid.latex(columns) + (f"\n\n{tex(note)}" if note else "")

    def to_dot(self) -> str:
        """Return the tree as text for Graphviz, of at most 60 nodes unless more lines were asked for."""
        return _draw.dot.render(
            self._pictured(), self.caption, self.scope, self.lines or _draw.svg_tree.DRAWN
        )

    def to_mermaid(self) -> str:
        """Return the tree as a Mermaid flowchart of at most 60 nodes, unless more lines were asked for."""
        return _draw.mermaid.render(
            self._pictured(), self.caption, self.scope, self.lines or _draw.svg_tree.DRAWN
        )

    def _pictured(self) -> Tree:
        if self.style != "tree":
            raise UsageError(
                f'a picture shows the tree; the style is "{self.style}"',
                slug="show.no-picture",
                hints=[Hint(call="show", arguments=("model",), option="style", value="tree")],
            )
        return self.tree

    def written(self, suffix: str) -> str | None:
        """Return what a file with this ending holds; None where no form has it.

        Parameters
        ----------
        suffix : str
            Such as ``".svg"``.
        """
        writers: dict[str, Callable[[], str]] = {
            ".txt": lambda: self._written(self._file()) + "\n",
            ".md": self.to_markdown,
            ".html": lambda: _draw.html_tree.document(self._title(), self.to_html()),
            ".svg": lambda: self.to_svg() + "\n",
            ".tex": lambda: self.to_latex() + "\n",
            ".dot": lambda: self.to_dot() + "\n",
            ".mmd": lambda: self.to_mermaid() + "\n",
            ".json": lambda: json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n",
        }
        write = writers.get(suffix.lower())
        return None if write is None else write()

    def save(self, path: str | Path) -> None:
        """Write the drawing to a file; its suffix says how: .txt, .md, .html, .svg, .tex, .dot, .mmd or .json.

        Parameters
        ----------
        path : str or Path
            The file; it is replaced where it exists.
        """
        path = Path(path)
        text = self.written(path.suffix)
        if text is None:
            raise UsageError(
                f'a view cannot be written as "{visible(path.name)}"',
                slug="show.suffix",
                hints=[f"endings that work: {' '.join(SUFFIXES)}"],
            )
        _atomic.write(path, text.encode())

    def _written(self, paper: PageFormat) -> str:
        writer = getattr(_draw, WRITERS[self.style])
        return str(writer.render(self.tree, self.caption, self.scope, paper))

    def _file(self) -> PageFormat:
        return PageFormat(
            width=FILE.width if self.width is None else self.width,
            lines=FILE.lines if self.lines is None else self.lines,
            glyphs=ASCII if self.ascii else UNICODE,
        )

    def _title(self) -> str:
        return self.caption.title(FILE.name(self.tree.schema.target or "tree"))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self.to_html()}
