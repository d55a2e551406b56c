"""The estimators on Spark: a class says only what it is.

How each divides the work is in ``treewright._cluster.joint_fit``.
Nearest neighbors are not among them: their model is the rows themselves, which a driver cannot hold if a cluster is
needed for them.
"""

from __future__ import annotations

from typing import TypeVar

from treewright._cluster.engine_docstrings import complete_docstring
from treewright._learners.boosting import gradient_boosting
from treewright._learners.ensembles import adaboost, forests
from treewright._learners.trees import c45, cart, id3
from treewright.spark.spark_estimator import SparkEstimator

__all__ = [
    "AdaBoostClassifier",
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "ID3Classifier",
    "RandomForestClassifier",
    "RandomForestRegressor",
]

T = TypeVar("T")
EXAMPLE = """\
>>> from pyspark.sql import SparkSession  # doctest: +SKIP
>>> from treewright.spark import {name}
>>> model = {name}({arguments})
>>> frame = SparkSession.builder.getOrCreate().read.parquet("train")  # doctest: +SKIP
>>> model.fit(frame, "{target}").to_local().save("model.tree")  # doctest: +SKIP
"""


def _documented(kind: type[T]) -> type[T]:
    return complete_docstring(kind, EXAMPLE, ("label", "price"))


@_documented
class AdaBoostClassifier(SparkEstimator, adaboost.AdaBoostClassifier):  # type: ignore[misc]
    """AdaBoost for classes on Spark."""

    _local = adaboost.AdaBoostClassifier


@_documented
class C45Classifier(SparkEstimator, c45.C45Classifier):
    """C4.5 on Spark."""

    _local = c45.C45Classifier


@_documented
class CARTClassifier(SparkEstimator, cart.CARTClassifier):
    """CART for classes on Spark."""

    _local = cart.CARTClassifier


@_documented
class CARTRegressor(SparkEstimator, cart.CARTRegressor):
    """CART for numbers on Spark."""

    _local = cart.CARTRegressor


@_documented
class ExtraTreesClassifier(SparkEstimator, forests.ExtraTreesClassifier):
    """Extremely randomized trees for classes on Spark."""

    _local = forests.ExtraTreesClassifier


@_documented
class ExtraTreesRegressor(SparkEstimator, forests.ExtraTreesRegressor):
    """Extremely randomized trees for numbers on Spark."""

    _local = forests.ExtraTreesRegressor


@_documented
class GradientBoostingClassifier(SparkEstimator, gradient_boosting.GradientBoostingClassifier):  # type: ignore[misc]
    """Gradient boosting for classes on Spark."""

    _local = gradient_boosting.GradientBoostingClassifier


@_documented
class GradientBoostingRegressor(SparkEstimator, gradient_boosting.GradientBoostingRegressor):  # type: ignore[misc]
    """Gradient boosting for numbers on Spark."""

    _local = gradient_boosting.GradientBoostingRegressor


@_documented
class ID3Classifier(SparkEstimator, id3.ID3Classifier):
    """ID3 on Spark."""

    _local = id3.ID3Classifier


@_documented
class RandomForestClassifier(SparkEstimator, forests.RandomForestClassifier):
    """Random forest for classes on Spark."""

    _local = forests.RandomForestClassifier


@_documented
class RandomForestRegressor(SparkEstimator, forests.RandomForestRegressor):
    """Random forest for numbers on Spark."""

    _local = forests.RandomForestRegressor
