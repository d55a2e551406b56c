"""Why a row got its answer, as a value: text, Markdown, plain values, a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from treewright._draw.html_tree import preformatted
from treewright._explain import explanation_text as words
from treewright._explain.counterfactual import Change
from treewright._explain.decision_path import Step
from treewright._explain.interval import wilson
from treewright._render.glyphs import ASCII
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import visible
from treewright._render.text_blocks import latex_verbatim, markdown_fence
from treewright._utils import atomic_write as _atomic
from treewright.errors import UsageError
from treewright.schema import Column, Level
from treewright.tree import Branch, Tree

__all__ = ["Explanation", "Part"]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a row that was divided: its share, where it ended, and the way there from the division."""

    share: float
    node: int
    branches: tuple[Branch, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """Why a row got its answer, made by :func:`treewright.explain`.

    Parameters
    ----------
    tree : Tree
        The tree that answered.
    values : tuple
        What the row holds, in the order of the model's columns; None where missing.
    answer : level or float
        What it predicts.
    says : tuple of float
        The share of each class in the order of ``tree.schema.classes``, or the number.
    node : int
        Where the way of the row ends.
    steps : tuple of Step
        The questions on that way.
    parts : tuple of Part
        Where the parts of the row ended, if it was divided; else empty.
    changes : tuple of Change
        The smallest changes that give another answer, the smallest first.
    want : str or None
        What the changes should lead to, as it was asked for.
    fixed : tuple of str
        The columns that may not change.
    most : int
        The columns that may change together.
    width : int or None, default=None
        Columns of text; those of the terminal where not given.
    ascii : bool or None, default=None
        Whether to write with ASCII signs only; None asks the stream.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, explain
    >>> X, y = datasets.play_tennis()
    >>> explain(ID3Classifier().fit(X, y), X[:1]).unused
    ('Temperature', 'Wind')
    """

    tree: Tree
    values: tuple[Level | None, ...]
    answer: Level
    says: tuple[float, ...]
    node: int
    steps: tuple[Step, ...]
    parts: tuple[Part, ...]
    changes: tuple[Change, ...]
    want: str | None
    fixed: tuple[str, ...]
    most: int
    width: int | None = None
    ascii: bool | None = None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the answer's share among rows like this one; None for a number or a divided row."""
        if not self.tree.schema.classes or self.parts:
            return None
        weight = float(self.tree.weight[self.node])
        share = self.says[self.tree.schema.classes.index(self.answer)]
        return wilson(share * weight, weight)

    @property
    def unused(self) -> tuple[str, ...]:
        """The columns that no question on the way asked about."""
        asked = {step.column for step in self.steps}
        asked |= {branch.column for part in self.parts for branch in part.branches}
        asked |= {step.stand_in.column for step in self.steps if step.stand_in is not None}
        return tuple(name for name in self.tree.schema.names if name not in asked)

    def value_of(self, column: str) -> Level | None:
        """Return what the row holds in a column; None where missing."""
        return self.values[self.tree.schema.names.index(column)]

    def column(self, name: str) -> Column:
        """Return the description of a column."""
        return self.tree.schema.columns[self.tree.schema.names.index(name)]

    def text(self, stream: Any = None) -> str:
        """Return the explanation as text that a stream can carry.

        Parameters
        ----------
        stream : text file, default=None
            Where it will be written; standard output where not given.
        """
        return words.write(self, PageFormat.of(stream, width=self.width, ascii=self.ascii))

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def to_markdown(self) -> str:
        """Return the explanation as a fenced block."""
        return markdown_fence(words.write(self, PageFormat(width=100)))

    def to_html(self) -> str:
        """Return the explanation as HTML: preformatted text."""
        return preformatted(words.write(self, PageFormat(width=100)))

    def to_latex(self) -> str:
        """Return the explanation for LaTeX, line by line."""
        return (
            latex_verbatim(words.write(self, PageFormat(width=100, glyphs=ASCII, encoding="ascii")))
            + "\n"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values: exact numbers and whole names."""
        tree, node = self.tree, self.node
        classes = tree.schema.classes
        record: dict[str, Any] = {
            "target": tree.schema.target,
            "row": dict(zip(tree.schema.names, self.values, strict=True)),
            "answer": self.answer,
            "classes": list(classes),
            "says": list(self.says),
            "node": node,
            "rows": int(tree.count[node]),
            "weight": float(tree.weight[node]),
            "steps": [asdict(step) for step in self.steps],
            "parts": [asdict(part) for part in self.parts],
            "want": self.want,
            "changes": [asdict(change) for change in self.changes],
            "fixed": list(self.fixed),
            "unused": list(self.unused),
        }
        if classes:
            record["class_weights"] = tree.class_weights(node).tolist()
            record["interval"] = None if self.interval is None else list(self.interval)
        return record

    def save(self, path: str | Path) -> None:
        """Write the explanation to a file; its suffix says how: .txt, .md, .tex or .json.

        Parameters
        ----------
        path : str or Path
            The file; it is replaced where it exists.
        """
        path = Path(path)
        writers: dict[str, Callable[[], str]] = {
            ".txt": lambda: words.write(self, PageFormat(width=self.width or 100)) + "\n",
            ".md": self.to_markdown,
            ".tex": self.to_latex,
            ".json": lambda: json.dumps(self.to_dict(), indent=1, allow_nan=False) + "\n",
        }
        write = writers.get(path.suffix.lower())
        if write is None:
            raise UsageError(
                f'an explanation cannot be written as "{visible(path.name)}"',
                slug="explain.suffix",
                hints=[f"endings that work: {' '.join(writers)}"],
            )
        _atomic.write(path, write().encode())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {
            "text/plain": str(self),
            "text/markdown": self.to_markdown(),
            "text/html": self.to_html(),
        }
