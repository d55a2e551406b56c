"""The result of `optimality_gap`: the errors of a tree, those of the best tree, and what is proven."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from treewright._catalog import public
from treewright._evaluate.comparison import MEASURES, Comparison
from treewright._evaluate.model_comparison import paired_test
from treewright._render.document import Block, Column, Document, Heading, Table, Text
from treewright._render.numbers import amounts, count, decimals, fixed, format_seconds, percent
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright.tree import Tree

__all__ = ["OptimalityGap"]

CLEAR = 0.05  # the p-value below which a difference is called clear


@public
@dataclass(frozen=True, eq=False, repr=False)
class OptimalityGap(Result):
    """A tree beside the best tree of its depth.

    Parameters
    ----------
    name : str
        The algorithm of the tree.
    rows : int
        The number of rows.
    total : int or float
        Their weight.
    max_depth : int
        The maximum depth of the trees that were searched.
    errors, best_errors : int or float
        The errors of the tree and of the best tree that is known; for numbers the sums of squared errors.
    lower_bound : float
        No tree of this depth has fewer errors, the penalty of its leaves included.
    proven : bool
        Whether the best tree is proven to be best.
    is_complete : bool
        Whether every possible split was searched.
    seconds : float
        The time of the search.
    progress : tuple of tuples
        Seconds, objective of the best tree and lower bound at each improvement.
    tree : Tree
        The tree.
    best_model : OptimalTreeClassifier or OptimalTreeRegressor
        The best tree that the search has found, as a fitted model.
    cross_validation : Comparison or None
        Both trees on rows that they were not trained on.

    Examples
    --------
    >>> from treewright import CARTClassifier, datasets, optimality_gap
    >>> X, y = datasets.vote()
    >>> gap = optimality_gap(CARTClassifier(max_depth=1).fit(X, y), X, y)
    >>> gap.gap, gap.proven
    (0, True)
    """

    _noun = "an optimality gap"
    model_name: ClassVar[str] = "best tree"  # in a comparison of trees

    name: str
    rows: int
    total: float
    max_depth: int
    errors: float
    best_errors: float
    lower_bound: float
    proven: bool
    is_complete: bool
    seconds: float
    progress: tuple[tuple[float, float, float], ...]
    tree: Tree
    best_model: Any
    cross_validation: Comparison | None = None

    @property
    def gap(self) -> float:
        """How many errors more than the best tree that is known the tree makes."""
        return self.errors - self.best_errors

    @property
    def best_tree(self) -> Tree:
        """The best tree that is known: if the time was up, this may be the tree itself."""
        tree: Tree = (
            self.tree if self.best_errors != self.best_model.errors_ else self.best_model.tree_
        )
        return tree

    @property
    def model(self) -> Any:
        """What `compare_trees` compares: ``best_model``, or the tree itself if no better one is known."""
        return self.tree if self.best_tree is self.tree else self.best_model

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values."""
        return {
            "algorithm": self.name,
            "rows": self.rows,
            "weight": self.total,
            "max_depth": self.max_depth,
            "errors": self.errors,
            "best_errors": self.best_errors,
            "lower_bound": self.lower_bound,
            "gap": self.gap,
            "proven": self.proven,
            "all_splits": self.is_complete,
            "seconds": self.seconds,
            "progress": [list(step) for step in self.progress],
            "leaves": self.tree.n_leaves,
            "best_leaves": self.best_tree.n_leaves,
            "best_tree": self.best_tree.nested(),
            **(
                {}
                if self.cross_validation is None
                else {"cross_validation": self.cross_validation.to_dict()}
            ),
        }

    def _document(self, page: PageFormat) -> Document:
        blocks: list[Block] = [Text(self.sentence(), apart=True), self._table()]
        blocks += [Text(text, apart=True) for text in self._caveats()]
        if self.cross_validation is not None:
            blocks += [Heading("On rows that were not used for training")]
            blocks += self.cross_validation._document(page).blocks
            blocks += [Text(self._worth(self.cross_validation), apart=True)]
        target = self.tree.schema.target
        title = (
            f"Optimality gap{f' of {page.name(target)}' if target else ''}, depth {self.max_depth}"
        )
        return Document((title,), tuple(blocks))

    # ---- what it says

    def sentence(self) -> str:
        """Return the result in a sentence or two.

        Returns
        -------
        str
            Such as "Your tree makes 38 errors of 296; the best tree of depth 4 makes 25 (proven in 3 ms)."
        """
        ours, best, bound = self._written()
        seconds = format_seconds(self.seconds)
        start = self._start(ours)
        makes, fewer = ("makes", "makes fewer") if self._by_class else ("has", "has a smaller one")
        others = f"tree of depth {self.max_depth}"
        if self.proven and self.gap == 0:
            return f"{start}, and no {others} {fewer} (proven in {seconds})."
        if self.proven:
            return f"{start}; the best {others} {makes} {best} (proven in {seconds})."
        known = f"a tree with {best} is known" if self.gap > 0 else "no better tree is known"
        least = f"fewer than {bound}" if self._by_class else f"less than {bound}"
        stopped = f"The search stopped after {seconds}: the gap is not closed."
        return f"{start}; {known}; no {others} {makes} {least}. {stopped}"

    def _start(self, errors: str) -> str:
        deeper = f", of depth {self.tree.depth}," if self.tree.depth > self.max_depth else ""
        if self._by_class:
            return f"Your tree{deeper} makes {errors} of {amounts([self.total])[0]}"
        return f"Your tree{deeper} has a squared error of {errors}"

    @property
    def _by_class(self) -> bool:
        return bool(self.tree.schema.classes)

    def _written(self) -> tuple[str, str, str]:
        """Write the errors of both trees and the lower bound; those of the tree with their noun."""
        ours, best, bound = self._numbers()
        if self._by_class:
            ours = f"{ours} error{'' if self.errors == 1 else 's'}"
        return ours, best, bound

    def _numbers(self) -> tuple[str, ...]:
        numbers = (self.errors, self.best_errors, self.lower_bound)
        if self._by_class:
            return tuple(amounts([round(number, 6)])[0] for number in numbers)
        digits = decimals(max(map(abs, numbers)), 4)
        return tuple(fixed(number, digits) for number in numbers)

    def _table(self) -> Table:
        costs = (self.errors, self.best_errors, self.lower_bound)
        head = "errors" if self._by_class else "squared error"
        columns = [
            Column("", ("your tree", "best tree", "lower bound"), key="tree", left=True),
            Column(head, self._numbers(), values=costs),
        ]
        if self._by_class:
            shares = tuple(cost / self.total for cost in costs)
            cells = tuple(percent(min(share, 1.0)) for share in shares)
            columns.append(Column("% of rows", cells, values=shares))
        for name, values in (
            ("leaves", (self.tree.n_leaves, self.best_tree.n_leaves)),
            ("depth", (self.tree.depth, self.best_tree.depth)),
        ):
            columns.append(Column(name, (*map(count, values), ""), values=(*values, None)))
        return Table(tuple(columns), title="On these rows", key="trees")

    def _caveats(self) -> Iterator[str]:
        if not self.is_complete:
            yield (
                "Best means best over the splits that were searched: at most 32 thresholds per column, one category "
                "against the others, and the splits of your tree and of a CART tree."
            )
        if self.cross_validation is None:
            yield (
                "These are errors in training. The best tree in training may be worse on new rows: cross-validation "
                "compares both."
            )

    def _worth(self, folds: Comparison) -> str:
        """Say what the better tree is worth on rows that it has not seen."""
        ours, best = folds["your tree"], folds["best tree"]
        if ours.mean == best.mean:
            return "On new rows, neither tree is better."
        is_best = (best.mean > ours.mean) == MEASURES[folds.measure].greater_is_better
        winner = "the best tree" if is_best else "your tree"
        p = paired_test(best.scores - ours.scores, 1 / (folds.cv - 1))
        if p < CLEAR:
            chance = f"and chance is unlikely to explain it (p {_write_p(p)})"
        else:
            chance = f"but chance may explain the difference (p {_write_p(p)})"
        return f"On new rows, {winner} is better, {chance}."


def _write_p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {fixed(p)}"
