"""The view of a tree: what is drawn is decided when it is made, how it looks when it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from treewright import _draw
from treewright._draw.caption import Caption
from treewright._draw.excerpt import Scope
from treewright._draw.node_plots import Plots
from treewright._render.page_format import PageFormat
from treewright._render.result import Write
from treewright._show.model_view import ModelView
from treewright.errors import Hint, UsageError
from treewright.tree import Tree

if TYPE_CHECKING:
    from treewright._render.charts import Drawing
    from treewright._render.document import Document
    from treewright._render.shapes import ShapePicture

__all__ = ["STYLES", "View"]

# The module of _draw that writes each style.
WRITERS = {
    "j48": "j48",
    "plain": "leaf_sentences",
    "rules": "rules",
    "summary": "summary",
    "table": "node_table",
    "tree": "text_tree",
}
STYLES = tuple(WRITERS)
# Sums over the rows of a node; `work` has the values per row under the same names.
TOTALS = {"cost": "total_cost", "gain": "total_gain"}
TABLES = ("rules", "table")


@dataclass(frozen=True, slots=True, repr=False)
class View(ModelView):
    """A drawing of a tree, made by :func:`treewright.show`.

    It is text in a terminal, a picture in a notebook, and a file by :meth:`save`. Besides the endings of all results
    there are .dot for Graphviz and .mmd for Mermaid.

    Parameters
    ----------
    tree : Tree
        The tree.
    caption : Caption
        The name of the model, and the command that draws it.
    style : str, default="tree"
        How it is drawn.
    scope : Scope
        Which part of it.
    width, lines : int or None, default=None
        Width and number of lines of the text; None takes those of the terminal.
    ascii : bool or None, default=None
        Whether to draw with ASCII characters only; None asks the stream.
    plots : callable or None, default=None
        From a node to the plot of its rows, which a picture shows.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, show
    >>> view = show(ID3Classifier().fit(*datasets.play_tennis()), style="j48")
    >>> print(str(view).splitlines()[0])
    Outlook = Sunny
    """

    _noun = "a view"

    tree: Tree
    caption: Caption = field(default_factory=Caption)
    style: str = "tree"
    scope: Scope = field(default_factory=Scope)
    width: int | None = None
    lines: int | None = None
    ascii: bool | None = None
    plots: Plots | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return what is drawn as plain values: exact numbers and full names."""
        write = _draw.as_dict.rule_list if self.style == "rules" else _draw.as_dict.drawing
        lines = self._page_of_files().lines
        return {"style": self.style} | write(self.tree, self.caption, self.scope, lines)

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one record for each rule in the style "rules", otherwise for each node of the part that is shown."""
        if self.style == "rules":
            from treewright._show.to_rules import to_rules

            return to_rules(self.tree).to_csv_rows()
        subtree, nodes = {self.scope.node}, []
        for record in self.tree.records():  # children come after their parent
            if record["node"] in subtree or record["parent"] in subtree:
                subtree.add(record["node"])
                nodes.append(record)
        return [{TOTALS.get(name, name): value for name, value in n.items()} for n in nodes]

    def to_svg(self) -> str:
        """Return the tree as an SVG picture of at most 60 nodes, unless more lines were asked for."""
        return self._picture().svg()

    def to_latex(self, *, standalone: bool = False) -> str:
        """Return LaTeX: the tree for the package ``forest``, a table of rules or nodes for ``booktabs``.

        Parameters
        ----------
        standalone : bool, default=False
            Whether to return a file that compiles.
        """
        if self.style == "tree" and not standalone:
            return self._render_picture(_draw.latex_forest.render)
        return ModelView.to_latex(self, standalone=standalone)

    def to_dot(self) -> str:
        """Return the tree as text for Graphviz, of at most 60 nodes unless more lines were asked for."""
        return self._render_picture(_draw.dot.render)

    def to_mermaid(self) -> str:
        """Return the tree as a Mermaid flowchart of at most 60 nodes, unless more lines were asked for."""
        return self._render_picture(_draw.mermaid.render)

    def _render_picture(self, render: Callable[..., str]) -> str:
        self._refuse_picture()
        nodes = self.lines or _draw.tree_picture.MAX_NODES
        return render(self.tree, self.caption, self.scope, nodes)

    def _refuse_picture(self) -> None:
        """Refuse to draw styles that are text."""
        if self.style != "tree":
            raise UsageError(
                f'a picture shows the tree; the style is "{self.style}"',
                slug="show.no-picture",
                hints=[Hint(call="show", arguments=("model",), option="style", value="tree")],
            )

    def _picture(self) -> ShapePicture:
        self._refuse_picture()
        draw = _draw.tree_picture.draw
        return draw(self.tree, self.caption, self.scope, self.lines, self.plots)

    def _first_chart(self) -> Drawing:
        self._refuse_picture()
        return self._drawing(self._title(self._page_of_files()), "", self._page_of_files())

    def _more_forms(self) -> dict[str, Write]:
        return {
            ".dot": lambda: self.to_dot() + "\n",
            ".mmd": lambda: self.to_mermaid() + "\n",
        }

    def _text(self, page: PageFormat) -> str:
        writer = getattr(_draw, WRITERS[self.style])
        return str(writer.render(self.tree, self.caption, self.scope, page))

    def _document(self, page: PageFormat) -> Document:
        from treewright._render.document import Document, Note, Picture, Verbatim
        from treewright._render.table_block import table_block

        title = self._title(page)
        if self.style in TABLES:
            write = getattr(_draw, WRITERS[self.style]).columns
            columns, note = write(self.tree, self.caption, self.scope, page)
            notes = (Note(note),) if note else ()
            return Document((), (table_block(columns), *notes), name=title)
        if self.style != "tree":
            return Document((), (Verbatim(self._text(page), indent=0),), name=title)
        return Document((), (Picture(self._drawing(title, self._text(page), page)),), name=title)

    def _drawing(self, title: str, text: str, page: PageFormat) -> Drawing:
        from treewright._render.charts import Drawing

        return Drawing(
            title,
            self._picture,
            text,
            draw_latex=lambda: self._render_picture(_draw.latex_forest.render),
            latex_packages=("forest",),
            draw_html=lambda: _draw.html_tree.picture(
                self.tree, self.caption, self.scope, page.lines, self.plots
            ),
        )

    def _html_document(self, lines: int) -> Document:
        from treewright._render.document import Document, Picture

        width = 10_000 if self.style in TABLES else self._page_of_files().width
        page = PageFormat(width=width, lines=lines)
        if self.style != "tree":
            return self._document(page)
        title = self._title(page)
        return Document((), (Picture(self._drawing(title, "", page)),), name=title)

    def _title(self, page: PageFormat) -> str:
        return self.caption.title(page.name(self.tree.schema.target or "tree"))
