"""``explain``: why one row gets its prediction, and which smallest change would give it another one.

Each kind of model has its own explanation: ``explanation`` for a tree, ``contributions`` for an ensemble,
``rule_explanation`` for a rule set; that of nearest neighbors is in ``_learners.neighbors``. ``decision_path`` lists
the tests on the path of a row and ``counterfactual`` finds the smallest change. Nothing is approximated: the path is
the one that the row takes, and every change is tried out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from treewright._estimator.find import find, find_rules, find_trees, kind_of, transform_rows, unwrap
from treewright._explain.contributions import ManyExplanation, explain_many
from treewright._explain.explanation import Explanation, explain_tree
from treewright._explain.rule_explanation import RuleExplanation, explain_rules
from treewright._learners.neighbors.neighbor_explanation import (
    NeighbourExplanation,
    explain_neighbors,
)
from treewright.errors import UsageError

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
    """Explain the prediction for one row, and find the smallest change that would give another one.

    Parameters
    ----------
    model : estimator, Pipeline or Tree
        A fitted model, or a pipeline or search whose last step is one. A tree is explained by the path of the row, a
        rule set by the rule that matched, nearest neighbors by the rows that voted, an ensemble by the contribution
        of each column.
    row : one-row table, mapping of column names to values, or sequence of values
        The row. Columns that a mapping leaves out are missing.
    want : class or str, default=None
        The prediction that a change should give: a class, or for a number a bound such as ``">= 200"``. None means
        any other class; for numbers no change is searched.
    fixed : iterable of str, default=()
        Columns that may not change.
    most : int, default=2
        Maximum number of columns that change together.
    width : int, default=None
        Width of the text in characters; None takes that of the terminal.
    ascii : bool, default=None
        Write ASCII characters only; None does so if the terminal cannot show others.

    Returns
    -------
    Explanation, ManyExplanation, RuleExplanation or NeighbourExplanation
        Text by ``str()``, plain values by ``to_dict()``, a file by ``save()``.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, explain
    >>> clf = ID3Classifier().fit(*datasets.play_tennis())
    >>> row = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Strong"}
    >>> explain(clf, row, width=100)
    No.
      because  Outlook = Sunny  (node #0)
          and  Humidity = High  (node #1)
      3 training rows took this path, all "No" (95% interval: 43.9% to 100%)
    smallest change to get "Yes":  Humidity High → Normal
    other single change:           Outlook Sunny → Overcast
    not used on this path:         Temperature, Wind
    """
    fixed = tuple(fixed)
    wants_change = want is not None or bool(fixed)
    ensemble, rules = find_trees(model), find_rules(model)
    row = transform_rows(model, row)
    if ensemble is not None:
        _refuse_changes(wants_change, "this model has many trees", "explain.many-trees")
        return explain_many(ensemble[0], row, width, ascii)
    if rules is not None:
        _refuse_changes(wants_change, "this model is a rule set", "explain.no-tree")
        return explain_rules(rules, unwrap(model)._forest, row, width, ascii)
    if kind_of(model) == "neighbors":
        _refuse_changes(wants_change, "this model has no tree", "explain.no-tree")
        return explain_neighbors(unwrap(model), row, width=width, ascii=ascii)
    tree, _ = find(model)
    return explain_tree(tree, row, want, fixed, most, width=width, ascii=ascii)


def _refuse_changes(wants_change: bool, reason: str, slug: str) -> None:
    if wants_change:
        many = slug == "explain.many-trees"
        raise UsageError(
            f"a change can be searched in one tree only; {reason}",
            slug=slug,
            hints=["take one of its trees_ and explain that"] if many else [],
        )
