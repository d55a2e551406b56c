"""``to_rules``: a tree as rules, one for each leaf, with their support."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright._draw.conditions import conditions_of_leaves
from treewright._draw.rule_list import Rule, RuleList, leaf_rule
from treewright._estimator.find import find, find_rules

__all__ = ["Rule", "RuleList", "to_rules"]


def to_rules(model: Any) -> RuleList:
    """Return a model as rules: one for each leaf, the conditions on a column merged, the largest first.

    Parameters
    ----------
    model : estimator, Pipeline or Tree
        A fitted tree, a pipeline or search whose last step is one, or a rule set, whose own rules are returned.

    Returns
    -------
    RuleList
        Rules with rows, correct predictions, Wilson's interval and lift.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, to_rules
    >>> rules = to_rules(ID3Classifier().fit(*datasets.play_tennis()))
    >>> for rule in rules[:2]:
    ...     print(rule, rule.rows, round(rule.interval[0], 2), round(rule.lift, 2))
    Outlook = Overcast: Yes 4 0.51 1.56
    Outlook = Sunny and Humidity = High: No 3 0.44 2.8
    """
    own = find_rules(model)
    if own is not None:
        return own
    tree, caption = find(model)
    leaves = np.flatnonzero(tree.n_children == 0)
    leaves = leaves[np.argsort(-tree.count[leaves].astype(np.int64), kind="stable")]
    conditions = conditions_of_leaves(tree)
    rules = tuple(
        leaf_rule(tree, leaf, conditions[leaf], errors)
        for leaf, errors in zip(leaves.tolist(), tree.errors_of(leaves).tolist(), strict=True)
    )
    return RuleList(rules, tree.schema, caption.method, rows=int(tree.count[0]))
