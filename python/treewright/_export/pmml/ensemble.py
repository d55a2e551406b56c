"""An ensemble in PMML: a ``MiningModel`` of segments, and a ``RegressionModel`` after it for the link.

A mean is an average of trees; a sum is a sum of trees, the first of which is the base. AdaBoost's votes are a weighted
majority; the fractions of the votes, times a constant, go through softmax. Its median is the weighted median.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from treewright._export.combined_model import CombinedModel
from treewright._export.pmml.text import Document, number, value
from treewright._export.pmml.tree import TreeOptions, write_tree

__all__ = ["write_ensemble"]

NORMALIZATION = {"logistic": "logit", "softmax": "softmax", "exp": "exp"}


def write_ensemble(document: Document, model: CombinedModel) -> None:
    """Write the ensemble."""
    if model.link == "identity":
        _write_trees(document, model)
        return
    names = [document.free_name(name) for name in _names(model)]
    with _mining(document, "modelChain", document.function, target=True):
        if model.how == "vote":
            with _segment(document, 1):
                _write_votes(document, model, names)
        else:
            for target, name in enumerate(names):
                with _segment(document, target + 1):
                    _write_sum(document, model, target, name)
        with _segment(document, len(names) + 1):
            _write_link(document, model, names)


def _names(model: CombinedModel) -> list[str]:
    word = "votes" if model.how == "vote" else "sum"
    return [f"{word} {k}" for k in range(model.sums)]


@contextmanager
def _mining(
    document: Document, method: str, function: str, *, target: bool, outputs: tuple[str, ...] = ()
) -> Iterator[None]:
    """Write a model of segments around what is written inside the ``with``."""
    with document.element("MiningModel", functionName=function):
        document.write_fields(document.schema.names, target=target)
        if outputs:
            with document.element("Output"):
                for k, name in enumerate(outputs):
                    what = {"feature": "predictedValue"}
                    if function == "classification":
                        c = value(document.schema.classes[k])
                        what = {"feature": "probability", "value": c}
                    document.empty(
                        "OutputField", name=name, optype="continuous", dataType="double", **what
                    )
        with document.element("Segmentation", multipleModelMethod=method):
            yield


@contextmanager
def _segment(document: Document, place: int, weight: float | None = None) -> Iterator[None]:
    weighted = {} if weight is None else {"weight": number(weight)}
    with document.element("Segment", id=str(place), **weighted):
        document.empty("True")
        yield


def _write_trees(document: Document, model: CombinedModel) -> None:
    """Write an ensemble without a link."""
    if model.how == "sum":
        _write_sum(document, model, 0)
        return
    method = "average" if model.how == "mean" else "weightedMedian"
    with _mining(document, method, document.function, target=True):
        for tree, splits in enumerate(model.trees):
            with _segment(document, tree + 1, model.scale(tree) if model.how == "median" else None):
                write_tree(document, splits, TreeOptions(alone=False))


def _write_sum(
    document: Document, model: CombinedModel, target: int, name: str | None = None
) -> None:
    """Write one of the sums, as the target or as a field of its own."""
    outputs = () if name is None else (name,)
    with _mining(document, "sum", "regression", target=name is None, outputs=outputs):
        with _segment(document, 1):
            _write_base(document, model.base[target])
        place = 1
        for tree, splits in enumerate(model.trees):
            [(_, to)] = model.adds_to(tree)
            if to == target:
                place += 1
                with _segment(document, place):
                    numbers = model.node_terms(tree)[:, 0]
                    write_tree(document, splits, TreeOptions(numbers=numbers, alone=False))


def _write_base(document: Document, base: float) -> None:
    """Write the base of a sum: a tree of one node."""
    with document.element("TreeModel", functionName="regression"):
        document.write_fields((), target=False)
        with document.element("Node", score=number(base)):
            document.empty("True")


def _write_votes(document: Document, model: CombinedModel, names: list[str]) -> None:
    """Write the votes; their fractions become fields."""
    with _mining(
        document, "weightedMajorityVote", "classification", target=True, outputs=tuple(names)
    ):
        for tree, splits in enumerate(model.trees):
            with _segment(document, tree + 1, model.scale(tree)):
                write_tree(document, splits, TreeOptions(alone=False))


def _write_link(document: Document, model: CombinedModel, names: list[str]) -> None:
    """Write the link: a regression on the sums with coefficients 1, or on the fractions of the votes."""
    factor = model.sums / (model.sums - 1) ** 2 if model.how == "vote" else 1.0
    classes, method = model.schema.classes, NORMALIZATION[model.link]
    # The logit is that of the second class; the first gets the rest.
    order = [1, 0] if model.link == "logistic" else list(range(len(names)))
    with document.element(
        "RegressionModel", functionName=document.function, normalizationMethod=method
    ):
        document.write_fields(names)
        for place, k in enumerate(order):
            category = {"targetCategory": value(classes[k])} if classes else {}
            with document.element("RegressionTable", intercept="0.0", **category):
                if model.link != "logistic" or place == 0:
                    coefficient = number(factor)
                    document.empty("NumericPredictor", name=names[place], coefficient=coefficient)
