"""``explain``: why one row got its answer, and what would change it.

``steps`` puts the way of the row into words, ``change`` finds the smallest change, ``explanation`` holds both as a
value, ``words`` writes it. Nothing is an approximation: the way is that of the row, and a change is tried out.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._draw.conditions import path_to
from treewright._estimator.find import find, find_rules, find_trees, kind_of, transform_rows, unwrap
from treewright._explain.contributions import ManyExplanation, explain_many
from treewright._explain.counterfactual import Change, changes
from treewright._explain.decision_path import steps
from treewright._explain.explanation import Explanation, Part
from treewright._explain.rule_explanation import RuleExplanation, explain_rules
from treewright._explain.wanted_class import accepting
from treewright._input.columns import from_values
from treewright._input.encoding import encode, one_row
from treewright._learners.neighbors.neighbor_explanation import (
    NeighbourExplanation,
    explain_neighbors,
)
from treewright._model.decision import decide
from treewright._model.paths.ordered_tests import OrderedTests
from treewright.errors import DataError, UsageError
from treewright.schema import Level
from treewright.table import Table
from treewright.tree import Branch, Tree

__all__ = ["Explanation", "ManyExplanation", "RuleExplanation", "explain"]


def explain(
    model: Any,
    row: Any,
    *,
    want: Any = None,
    fixed: Iterable[str] = (),
    most: int = 2,
    width: int | None = None,
    ascii: bool | None = None,
) -> Explanation | ManyExplanation | RuleExplanation | NeighbourExplanation:
    """Say why one row got its answer, and which smallest change would give it another.

    Parameters
    ----------
    model : estimator, Pipeline or Tree
        A fitted model, or a pipeline or search whose last step is one. Of a tree the path of the row is shown, of a
        rule set the rule that matched, of neighbours the rows that voted, of many trees what each column contributed.
    row : one-row table, mapping of column names to values, or sequence of values
        The row; a mapping may leave out columns, which are then missing.
    want : class or str, default=None
        The answer that a change should give: a class, or for numbers a bound such as ``">= 200"``. None means any other
        class; for numbers no change is looked for.
    fixed : iterable of str, default=()
        Columns that may not change.
    most : int, default=2
        How many columns may change together.
    width : int, default=None
        Columns of text; those of the terminal where not given.
    ascii : bool, default=None
        Write with ASCII signs only; None does so where the terminal cannot show others.

    Returns
    -------
    Explanation, ManyExplanation, RuleExplanation or NeighbourExplanation
        Text by ``str()``, plain values by ``to_dict()``.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, explain
    >>> clf = ID3Classifier().fit(*datasets.play_tennis())
    >>> row = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Strong"}
    >>> explain(clf, row, width=100)
    No.
      because  Outlook = Sunny  (node #0)
          and  Humidity = High  (node #1)
      3 training rows took this path, all "No" (95% interval for "No": 44% to 100%)
    smallest change to get "Yes":  Humidity High → Normal
    other single change:           Outlook Sunny → Overcast
    not used on this path:         Temperature, Wind
    """
    names, many = tuple(fixed), find_trees(model)
    rules, last = find_rules(model), unwrap(model)
    if many is not None:
        if want is not None or names:
            raise UsageError(
                "changes are looked for in one tree, and this model has many",
                slug="explain.many-trees",
                hints=["take one of its trees_ and explain that"],
            )
        return explain_many(many[0], transform_rows(model, row), width, ascii)
    if rules is not None or kind_of(model) == "neighbors":
        if want is not None or names:
            what = "neighbours" if rules is None else "rules"
            raise UsageError(
                f"changes are looked for in a tree, and this model has {what}",
                slug="explain.no-tree",
            )
        if rules is not None:
            return explain_rules(rules, last._forest, transform_rows(model, row), width, ascii)
        return explain_neighbors(last, transform_rows(model, row), width=width, ascii=ascii)
    tree, _ = find(model)
    # The columns one by one: a row may have come as a matrix.
    table = Table(one_row(transform_rows(model, row), tree.schema).series)
    columns: Any = encode(table, tree.schema)
    codes = [column[0].item() for column in columns]
    values = tuple(table.column(name).values()[0] for name in tree.schema.names)
    splits, says = OrderedTests(tree), tree._says(columns)
    answer = _answer(tree, says)
    path, parts = tree.path(table), tree._forest.parts(tree._index, columns)
    held = frozenset(_feature(tree, name) for name in names)
    accepts = accepting(tree, want, answer)
    found = [] if accepts is None else changes(splits, codes, accepts, fixed=held, most=_most(most))
    return Explanation(
        tree=tree,
        values=values,
        answer=answer,
        says=tuple(says[0].tolist()),
        node=path[-1],
        steps=tuple(steps(splits, path, codes, values)),
        parts=_parts(tree, path[-1], parts),
        changes=tuple(change for change in found if _holds(tree, table, change)),
        want=None if want is None else str(want),
        fixed=names,
        most=most,
        width=width,
        ascii=ascii,
    )


def _answer(tree: Tree, says: NDArray[np.float64]) -> Level:
    if not tree.schema.classes:
        return float(says[0, 0])
    return tree.schema.classes[int(decide(says, tree.schema)[0])]


def _parts(tree: Tree, top: int, parts: list[tuple[int, float]]) -> tuple[Part, ...]:
    if not tree.n_children[top] or len(parts) == 1:
        return ()
    return tuple(
        Part(share, node, tuple(_way(tree, path_to(tree, node, top)))) for node, share in parts
    )


def _way(tree: Tree, path: list[int]) -> Iterator[Branch]:
    for node, following in pairwise(path):
        yield next(b for b in tree.branches(node) if b.child == following)


def _holds(tree: Tree, table: Table, change: Change) -> bool:
    """Try a change out: the core says what the changed row gets."""
    new = {to.column: from_values(to.column, [to.value]) for to in change.to}
    row = Table([new.get(series.name, series) for series in table.series])
    return _answer(tree, tree._says(encode(row, tree.schema))) == change.answer


def _feature(tree: Tree, name: str) -> int:
    if name not in tree.schema.names:
        raise DataError(
            f'the model has no column "{name}"',
            slug="data.no-such-column",
            hints=[f"columns: {', '.join(tree.schema.names)}"],
        )
    return tree.schema.names.index(name)


def _most(most: Any) -> int:
    whole = isinstance(most, numbers.Integral) and not isinstance(most, bool)
    if not whole or not 1 <= int(most) <= 4:
        raise UsageError(
            f"most must be a whole number from 1 to 4; got {most!r}", slug="usage.parameter"
        )
    return int(most)
