"""The options of ``fit`` about the algorithm, its limits and its pruning."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import click

from treewright._catalog import criteria_of
from treewright._utils import choices
from treewright.cli.app.algorithms import ALGORITHMS, CRITERIA, DEFAULTS
from treewright.cli.app.command import group, normalize, option
from treewright.cli.app.completion import Words

__all__ = ["learner_options", "search_options"]

Decorator = Callable[[Any], Any]

LOSS_NAMES = tuple(map(normalize, choices.LOSSES))
METRIC_NAMES = choices.METRICS[1:]  # without "auto", the default
PRUNING_NAMES = ("none", *map(normalize, choices.FIT_PRUNING))
SCALE_NAMES = tuple(scale or "none" for scale in choices.SCALES[1:])
VOTE_NAMES = ("equal", *map(normalize, choices.VOTES))
# The algorithms by kind, for the help.
KINDS = {"One tree": ("tree",), "Ensemble": ("trees",), "Other": ("rules", "neighbors")}


def _algorithms_help() -> str:
    """Return the algorithms by kind, a line each."""
    lines = []
    for title, kinds in KINDS.items():
        names = [n for n, a in ALGORITHMS.items() if next(iter(a.learners.values())).kind in kinds]
        lines.append(f"{title + ':':<9}  {', '.join(names)}")
    default = f"[default: {DEFAULTS['classify']} for classes, {DEFAULTS['regress']} for numbers]"
    return "\n".join([*lines, default])


def learner_options(only: Collection[str] | None = None) -> Decorator:
    """Add the options of ``fit`` about the algorithm, its limits and its pruning; or only some, by name."""
    learner = (*_algorithm_options(), *_number_options(), *_neighbor_options())
    groups = {"Learner": learner, "Limits": [*_limits(), *search_options("optimal: ", 60)]}
    groups["Pruning"] = _pruning_options()

    def declare(command: Any) -> Any:
        for title, options in reversed(groups.items()):
            kept = [o for o in options if only is None or _name_of(o) in only]
            command = group(title, *kept)(command)
        return command

    return declare


def search_options(prefix: str, seconds: float) -> list[dict[str, Any]]:
    """Return the options of a search for an optimal tree; the estimator or the command has their defaults."""
    return [
        option(
            "--leaf-cost X",
            f"{prefix}Penalty per leaf, in errors as a fraction of the rows.  [default: 0]",
            click.FloatRange(0),
        ),
        option(
            "--binarize HOW",
            f"{prefix}Thresholds to search: all, or at most 32 quantiles per column (quantiles). auto uses "
            "all up to depth 3.  [default: auto]",
            click.Choice(choices.BINARIZE),
        ),
        option(
            "--time-limit SECONDS",
            f"{prefix}Stop the search after this time.  [default: {seconds:g}]",
            click.FloatRange(0),
        ),
    ]


def _name_of(option: dict[str, Any]) -> str:
    """Return the first long name of an option."""
    names: list[str] = option["names"]
    return next(name for name in names if name.startswith("--")).removeprefix("--")


def _criteria_help() -> str:
    """Return the criteria of CART and forests: for classes, the default first, and for numbers."""
    words = [
        [row.cli_name for row in criteria_of(task).values()] for task in ("classify", "regress")
    ]
    (default, *others), numbers = words
    return f"{default} (default) or {', '.join(others)}; {', '.join(numbers)} for numeric targets"


def _algorithm_options() -> list[dict[str, Any]]:
    return [
        option("-a --algorithm NAME", _algorithms_help(), Words(ALGORITHMS)),
        option(
            "--criterion NAME",
            "Split criterion.\nc45, rules: gain-ratio (default) or gain\n"
            f"cart, forest, extra-trees: {_criteria_help()}",
            click.Choice(CRITERIA),
        ),
        option(
            "--class-weight CLASS=WEIGHT...",
            'Weights of classes, or "balanced" for equal totals.',
            callback=lambda ctx, param, value: _parse_class_weights(value),
        ),
        option(
            "--smoothing laplace|M",
            "c45, cart, id3: smooth the class probabilities of nodes with few rows. laplace adds one row "
            "of each class, a number M so many rows with the proportions of the table.  [default: none]",
            _Smoothing(),
        ),
        option(
            "--trees|--n-estimators N",
            "Ensembles: number of trees or boosting rounds.  [default: 100; adaboost 50; bagging 10]",
            click.IntRange(1),
        ),
        option(
            "--rate|--learning-rate X",
            "boosting, adaboost: learning rate.  [default: 0.1; adaboost 1]",
            click.FloatRange(0, min_open=True),
        ),
        option(
            "--max-features N",
            "Ensembles except adaboost: columns considered per split (bagging: per tree). A number, "
            "a fraction, sqrt or log2.  [default: sqrt for forest and extra-trees with classes, "
            "otherwise all]",
            callback=lambda ctx, param, value: _parse_max_features(value),
        ),
    ]


def _number_options() -> list[dict[str, Any]]:
    return [
        option(
            "--loss NAME",
            f"boosting of numbers: {_enumerate(LOSS_NAMES)}.  [default: {LOSS_NAMES[0]}]",
            click.Choice(LOSS_NAMES),
        ),
        option(
            "--quantile FRACTION",
            "boosting with --loss quantile: the quantile to predict.  [default: 0.9]",
            click.FloatRange(0, 1, min_open=True, max_open=True),
        ),
        option(
            "--interval LEVEL",
            "boosting, extra-trees, forest of numbers: keep what intervals need, for predict --interval. "
            "boosting predicts intervals of this level, the others of any.",
            click.FloatRange(0, 1, min_open=True, max_open=True),
        ),
    ]


def _neighbor_options() -> list[dict[str, Any]]:
    return [
        option(
            "--neighbors|--n-neighbors N|auto",
            "knn: number of neighbors. auto chooses it by leave-one-out error.  [default: 5]",
            _NeighborCount(),
        ),
        option(
            "--vote|--weights HOW",
            "knn: weight of a neighbor at distance d: equal, distance (1/d) or squared-distance "
            "(1/d²).  [default: equal]",
            click.Choice(VOTE_NAMES),
        ),
        option(
            "--metric NAME",
            f"knn: {_enumerate(METRIC_NAMES)}.  [default: euclidean for numbers without missing values, "
            "otherwise heom]",
            click.Choice(METRIC_NAMES),
        ),
        option(
            "--scale HOW",
            "knn: divide numeric columns by their range or their standard deviation (standard), or "
            "not (none).  [default: range for heom and gower, otherwise none]",
            click.Choice(SCALE_NAMES),
        ),
    ]


def _limits() -> list[dict[str, Any]]:
    return [
        option("--depth|--max-depth N", "Maximum depth of a tree.", click.IntRange(1)),
        option(
            "--leaves|--max-leaf-nodes N",
            "Maximum number of leaves; best splits first.  [default: none; boosting 31]",
            click.IntRange(2),
        ),
        option(
            "--min-rows|--min-leaf|--min-samples-leaf N",
            "Minimum rows per leaf.  [default: 1; boosting: 20, or 5% of the rows below 400 rows]\n"
            "c45, rules: in at least two branches of each split.  [default: 2]\n"
            "one-r: per interval of a number.  [default: 6]",
            click.IntRange(1),
        ),
        option(
            "--min-split|--min-samples-split N",
            "Do not split nodes with fewer rows.  [default: 2]",
            click.IntRange(2),
        ),
        option("--min-gain X", "Split only if the gain is greater than X.", click.FloatRange(0)),
        option(
            "--min-gain-ratio X",
            "c45: split only if the gain ratio is greater than X.",
            click.FloatRange(0),
        ),
        option(
            "--sufficient-majority FRACTION",
            "c45, id3: do not split nodes in which one class has at least this fraction of the rows.",
            click.FloatRange(0, 1),
        ),
        option(
            "--max-p-value P",
            "Split only if the chi-square p-value is at most P.",
            click.FloatRange(0, 1),
        ),
        option(
            "--thresholds HOW",
            "c45: thresholds are values of the column (value) or midpoints of two (midpoint).  "
            "[default: value]",
            click.Choice(choices.THRESHOLDS),
        ),
    ]


def _pruning_options() -> list[dict[str, Any]]:
    return [
        option(
            "--prune METHOD",
            f"{_enumerate(PRUNING_NAMES)}.  [default: pessimistic for c45, cost-complexity for cart with a "
            "numeric target, otherwise none]",
            click.Choice(PRUNING_NAMES),
        ),
        option(
            "--confidence X",
            "pessimistic: confidence factor from 0 to 1. Smaller values prune more.  [default: 0.25]",
            click.FloatRange(0, 1),
        ),
        option(
            "--alpha|--ccp-alpha X",
            "cost-complexity: penalty per leaf.  [default: chosen by 10-fold cross-validation]",
            click.FloatRange(0),
        ),
    ]


def _enumerate(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


class _NeighborCount(click.ParamType[int | str]):
    """A whole number of at least 1, or auto."""

    name = "neighbors"

    def convert(self, value: Any, param: Any, ctx: Any) -> int | str:
        """Read a value."""
        if value == "auto":
            return "auto"
        if not str(value).isascii() or not str(value).isdigit() or not int(value):
            self.fail(f"{value!r} is not a whole number of at least 1, nor auto.", param, ctx)
        return int(value)


class _Smoothing(click.ParamType[str | float]):
    """A number that is not negative, laplace, or none."""

    name = "smoothing"

    def convert(self, value: Any, param: Any, ctx: Any) -> str | float:
        """Read a value."""
        if value in ("laplace", "none"):
            return str(value)
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if not 0 <= number < float("inf"):
            self.fail(f"{value!r} is neither laplace nor a number of at least 0.", param, ctx)
        return number


def _parse_max_features(value: str | None) -> Any:
    """Return a number of columns, a fraction of them, or a word."""
    if value is None or value in ("sqrt", "log2"):
        return value
    try:
        return int(value) if value.isdecimal() else float(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is neither a number nor sqrt or log2") from None


def _parse_class_weights(values: Sequence[str]) -> str | dict[str, float] | None:
    """Return "balanced", or a weight for each class that is named."""
    if not values or list(values) == ["balanced"]:
        return "balanced" if values else None
    weights = {}
    for value in values:
        name, _, weight = value.rpartition("=")
        try:
            weights[name] = float(weight)
        except ValueError:
            raise click.BadParameter(f"{value!r} is neither CLASS=WEIGHT nor balanced") from None
    return weights
