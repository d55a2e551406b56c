"""Models of LightGBM as fitted estimators of this package.

LightGBM compares doubles as they are and adds in double precision: sums are the same to the last bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright._interchange.fitted_model import fitted_model, join_trees, refuse, sum_of_trees
from treewright._interchange.foreign_source import category_column, read_text
from treewright._interchange.lightgbm_text import (
    LightGBMText,
    categories_of,
    integer,
    numbers,
    parse_text,
    tree_nodes,
)
from treewright._interchange.node_tables import damaged
from treewright._model.table_builder import levels_of
from treewright.schema import Column, Schema

__all__ = ["from_lightgbm"]

# The loss and the link of each objective.
OBJECTIVES = {
    "binary": ("log_loss", "logistic"),
    "multiclass": ("log_loss", "softmax"),
    "regression": ("squared_error", "identity"),
    "regression_l1": ("absolute_error", "identity"),
    "huber": ("huber", "identity"),
    "quantile": ("quantile", "identity"),
    "poisson": ("poisson", "exp"),
    "gamma": ("gamma", "exp"),
    "tweedie": ("tweedie", "exp"),
}


def from_lightgbm(model: Any) -> Any:
    """Return a model of LightGBM as a fitted estimator of treewright.

    The trees are copied, not trained again, and the predictions are the same for every row, with missing values and
    categories. LightGBM itself is not needed.

    Parameters
    ----------
    model : Booster, LGBMClassifier, LGBMRegressor, path or str
        The model, or the text that ``save_model`` and ``model_to_string`` of LightGBM write, or a file with it.

    Returns
    -------
    GradientBoostingClassifier or GradientBoostingRegressor
        Its classes are those of ``LGBMClassifier``, or 0, 1, ... for a ``Booster`` and for text. ``fit`` would train
        another model.

    Raises
    ------
    UsageError
        If the model has another objective, or linear trees.
    ModelFileError
        If the text cannot be read.

    Examples
    --------
    >>> import treewright
    >>> text = '''tree
    ... num_class=1
    ... num_tree_per_iteration=1
    ... max_feature_idx=0
    ... objective=regression
    ... feature_names=age
    ... feature_infos=[0:9]
    ...
    ... Tree=0
    ... num_leaves=2
    ... num_cat=0
    ... split_feature=0
    ... split_gain=1
    ... threshold=5
    ... decision_type=2
    ... left_child=-1
    ... right_child=-2
    ... leaf_value=1.5 2.5
    ...
    ... end of trees
    ... '''
    >>> treewright.from_lightgbm(text).predict({"age": [4, 5, 6]}).tolist()
    [1.5, 1.5, 2.5]
    """
    classes = getattr(model, "classes_", None)
    booster = getattr(model, "booster_", model)
    if hasattr(booster, "model_to_string"):
        text = booster.model_to_string()
    else:
        text = read_text(booster, is_text=isinstance(booster, str) and "\n" in booster)
    return _convert(parse_text(text), classes)


def _convert(text: LightGBMText, classes: Any) -> Any:
    header = text.header
    objective, *options = header.get("objective", "").split() or [""]
    if objective not in OBJECTIVES or "sqrt" in options:
        raise refuse(
            f"a LightGBM model with objective {header.get('objective', '')[:40]!a}",
            f"its objective must be one of {', '.join(OBJECTIVES)}",
        )
    if any(tree.get("is_linear", "0") != "0" for tree in text.trees):
        raise refuse("a LightGBM model with linear trees", "train it with linear_tree=False")
    loss, link = OBJECTIVES[objective]
    sums = integer(header, "num_tree_per_iteration")
    n_classes = {"logistic": 2, "softmax": sums}.get(link, 0)
    if sums < 1 or (sums > 1) != (link == "softmax") or len(text.trees) % sums:
        raise damaged("the number of its trees does not fit its objective")
    labels = list(range(n_classes)) if classes is None or not n_classes else classes.tolist()
    if len(labels) != n_classes:
        raise damaged("the number of its classes does not fit its objective")
    schema = Schema(tuple(_columns(text)), None, tuple(labels))
    trees = [tree_nodes(tree, levels_of(schema)) for tree in text.trees]
    rounds = len(trees) // sums
    forest = join_trees(schema, trees, _combine(text, options, sums, rounds, link))
    dtype = np.asarray(labels).dtype
    return fitted_model(
        "GradientBoostingClassifier" if n_classes else "GradientBoostingRegressor",
        {"n_estimators": rounds, "loss": loss},
        schema,
        forest,
        named=any(name != f"Column_{i}" for i, name in enumerate(schema.names)),
        classes_dtype="str" if dtype.kind == "U" else dtype.name,
        kept={"n_estimators_": rounds},
    )


def _combine(
    text: LightGBMText, options: list[str], sums: int, rounds: int, link: str
) -> dict[str, Any]:
    slope = 1.0
    for option in options:
        name, _, value = option.partition(":")
        if name == "sigmoid":
            slope = float(numbers({name: value}, name, 1)[0])
    if text.is_averaged and sums == 1 and slope == 1.0:
        return {"how": "mean", "link": link, "base": [], "scales": [], "targets": []}
    scale = slope / rounds if text.is_averaged else slope
    return sum_of_trees([0.0] * sums, [*range(sums)] * rounds, link, [scale] * sums * rounds)


def _columns(text: LightGBMText) -> list[Column]:
    """Return the columns, with the categories of pandas or else their numbers."""
    names = text.header.get("feature_names", "").split(" ")
    infos = text.header.get("feature_infos", "").split(" ")
    if not len(names) == len(infos) == integer(text.header, "max_feature_idx") + 1:
        raise damaged("it has not as many names as columns")
    used = _used_categories(text, len(names))
    is_text = [info[:1] not in ("[", "n") or bool(used[i]) for i, info in enumerate(infos)]
    pandas = iter(text.pandas_categories)
    if text.pandas_categories and sum(is_text) != len(text.pandas_categories):
        raise refuse(
            "a LightGBM model with a categorical column that has one value",
            "leave out columns with a single value",
        )
    columns = []
    for i, name in enumerate(names):
        if not is_text[i]:
            columns.append(Column(name, "numeric"))
            continue
        levels = next(pandas, None)
        if levels is None:
            seen = {int(part) for part in infos[i].split(":") if part.isdecimal() and len(part) < 8}
            levels = list(range(max({0} | seen | used[i]) + 1))
        if not all(isinstance(level, (str, bool, int, float)) for level in levels):
            raise damaged("a category is neither text nor a number")
        columns.append(category_column(name, levels))
    return columns


def _used_categories(text: LightGBMText, width: int) -> list[set[int]]:
    """Return the largest category that the trees name in each column."""
    used: list[set[int]] = [set() for _ in range(width)]
    for tree in text.trees:
        sets = categories_of(tree)
        if not sets:
            continue
        features = numbers(tree, "split_feature", None, np.int64)
        tests, kinds = numbers(tree, "threshold"), numbers(tree, "decision_type", None, np.int64)
        for feature, test, kind in zip(features, tests, kinds, strict=False):
            if kind & 1 and 0 <= feature < width and 0 <= test < len(sets):
                used[feature] |= {int(x) for x in sets[int(test)][-1:]}
    return used
