"""The algorithms of ``--algorithm`` and the options of ``fit`` that each supports, from the catalog of learners."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from treewright._catalog import LEARNERS, Learner
from treewright._utils.suggestions import find_closest
from treewright.cli.app.command import add_options, option
from treewright.errors import UsageError

__all__ = [
    "ALGORITHMS",
    "CRITERIA",
    "DEFAULTS",
    "LEARNER_OPTIONS",
    "TASKS",
    "VOTES",
    "Algorithm",
    "find_algorithm",
    "learner_options",
]

Decorator = Callable[[Any], Any]

# What the predictions of a task are called in a sentence.
TASKS = {"classify": "classes", "regress": "numbers"}
# The algorithm of each task, where none is named.
DEFAULTS = {"classify": "c45", "regress": "cart"}
# Values of options that Python calls otherwise; in all others dashes become underscores.
VOTES = {"equal": "uniform"}
METRICS = (
    *("euclidean", "manhattan", "chebyshev", "minkowski"),
    *("cosine", "hamming", "heom", "gower"),
)
PRUNING = ("none", "pessimistic", "reduced-error", "cost-complexity")
SCALES = ("range", "standard", "none")
THRESHOLDS = ("value", "midpoint")
# The algorithms by kind, for the help.
KINDS = {"One tree": ("tree",), "Ensemble": ("trees",), "Other": ("rules", "neighbors")}


@dataclass(frozen=True)
class Algorithm:
    """The learners of one name: a classifier, a regressor, or both."""

    name: str
    learners: Mapping[str, Learner]

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that it supports."""
        return tuple(self.learners)

    @property
    def by_levels(self) -> bool:
        """Whether each distinct number of a numeric column becomes a branch."""
        return any(learner.by_levels for learner in self.learners.values())

    @property
    def has_callback(self) -> bool:
        """Whether it is trained in rounds and calls a function after each."""
        return any(learner.has_callback for learner in self.learners.values())

    @property
    def weighted(self) -> bool:
        """Whether rows may have weights."""
        return all(learner.weighted for learner in self.learners.values())

    def options(self, task: str = "auto") -> dict[str, str]:
        """Return its options for a task, or for any, each with the parameter of the estimator."""
        rows = [row for name, row in self.learners.items() if task in (name, "auto")]
        return {option: param for row in rows for option, param in row.options.items()}

    def criteria(self, task: str = "auto") -> dict[str, str]:
        """Return the values of ``--criterion`` for a task, or for any, each with its name in Python."""
        rows = [row for name, row in self.learners.items() if task in (name, "auto")]
        return {word: criterion for row in rows for word, criterion in row.cli_criteria.items()}

    def make(self, task: str, options: Mapping[str, Any]) -> Any:
        """Return the estimator, not yet fitted; options that are None are not used."""
        import treewright

        self.check_options(options, task)
        known = self.options(task)
        params = {
            known[name]: self._parameter(name, value, task)
            for name, value in options.items()
            if value is not None
        }
        return getattr(treewright, self.learners[task].name)(**params)

    def _parameter(self, name: str, value: Any, task: str) -> Any:
        """Return the value of an option as the estimator takes it."""
        if name == "criterion":
            return self.criteria(task)[value]
        if not isinstance(value, str):
            return value
        return None if value == "none" else VOTES.get(value, value).replace("-", "_")

    def check_options(self, options: Mapping[str, Any], task: str = "auto") -> None:
        """Raise an error for options that this algorithm does not support, or not for this task."""
        for name, value in options.items():
            if value is not None and name not in self.options():
                raise _unsupported(self, name)
            if value is not None and name not in self.options(task):
                other = "class" if task == "regress" else "numeric"
                this = "numeric" if task == "regress" else "a class"
                raise UsageError(
                    f"{_flag(name)} works only for {other} targets; the target is {this}",
                    slug="usage",
                )
        criterion = options.get("criterion")
        if criterion is not None and criterion not in self.criteria(task):
            raise _unsupported_criterion(self, criterion, task)


def _group_learners() -> dict[str, Algorithm]:
    """Return the algorithms by name, sorted."""
    groups: dict[str, dict[str, Learner]] = {}
    for learner in sorted(LEARNERS.values(), key=lambda row: row.cli_name):
        groups.setdefault(learner.cli_name, {})[learner.task] = learner
    return {name: Algorithm(name, learners) for name, learners in groups.items()}


ALGORITHMS = _group_learners()
CRITERIA = list(dict.fromkeys(word for a in ALGORITHMS.values() for word in a.criteria()))
LEARNER_OPTIONS = tuple(dict.fromkeys(o for a in ALGORITHMS.values() for o in a.options()))
ALIASES = {alias: row.cli_name for row in LEARNERS.values() for alias in row.cli_aliases}


def find_algorithm(name: str) -> Algorithm:
    """Return an algorithm by its name, or by another name that is in use for it."""
    name = ALIASES.get(name, name)
    if name not in ALGORITHMS:
        near = find_closest(name, ALGORITHMS)
        raise UsageError(
            f'unknown algorithm "{name}"',
            slug="usage",
            hints=[
                *([f"did you mean {near}?"] if near else []),
                f"algorithms: {', '.join(ALGORITHMS)}",
            ],
        )
    return ALGORITHMS[name]


def _flag(option: str) -> str:
    return f"--{option.replace('_', '-')}"


def _unsupported(algorithm: Algorithm, option: str) -> UsageError:
    able = [a.name for a in ALGORITHMS.values() if option in a.options()]
    return UsageError(
        f"{_flag(option)} is not supported by {algorithm.name}",
        slug="usage",
        hints=[f"supported by: {', '.join(able)}"],
    )


def _unsupported_criterion(algorithm: Algorithm, criterion: str, task: str) -> UsageError:
    for_task = f" for {TASKS[task]}" if task != "auto" else ""
    hints = [f"criteria of {algorithm.name}{for_task}: {', '.join(algorithm.criteria(task))}"]
    able = [a.name for a in ALGORITHMS.values() if criterion in a.criteria(task)]
    if able:
        hints.append(f"{criterion} is supported by: {', '.join(able)}")
    return UsageError(
        f'criterion "{criterion}" is not supported by {algorithm.name}{for_task}',
        slug="usage",
        hints=hints,
    )


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
            type=click.Choice(["equal", "distance", "squared-distance", "uniform"]),
            metavar="HOW",
            help="knn: weight of a neighbor at distance d: equal, distance (1/d) or squared-distance "
            "(1/d²).  [default: equal]",
        ),
        option(
            "--metric",
            group=group,
            type=click.Choice(METRICS),
            metavar="NAME",
            help=f"knn: {_enumerate(METRICS)}.  [default: euclidean for numbers without missing values, "
            "otherwise heom]",
        ),
        option(
            "--scale",
            group=group,
            type=click.Choice(SCALES),
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
            type=click.Choice(THRESHOLDS),
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
            type=click.Choice(PRUNING),
            metavar="METHOD",
            help=f"{_enumerate(PRUNING)}.  [default: pessimistic for c45, otherwise none]",
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
