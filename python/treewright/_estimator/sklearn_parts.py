"""The classes of scikit-learn, and `SelectColumns`, that a model file may hold: their parameters and fitted attributes.

Reading a file builds objects of these classes and of no others, through their constructors; fitted attributes are plain
values (``plain_values``), whose sizes are checked. Nothing in a file is run.

To allow another class: it needs nothing but plain values, or objects of listed classes, to transform rows.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from treewright._estimator.plain_values import NotPlainError

__all__ = ["CLASSES", "read_part", "write_part"]

# The module of scikit-learn that each class is in.
CLASSES = {
    name: f"sklearn.{module}"
    for module, names in {
        "compose": "ColumnTransformer make_column_selector",
        "decomposition": "PCA TruncatedSVD",
        "feature_extraction.text": "CountVectorizer TfidfTransformer TfidfVectorizer",
        "feature_selection": "SelectKBest SelectPercentile VarianceThreshold",
        "impute": "MissingIndicator SimpleImputer",
        "model_selection": "GridSearchCV GroupKFold KFold LeaveOneOut RandomizedSearchCV ShuffleSplit "
        "StratifiedGroupKFold StratifiedKFold StratifiedShuffleSplit TimeSeriesSplit",
        "pipeline": "FeatureUnion Pipeline",
        "preprocessing": "Binarizer FunctionTransformer KBinsDiscretizer MaxAbsScaler MinMaxScaler Normalizer "
        "OneHotEncoder OrdinalEncoder PolynomialFeatures PowerTransformer QuantileTransformer RobustScaler "
        "StandardScaler",
    }.items()
    for name in names.split()
} | {"SelectColumns": "treewright.selection"}
# Functions that are parameters, and their modules.
FUNCTIONS = {
    name: module
    for module, names in {
        "sklearn.feature_selection": "chi2 f_classif f_regression mutual_info_classif mutual_info_regression "
        "r_regression",
        "numpy": "absolute cbrt exp expm1 log log10 log1p log2 negative reciprocal sqrt square",
    }.items()
    for name in names.split()
}
# Distributions of scipy that a random search draws from.
DISTRIBUTIONS = frozenset(
    [
        "beta",
        "expon",
        "gamma",
        "geom",
        "loguniform",
        "lognorm",
        "norm",
        "poisson",
        "randint",
        "reciprocal",
        "uniform",
    ]
)
# Caches, what fit alone needs, and the ranking of all columns behind a selection.
LEFT_OUT = {"_checked_cv_orig", "_metadata_request", "memory", "ranking_", "scorer_"}
# Fitted attributes with a number for each column, or, as the last axis of a matrix, for each column.
BY_COLUMN = frozenset(
    {
        *(
            "bin_edges_",
            "center_",
            "categories_",
            "components_",
            "data_max_",
            "data_min_",
            "data_range_",
        ),
        *("feature_names_in_", "lambdas_", "max_abs_", "mean_", "min_", "n_bins_", "pvalues_"),
        *("scale_", "scores_", "statistics_", "_support", "var_", "variances_"),
    }
)

Again = Callable[[Any], Any]


def write_part(value: Any, again: Again) -> dict[str, Any]:
    """Return an object of scikit-learn, fitted or not, as a file holds it."""
    kind = type(value)
    name = getattr(value, "__name__", "")
    if name in FUNCTIONS and value is _load("function", FUNCTIONS, name):
        return {"function": name}
    distribution = _distribution_name(value)
    if distribution:
        return {"distribution": [distribution, again(value.args), again(value.kwds)]}
    if kind.__name__ not in CLASSES or kind is not _load("class", CLASSES, kind.__name__):
        is_function = hasattr(value, "__name__") and not isinstance(value, type)
        raise NotPlainError(f"the function {name}" if is_function else f"a {kind.__name__}")
    _refuse_paths(value)
    known = _params_of(kind)
    state = {name: item for name, item in vars(value).items() if name not in LEFT_OUT}
    params = {name: again(item) for name, item in state.items() if name in known}
    fitted = {name: again(item) for name, item in state.items() if name not in known}
    return {"class": kind.__name__, "params": params, "fitted": fitted}


def read_part(plain: Mapping[str, Any], again: Again) -> Any:
    """Return the object that :func:`write_part` wrote; any other class is refused."""
    if plain.keys() == {"function"}:
        return _load("function", FUNCTIONS, plain["function"])
    if plain.keys() == {"distribution"}:
        return _read_distribution(plain["distribution"], again)
    if plain.keys() != {"class", "params", "fitted"}:
        raise ValueError(f"a part of it is of no kind that a file holds: {sorted(plain)!r:.80}")
    kind = _load("class", CLASSES, plain["class"])
    unknown = set(plain["params"]) - (_params_of(kind) - LEFT_OUT)
    if unknown:
        raise ValueError(f"{kind.__name__} of this version has no parameter {min(unknown)!r}")
    part = kind(**{name: again(item) for name, item in plain["params"].items()})
    for name, item in plain["fitted"].items():
        if not name.isidentifier() or name.startswith("__") or hasattr(kind, name):
            raise ValueError(f"{kind.__name__} has no fitted attribute {name!r:.40}")
        part.__dict__[name] = again(item)
    _refuse_paths(part)
    _check_sizes(part)
    return part


def _load(what: str, known: Mapping[str, str], name: Any) -> Any:
    """Return a listed class or function of scikit-learn."""
    if not isinstance(name, str) or name not in known:
        raise ValueError(f"no model file holds the {what} {name!r:.40}")
    return getattr(importlib.import_module(known[name]), name)


def _params_of(kind: type) -> set[str]:
    return set(inspect.signature(kind).parameters)


def _distribution_name(value: Any) -> str:
    """Return the name of a distribution of scipy that a random search draws from; empty for anything else."""
    if type(value).__module__.partition(".")[0] != "scipy" or not hasattr(value, "dist"):
        return ""
    name = str(getattr(value.dist, "name", ""))
    return name if name in DISTRIBUTIONS else ""


def _read_distribution(content: Any, again: Again) -> Any:
    import scipy.stats  # type: ignore[import-untyped]

    name, args, kwds = content
    if name not in DISTRIBUTIONS:
        raise ValueError(f"no model file holds the distribution {name!r:.40}")
    return getattr(scipy.stats, name)(*again(args), **again(kwds))


def _refuse_paths(part: Any) -> None:
    """Refuse a vectorizer whose rows are names of files: predicting should read none."""
    if part.__dict__.get("input", "content") != "content":
        raise NotPlainError(f"a {type(part).__name__} that reads files")


def _check_sizes(part: Any) -> None:
    """Refuse fitted attributes that do not have a value for each column."""
    columns = part.__dict__.get("n_features_in_")
    if columns is None:
        return
    if not isinstance(columns, int) or columns < 0:
        raise ValueError("the number of columns is not a number")
    for name in BY_COLUMN & part.__dict__.keys():
        value = part.__dict__[name]
        if value is None:
            continue
        size = len(value) if isinstance(value, list) else value.shape[-1]
        if size != columns:
            what = f"{name} of {type(part).__name__} has {size} values for {columns} columns"
            raise ValueError(what)
