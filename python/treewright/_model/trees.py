"""The trees of an ensemble: a sequence of ``Tree``, and impurity-based feature importances.

The core combines trees: ``base + Σ scale · value``, their mean, a vote or a median, then a link. Here they are only
read.

Glossary: trees that *score* output numbers that are added up and linked, also in a classifier; others output class
fractions, or the number itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._model.decision import decide
from treewright.schema import Level, Schema
from treewright.tree import Tree

__all__ = ["Trees", "importances", "smooth_forest", "used_features"]


class Trees(Sequence[Tree]):
    """The trees of a fitted model, in the order in which they were grown.

    Parameters
    ----------
    forest : Forest
        The native model.
    schema : Schema
        The names of the model's columns and classes.
    """

    def __init__(self, forest: _core.Forest, schema: Schema) -> None:
        self._forest = forest
        self.model_schema = schema
        self.combine: dict[str, Any] = forest.combine
        scores = self.combine["how"] == "sum" or forest.tree(0).n_outputs != len(schema.classes)
        # Scores are numbers, also where the model predicts classes.
        self.schema = replace(schema, classes=(), costs=()) if scores else schema

    def __len__(self) -> int:
        return self._forest.n_trees

    @overload
    def __getitem__(self, index: int) -> Tree: ...
    @overload
    def __getitem__(self, index: slice) -> list[Tree]: ...
    def __getitem__(self, index: int | slice) -> Tree | list[Tree]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = int(index) + len(self) if index < 0 else int(index)
        if not 0 <= at < len(self):
            raise IndexError(f"no tree {index}: the model has {len(self)}")
        return Tree(self._forest, at, self.schema)

    def baseline_prediction(self) -> Level:
        """Return the prediction from the root nodes alone: a class of the schema, or a number."""
        schema, forest, combine = self.model_schema, self._forest, self.combine
        roots = [forest.tree(i).value[0] for i in range(len(self))]
        scales = combine["scales"] or [1.0] * len(self)
        if combine["how"] == "median":
            return float(
                roots[0][0]
            )  # that of all rows; later trees see more of those with large errors
        sums = np.array([combine["base"] or [0.0] * forest.n_raw])
        for i, (root, scale) in enumerate(zip(roots, scales, strict=True)):
            if combine["how"] == "vote":
                sums[0, int(np.argmax(root))] += scale
            elif combine["targets"]:
                sums[0, combine["targets"][i]] += scale * root[0]
            else:
                sums[0] += scale * root
        outputs = forest.finish(sums, 0, len(self))
        if not schema.classes:
            return float(outputs[0, 0])
        return schema.classes[int(decide(outputs, schema)[0])]

    def importances(self) -> NDArray[np.float64]:
        """Return the impurity-based importance of each column; they add up to 1, or are all 0."""
        return importances(self._forest)

    def __repr__(self) -> str:
        nodes = sum(self._forest.tree(i).n_nodes for i in range(len(self)))
        return f"<Trees: {len(self):,} trees, {nodes:,} nodes>"


def used_features(forest: _core.Forest) -> list[int]:
    """Return the columns that splits and surrogates test, in order."""
    used: set[int] = set()
    for i in range(forest.n_trees):
        tree = forest.tree(i)
        used |= set(tree.feature[tree.n_children > 0].tolist())
        spares = tree.spares()
        used |= set() if spares is None else set(spares["feature"].tolist())
    return sorted(used)


def importances(forest: _core.Forest, first: int = 0) -> NDArray[np.float64]:
    """Return the impurity-based importance of each column: its fraction of the impurity decrease of all splits.

    Averaged trees count equally, voting trees by their weight; the decreases of summed trees are added. A model without
    splits has zeros. Trees before ``first`` are left out.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets
    >>> model = ID3Classifier().fit(*datasets.play_tennis())
    >>> importances(model._forest).round(2).tolist()
    [0.26, 0.0, 0.37, 0.37]
    """
    combine, total = forest.combine, np.zeros(forest.n_features)
    scales = combine["scales"] or [1.0] * forest.n_trees
    for i in range(first, forest.n_trees):
        tree = forest.tree(i)
        saved = np.bincount(tree.feature, weights=np.maximum(tree.gain, 0), minlength=len(total))
        tree_total = saved.sum()
        if combine["how"] == "sum":
            total += saved
        elif tree_total > 0:
            total += scales[i] * (saved / tree_total)
    overall = total.sum()
    return total / overall if overall > 0 else total


def smooth_forest(forest: _core.Forest, schema: Schema) -> _core.Forest:
    """Return the forest with what its nodes predict where ``schema`` smooths it.

    Examples
    --------
    >>> from treewright import ZeroRClassifier, datasets
    >>> model = ZeroRClassifier().fit(*datasets.play_tennis())
    >>> smoothed = smooth_forest(model._forest, replace(model.schema_, smoothing="laplace"))
    >>> smoothed.tree(0).value.tolist()
    [[0.375, 0.625]]
    """
    trees = (Tree(forest, i, schema) for i in range(forest.n_trees))
    return forest.with_values([np.ascontiguousarray(tree.outputs) for tree in trees])
