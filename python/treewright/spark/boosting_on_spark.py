"""Gradient boosting on Spark."""

from __future__ import annotations

from treewright._learners.boosting import gradient_boosting
from treewright._utils.docstrings import documented
from treewright.spark.spark_estimator import SparkEstimator

__all__ = ["GradientBoostingClassifier", "GradientBoostingRegressor"]


@documented
class GradientBoostingClassifier(SparkEstimator, gradient_boosting.GradientBoostingClassifier):  # type: ignore[misc]
    """Gradient boosting for classes on Spark.

    Its model has the bytes of the local estimator's model for the same rows in one table.

    Attributes
    ----------
    fit_report_ : FitReport
        What the fit took: seconds by phase, workers, bytes, memory, restarts.

    Examples
    --------
    >>> from pyspark.sql import SparkSession  # doctest: +SKIP
    >>> from treewright.spark import GradientBoostingClassifier
    >>> model = GradientBoostingClassifier(n_estimators=4)
    >>> frame = SparkSession.builder.getOrCreate().read.parquet("train")  # doctest: +SKIP
    >>> model.fit(frame, "label").to_local().save("model.tree")  # doctest: +SKIP
    """

    _local = gradient_boosting.GradientBoostingClassifier


@documented
class GradientBoostingRegressor(SparkEstimator, gradient_boosting.GradientBoostingRegressor):  # type: ignore[misc]
    """Gradient boosting for numbers on Spark.

    Its model has the bytes of the local estimator's model for the same rows in one table.

    Attributes
    ----------
    fit_report_ : FitReport
        What the fit took: seconds by phase, workers, bytes, memory, restarts.

    Examples
    --------
    >>> from pyspark.sql import SparkSession  # doctest: +SKIP
    >>> from treewright.spark import GradientBoostingRegressor
    >>> model = GradientBoostingRegressor(n_estimators=4)
    >>> frame = SparkSession.builder.getOrCreate().read.parquet("train")  # doctest: +SKIP
    >>> model.fit(frame, "price").to_local().save("model.tree")  # doctest: +SKIP
    """

    _local = gradient_boosting.GradientBoostingRegressor
