"""The options of ``fit`` about the algorithm, its limits and its pruning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from treewright._utils import choices
from treewright.cli.app.algorithms import ALGORITHMS, CRITERIA, DEFAULTS
from treewright.cli.app.command import add_options, normalize, option

__all__ = ["learner_options"]

Decorator = Callable[[Any], Any]

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


def learner_options() -> Decorator:
    """Add the options of ``fit`` about the algorithm, its limits and its pruning."""
    return add_options(*_algorithm_options(), *_neighbor_options(), *_limits(), *_pruning_options())


def _algorithm_options() -> list[Decorator]:
    group = "Learner"
    return [
        option("-a", "--algorithm", group=group, metavar="NAME", help=_algorithms_help()),
        option(
            "--criterion",
            group=group,
            type=click.Choice(CRITERIA),
            metavar="NAME",
            help="Split criterion.\nc45, rules: gain-ratio (default) or gain\n"
            "cart, forest, extra-trees: gini (default) or entropy; mse for numeric targets",
        ),
        option(
            "--class-weight",
            group=group,
            several=True,
            metavar="CLASS=WEIGHT...",
            callback=lambda ctx, param, value: _parse_class_weights(value),
            help='cart, boosting, extra-trees, forest: weights of classes, or "balanced" for equal totals.',
        ),
        option(
            "--trees",
            aliases=("--n-estimators",),
            group=group,
            type=click.IntRange(1),
            metavar="N",
            help="Ensembles: number of trees or boosting rounds.  [default: 100; adaboost 50; bagging 10]",
        ),
        option(
            "--rate",
            aliases=("--learning-rate",),
            group=group,
            type=click.FloatRange(0, min_open=True),
            metavar="X",
            help="boosting, adaboost: learning rate.  [default: 0.1; adaboost 1]",
        ),
        option(
            "--max-features",
            group=group,
            metavar="N",
            callback=lambda ctx, param, value: _parse_max_features(value),
            help="Ensembles except adaboost: columns considered per split (bagging: per tree). A number, "
            "a fraction, sqrt or log2.  [default: sqrt for forest and extra-trees with classes, "
            "otherwise all]",
        ),
    ]


def _neighbor_options() -> list[Decorator]:
    group = "Learner"
    return [
        option(
            "--neighbors",
            aliases=("--n-neighbors",),
            group=group,
            type=_NeighborCount(),
            metavar="N|auto",
            help="knn: number of neighbors. auto chooses it by leave-one-out error.  [default: 5]",
        ),
        option(
            "--vote",
            aliases=("--weights",),
            group=group,
            type=click.Choice(VOTE_NAMES),
            metavar="HOW",
            help="knn: weight of a neighbor at distance d: equal, distance (1/d) or squared-distance "
            "(1/d²).  [default: equal]",
        ),
        option(
            "--metric",
            group=group,
            type=click.Choice(METRIC_NAMES),
            metavar="NAME",
            help=f"knn: {_enumerate(METRIC_NAMES)}.  [default: euclidean for numbers without missing values, "
            "otherwise heom]",
        ),
        option(
            "--scale",
            group=group,
            type=click.Choice(SCALE_NAMES),
            metavar="HOW",
            help="knn: divide numeric columns by their range or their standard deviation (standard), or "
            "not (none).  [default: range for heom and gower, otherwise none]",
        ),
    ]


def _limits() -> list[Decorator]:
    group = "Limits"
    return [
        option(
            "--depth",
            aliases=("--max-depth",),
            group=group,
            type=click.IntRange(1),
            metavar="N",
            help="Maximum depth of a tree.",
        ),
        option(
            "--leaves",
            aliases=("--max-leaf-nodes",),
            group=group,
            type=click.IntRange(2),
            metavar="N",
            help="Maximum number of leaves; best splits first.  [default: none; boosting 31]",
        ),
        option(
            "--min-rows",
            aliases=("--min-leaf", "--min-samples-leaf"),
            group=group,
            type=click.IntRange(1),
            metavar="N",
            help="Minimum rows per leaf.  [default: 1; boosting: 20, or 5% of the rows below 400 rows]\n"
            "c45, rules: in at least two branches of each split.  [default: 2]\n"
            "one-r: per interval of a number.  [default: 6]",
        ),
        option(
            "--min-split",
            aliases=("--min-samples-split",),
            group=group,
            type=click.IntRange(2),
            metavar="N",
            help="Do not split nodes with fewer rows.  [default: 2]",
        ),
        option(
            "--min-gain",
            group=group,
            type=click.FloatRange(0),
            metavar="X",
            help="Split only if the gain is greater than X.",
        ),
        option(
            "--min-gain-ratio",
            group=group,
            type=click.FloatRange(0),
            metavar="X",
            help="c45: split only if the gain ratio is greater than X.",
        ),
        option(
            "--sufficient-majority",
            group=group,
            type=click.FloatRange(0, 1),
            metavar="FRACTION",
            help="c45, id3: do not split nodes in which one class has at least this fraction of the rows.",
        ),
        option(
            "--max-p-value",
            group=group,
            type=click.FloatRange(0, 1),
            metavar="P",
            help="Split only if the chi-square p-value is at most P.",
        ),
        option(
            "--thresholds",
            group=group,
            type=click.Choice(choices.THRESHOLDS),
            metavar="HOW",
            help="c45: thresholds are values of the column (value) or midpoints of two (midpoint).  "
            "[default: value]",
        ),
    ]


def _pruning_options() -> list[Decorator]:
    group = "Pruning"
    return [
        option(
            "--prune",
            group=group,
            type=click.Choice(PRUNING_NAMES),
            metavar="METHOD",
            help=f"{_enumerate(PRUNING_NAMES)}.  [default: pessimistic for c45, otherwise none]",
        ),
        option(
            "--confidence",
            group=group,
            type=click.FloatRange(0, 1),
            metavar="X",
            help="pessimistic: confidence factor from 0 to 1. Smaller values prune more.  [default: 0.25]",
        ),
        option(
            "--alpha",
            aliases=("--ccp-alpha",),
            group=group,
            type=click.FloatRange(0),
            metavar="X",
            help="cost-complexity: penalty per leaf.  [default: chosen by 10-fold cross-validation]",
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
