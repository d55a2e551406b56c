"""Many trees in PMML: a ``MiningModel`` of segments, and a ``RegressionModel`` behind it for the link.

A mean is an average of trees, a sum a sum of them, the first of which is the base alone. AdaBoost's votes are a
weighted majority; the shares of the votes, times a constant, go through softmax, which leaves the constants of its
formula out because they change nothing. Its median is the standard's weighted median.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from treewright._export.combined_model import CombinedModel
from treewright._export.pmml.text import Document, number, value
from treewright._export.pmml.tree import Way, write_tree

__all__ = ["write_many"]

NORMALIZED = {"logistic": "logit", "softmax": "softmax", "exp": "exp"}


def write_many(document: Document, model: CombinedModel) -> None:
    """Write the model."""
    if model.link == "identity":
        _answers(document, model)
        return
    names = [document.free(name) for name in _names(model)]
    with _mining(document, "modelChain", document.function(), target=True):
        if model.how == "vote":
            with _segment(document, 1):
                _votes(document, model, names)
        else:
            for target, name in enumerate(names):
                with _segment(document, target + 1):
                    _sum(document, model, target, name)
        with _segment(document, len(names) + 1):
            _linked(document, model, names)


def _names(model: CombinedModel) -> list[str]:
    word = "votes" if model.how == "vote" else "sum"
    return [f"{word} {k}" for k in range(model.sums)]


@contextmanager
def _mining(
    document: Document, method: str, function: str, *, target: bool, outputs: tuple[str, ...] = ()
) -> Iterator[None]:
    """Write a model of segments around what is written meanwhile."""
    document.open("MiningModel", functionName=function)
    document.fields(document.schema.names, target=target)
    if outputs:
        document.open("Output")
        for k, name in enumerate(outputs):
            what = {"feature": "predictedValue"}
            if function == "classification":
                what = {"feature": "probability", "value": value(document.schema.classes[k])}
            document.empty("OutputField", name=name, optype="continuous", dataType="double", **what)
        document.close("Output")
    document.open("Segmentation", multipleModelMethod=method)
    yield
    document.close("Segmentation")
    document.close("MiningModel")


@contextmanager
def _segment(document: Document, place: int, weight: float | None = None) -> Iterator[None]:
    weighted = {} if weight is None else {"weight": number(weight)}
    document.open("Segment", id=str(place), **weighted)
    document.empty("True")
    yield
    document.close("Segment")


def _answers(document: Document, model: CombinedModel) -> None:
    """Write trees of which the answer comes without a link."""
    if model.how == "sum":
        _sum(document, model, 0)
        return
    method = "average" if model.how == "mean" else "weightedMedian"
    with _mining(document, method, document.function(), target=True):
        for tree, splits in enumerate(model.trees):
            with _segment(document, tree + 1, model.scale(tree) if model.how == "median" else None):
                write_tree(document, splits, Way(alone=False))


def _sum(document: Document, model: CombinedModel, target: int, name: str | None = None) -> None:
    """Write one of the sums, as the target or as a field of its own."""
    outputs = () if name is None else (name,)
    with _mining(document, "sum", "regression", target=name is None, outputs=outputs):
        with _segment(document, 1):
            _base(document, model.base[target])
        place = 1
        for tree, splits in enumerate(model.trees):
            [(_, to)] = model.adds_to(tree)
            if to == target:
                place += 1
                with _segment(document, place):
                    numbers = model.node_terms(tree)[:, 0]
                    write_tree(document, splits, Way(numbers=numbers, alone=False))


def _base(document: Document, base: float) -> None:
    """Write the start of a sum: a tree of one node."""
    document.open("TreeModel", functionName="regression")
    document.fields((), target=False)
    document.open("Node", score=number(base))
    document.empty("True")
    document.close("Node")
    document.close("TreeModel")


def _votes(document: Document, model: CombinedModel, names: list[str]) -> None:
    """Write the votes, whose shares become fields."""
    with _mining(
        document, "weightedMajorityVote", "classification", target=True, outputs=tuple(names)
    ):
        for tree, splits in enumerate(model.trees):
            with _segment(document, tree + 1, model.scale(tree)):
                write_tree(document, splits, Way(alone=False))


def _linked(document: Document, model: CombinedModel, names: list[str]) -> None:
    """Write the link: a regression on the sums whose factors are 1, or on the shares of the votes."""
    factor = model.sums / (model.sums - 1) ** 2 if model.how == "vote" else 1.0
    document.open(
        "RegressionModel",
        functionName=document.function(),
        normalizationMethod=NORMALIZED[model.link],
    )
    document.fields(names)
    classes = model.schema.classes
    # The logit is of the second class; the first has what is left.
    order = [1, 0] if model.link == "logistic" else list(range(len(names)))
    for place, k in enumerate(order):
        category = {"targetCategory": value(classes[k])} if classes else {}
        document.open("RegressionTable", intercept="0.0", **category)
        if model.link != "logistic" or place == 0:
            document.empty("NumericPredictor", name=names[place], coefficient=number(factor))
        document.close("RegressionTable")
    document.close("RegressionModel")
