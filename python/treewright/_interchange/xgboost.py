"""Models of XGBoost as fitted estimators of this package.

XGBoost rounds numbers to single precision before it compares them, and adds in single precision. Every row ends in the
same leaves here; sums are added in double precision, so predictions differ by the rounding of XGBoost.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from treewright._interchange.fitted_model import fitted_model, join_trees, refuse, sum_of_trees
from treewright._interchange.foreign_source import category_column, read_text
from treewright._interchange.node_tables import damaged
from treewright._interchange.xgboost_trees import tree_nodes
from treewright._model.table_builder import levels_of
from treewright.errors import TreewrightError
from treewright.schema import Column, Level, Schema

__all__ = ["from_xgboost"]

# The loss and the link of each objective.
OBJECTIVES = {
    "binary:logistic": ("log_loss", "logistic"),
    "multi:softprob": ("log_loss", "softmax"),
    "multi:softmax": ("log_loss", "softmax"),
    "reg:squarederror": ("squared_error", "identity"),
    "reg:absoluteerror": ("absolute_error", "identity"),
    "reg:quantileerror": ("quantile", "identity"),
    "count:poisson": ("poisson", "exp"),
    "reg:gamma": ("gamma", "exp"),
    "reg:tweedie": ("tweedie", "exp"),
}
MAX_COLUMNS = 1 << 20
ERRORS = (AttributeError, LookupError, TypeError, ValueError, OverflowError)


def from_xgboost(model: Any) -> Any:
    """Return a model of XGBoost as a fitted estimator of treewright.

    The trees are copied, not trained again. Every row ends in the same leaves, with missing values and categories.
    XGBoost adds the values of the leaves in single precision, treewright in double precision: predictions agree to
    about six digits. XGBoost itself is not needed.

    Parameters
    ----------
    model : Booster, XGBClassifier, XGBRegressor, path or str
        The model, or the JSON that ``save_model("model.json")`` of XGBoost writes, or a file with it.

    Returns
    -------
    GradientBoostingClassifier or GradientBoostingRegressor
        Its classes are those of ``XGBClassifier``, or 0, 1, ... for a ``Booster`` and for JSON. ``fit`` would train
        another model.

    Raises
    ------
    UsageError
        If the model has another objective, several targets, or linear models.
    ModelFileError
        If the JSON cannot be read.

    Examples
    --------
    >>> import json, treewright
    >>> tree = {
    ...     "left_children": [1, -1, -1], "right_children": [2, -1, -1], "split_indices": [0, 0, 0],
    ...     "split_conditions": [5.0, 1.5, 2.5], "default_left": [1, 0, 0],
    ... }
    >>> learner = {
    ...     "learner_model_param": {"base_score": "0", "num_class": "0", "num_feature": "1"},
    ...     "objective": {"name": "reg:squarederror"},
    ...     "gradient_booster": {"name": "gbtree", "model": {"trees": [tree], "tree_info": [0]}},
    ... }
    >>> treewright.from_xgboost(json.dumps({"learner": learner})).predict([[4], [5]]).tolist()
    [1.5, 2.5]
    """
    classes = getattr(model, "classes_", None)
    booster = _booster(model)
    if hasattr(booster, "save_raw"):
        text = bytes(booster.save_raw(raw_format="json")).decode("utf-8")
    else:
        is_text = isinstance(booster, str) and booster.lstrip().startswith("{")
        text = read_text(booster, is_text)
    try:
        learner = json.loads(text)["learner"]
        return _convert(learner, classes)
    except TreewrightError:
        raise
    except RecursionError:
        raise damaged("its JSON is nested too deeply") from None
    except ERRORS as error:
        raise damaged(f"{type(error).__name__}: {error}") from error


def _booster(model: Any) -> Any:
    """Return the booster of a model of XGBoost's scikit-learn interface, up to the best round if it stopped early."""
    if not hasattr(model, "get_booster"):
        return model
    booster = model.get_booster()
    best = booster.attributes().get("best_iteration")
    return booster if best is None else booster[: int(best) + 1]


