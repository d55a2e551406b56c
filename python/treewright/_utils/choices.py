"""The words that parameters accept, as far as the command line offers them too. Both read them here."""

from __future__ import annotations

__all__ = [
    "BINARIZE",
    "COUNT_MEASURES",
    "DATES",
    "DECIMAL_MARKS",
    "DIALECTS",
    "FIT_PRUNING",
    "FRACTIONAL",
    "LANGUAGES",
    "LESSON_STEPS",
    "LEVEL_RULES",
    "LOSSES",
    "METRICS",
    "METRIC_ALIASES",
    "MISSING_VALUES",
    "NUMERIC_SPLITS",
    "PRUNING_METHODS",
    "RANK_MEASURES",
    "RISKS",
    "ROUNDING",
    "SCALES",
    "THRESHOLDS",
    "TOPICS",
    "UNITS",
    "VOTES",
]

# Files: dates=, decimal=.
DATES = ("ignore", "parts")
DECIMAL_MARKS = (".", ",")
# Nearest neighbors: metric=, scale= (or None), weights=.
METRICS = (
    "auto",
    "euclidean",
    "manhattan",
    "chebyshev",
    "minkowski",
    "hamming",
    "cosine",
    "heom",
    "gower",
)
# The other names of metrics that scikit-learn has.
METRIC_ALIASES = {
    "cityblock": "manhattan",
    "infinity": "chebyshev",
    "l1": "manhattan",
    "l2": "euclidean",
    "p": "minkowski",
}
SCALES = ("auto", "range", "standard", None)
VOTES = ("uniform", "distance", "squared_distance")
# C4.5: thresholds=.
THRESHOLDS = ("value", "midpoint")
# Optimal trees: binarize=.
BINARIZE = ("auto", "all", "quantiles")
# Gradient boosting of numbers: loss=.
LOSSES = (
    "squared_error",
    "absolute_error",
    "huber",
    "quantile",
    "poisson",
    "gamma",
    "tweedie",
)
# Pruning: prune= of estimators (or None), method= of prune, risk= and choose= of cost-complexity pruning.
FIT_PRUNING = ("pessimistic", "reduced_error", "cost_complexity")
PRUNING_METHODS = ("cost_complexity", "pessimistic", "reduced_error", "collapse", "snip")
RISKS = ("impurity", "errors")
LEVEL_RULES = ("1se", "least")
# rank_columns: by= for classes and for numbers, numeric=, missing=.
RANK_MEASURES = ("gain", "gain_ratio", "mutual_information", "gini", "chi2", "one_r")
NUMERIC_SPLITS = ("cut", "mdl")
MISSING_VALUES = ("known", "value", "spread")
# work: what=, rounding=, unit=.
TOPICS = ("split", "prune", "curves", "distribution", "round")
ROUNDING = ("exact", "lecture", "truncate")
UNITS = ("bits", "nats", "hartleys")
COUNT_MEASURES = (
    "entropy",
    "gini",
    "information",
    "code-length",
    "gain",
    "gain-ratio",
    "split-information",
    "gini-gain",
)
# export: dialect= of SQL, divided= of PMML.
DIALECTS = ("duckdb", "postgres", "sqlite")
FRACTIONAL = ("null", "weighted")
# Lessons: language=, steps=.
LANGUAGES = ("en", "de", "zh")
LESSON_STEPS = (
    "table",
    "baselines",
    "impurity",
    "candidates",
    "thresholds",
    "choice",
    "split",
    "path",
    "overfitting",
    "pruning",
    "others",
    "quiz",
)
