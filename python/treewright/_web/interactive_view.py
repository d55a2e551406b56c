"""A tree for a notebook that can be explored: the page of a report inside the notebook, in a frame of its own.

The frame is a sandbox that may only run the page's own script: it cannot reach the notebook, the network or the disk.
Where a notebook does not show frames, the picture of the tree is shown.
"""

from __future__ import annotations

import html
from dataclasses import dataclass, fields
from typing import Any

from treewright._catalog import public
from treewright._show.tree_view import View
from treewright._web.page_file import embed_json, fill_page, read_shell
from treewright._web.report.report_document import Detail, report_document
from treewright._web.report.report_subject import FileNames, Subject, subject_of
from treewright._web.report.report_works import find_works

__all__ = ["InteractiveView"]

HEIGHT = 640  # pixels


@public
@dataclass(frozen=True, slots=True, repr=False)
class InteractiveView(View):
    """A drawing of a tree that can be explored in a notebook, made by ``show(model, interactive=True)``.

    Besides everything that a :class:`View` does, it is an interactive page in Jupyter: the tree with the calculation
    of each node, offline and in a frame of its own.

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
    page : str, default=""
        The page.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, show
    >>> view = show(ID3Classifier().fit(*datasets.play_tennis()), interactive=True)
    >>> view._repr_html_()[:44]
    '<iframe title="Tree" sandbox="allow-scripts"'
    """

    page: str = ""

    @classmethod
    def of(cls, model: Any, view: View, X: Any, y: Any) -> InteractiveView:
        """Return the view of a model's tree with its page; the rows are optional."""
        drawn = {each.name: getattr(view, each.name) for each in fields(view)}
        subject = subject_of(model, (X, y, None), None, trees=1, files=FileNames())
        return cls(**drawn, page=make_tree_page(subject))

    def _repr_html_(self) -> str:
        content = html.escape(self.page, quote=True)
        return (
            f'<iframe title="Tree" sandbox="allow-scripts" width="100%" height="{HEIGHT}" '
            f'loading="lazy" srcdoc="{content}"></iframe>'
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        # Viewers that drop frames, such as those of version control, fall back to the picture.
        bundle = View._repr_mimebundle_(self, include, exclude)
        return {**bundle, "image/svg+xml": self.to_svg(), "text/html": self._repr_html_()}


def make_tree_page(subject: Subject) -> str:
    """Return a page with nothing but the tree and the calculation of its nodes."""
    works = find_works(subject)
    document = report_document(subject, works, None, Detail(len(works), 0, 1, predicts=False))
    static = '<section id="tree" class="alone"><div class="live" data-live="tree"></div></section>'
    title = subject.caption.title(subject.schema.target)
    return fill_page(read_shell("report"), title, [embed_json("document", document)], static)