def _convert(learner: Mapping[str, Any], classes: Any) -> Any:
    objective, figures = learner["objective"]["name"], learner["learner_model_param"]
    if objective not in OBJECTIVES:
        raise refuse(
            f"an XGBoost model with objective {str(objective)[:40]!a}",
            f"its objective must be one of {', '.join(OBJECTIVES)}",
        )
    if int(figures.get("num_target", 1)) > 1:
        raise refuse("an XGBoost model with several targets", "train one model for each target")
    loss, link = OBJECTIVES[objective]
    n_classes = {"logistic": 2, "softmax": int(figures["num_class"])}.get(link, 0)
    sums = n_classes if link == "softmax" else 1
    labels = list(range(n_classes)) if classes is None or not n_classes else classes.tolist()
    if len(labels) != n_classes or n_classes > 1 << 16:
        raise damaged("the number of its classes does not fit its objective")
    trees, targets, scales = _booster_parts(learner["gradient_booster"])
    schema = Schema(tuple(_columns(learner)), None, tuple(labels))
    nodes = [tree_nodes(tree, levels_of(schema)) for tree in trees]
    base = _base(figures["base_score"], link, sums)
    forest = join_trees(schema, nodes, sum_of_trees(base, targets, link, scales))
    rounds = max(1, len(trees) // sums)
    dtype = np.asarray(labels).dtype
    return fitted_model(
        "GradientBoostingClassifier" if n_classes else "GradientBoostingRegressor",
        {"n_estimators": rounds, "loss": loss},
        schema,
        forest,
        named=bool(learner.get("feature_names")),
        classes_dtype="str" if dtype.kind == "U" else dtype.name,
        kept={"n_estimators_": rounds},
    )


def _booster_parts(booster: Mapping[str, Any]) -> tuple[list[Any], list[int], list[float]]:
    """Return the trees, the sum that each adds to, and the scales that DART gave them."""
    name, scales = booster["name"], []
    if name == "dart":
        scales = np.array(booster["weight_drop"], dtype=np.float32).astype(float).tolist()
        booster = booster["gbtree"]
    elif name != "gbtree":
        raise refuse(f"an XGBoost model with booster {str(name)[:40]!a}", "train it with gbtree")
    model = booster["model"]
    return model["trees"], [int(x) for x in model["tree_info"]], scales


def _base(score: Any, link: str, sums: int) -> list[float]:
    """Return where the sums start; the file holds it after the link."""
    scores = json.loads(str(score))
    scores = [float(np.float32(x)) for x in (scores if isinstance(scores, list) else [scores])]
    if len(scores) == 1:
        scores = scores * sums
    if len(scores) != sums:
        raise damaged("the number of its base scores does not fit its objective")
    if link == "logistic":
        return [float(np.float32(-math.log(1 / x - 1))) for x in scores]
    return [float(np.float32(math.log(x))) for x in scores] if link == "exp" else scores


def _columns(learner: Mapping[str, Any]) -> list[Column]:
    width = int(learner["learner_model_param"]["num_feature"])
    if not 0 < width <= MAX_COLUMNS:
        raise damaged(f"it has {width:,} columns")
    names = learner.get("feature_names") or [f"x{i}" for i in range(width)]
    kinds = learner.get("feature_types") or ["float"] * width
    if not len(names) == len(kinds) == width:
        raise damaged("it has not as many names as columns")
    levels = _categories(learner, width) if "c" in kinds else []
    columns = []
    for i, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        if kind == "c":
            columns.append(category_column(str(name), levels[i]))
        else:
            columns.append(Column(str(name), "numeric", single=True))
    return columns


def _categories(learner: Mapping[str, Any], width: int) -> list[list[Level]]:
    """Return the categories of each column: their names if the file holds them, else 0, 1, ..."""
    booster = learner["gradient_booster"]
    model = booster.get("gbtree", booster)["model"]
    largest = [-1] * width
    for tree in model["trees"]:
        for node, start, size in zip(
            tree["categories_nodes"],
            tree["categories_segments"],
            tree["categories_sizes"],
            strict=True,
        ):
            column = tree["split_indices"][node]
            largest[column] = max([largest[column], *tree["categories"][start : start + size]])
    if max(largest) >= 1 << 20:
        raise damaged("a category has too large a number")
    names: list[list[Level]] = []
    for column, each in enumerate(model.get("cats", {}).get("enc") or [{}] * width):
        offsets, values = each.get("offsets", []), each.get("values", [])
        if offsets:
            text = bytes(values)
            pairs = itertools.pairwise(offsets)
            names.append([text[a:b].decode("utf-8") for a, b in pairs])
        else:
            names.append(list(values) or list(range(largest[column] + 1)))
    return names
