"""The choices of options are those of the library: nothing is missing on the command line, and nothing is added."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import click
import pytest

from treewright import UsageError, datasets, rank_columns
from treewright._catalog import LEARNERS, import_public
from treewright._export import FORMATS
from treewright._pruning.methods import METHODS
from treewright._render.output_formats import SUFFIXES
from treewright._show.tree_view import STYLES
from treewright._utils import choices
from treewright._web.workbench import ALGORITHMS as WORKBENCH_ALGORITHMS
from treewright._web.workbench import MODES
from treewright.cli.app.algorithms import ALGORITHMS, LEARNER_OPTIONS, find_algorithm
from treewright.cli.app.command import normalize
from treewright.cli.main import NAMES
from treewright.measures import entropy
from treewright.measures._expected_surprise import LOGARITHMS

# Choices that only the command line has.
OWN = {"color", "engine", "errors", "ragged", "task", "unseen"}
# What the library accepts for each option with choices.
LIBRARY: dict[tuple[str, str], Any] = {
    ("*", "criterion"): {c for row in LEARNERS.values() for c in row.cli_criteria},
    ("*", "vote"): {"equal", *choices.VOTES},  # "equal" is "uniform"
    ("*", "metric"): set(choices.METRICS) - {"auto"},
    ("*", "scale"): {"range", "standard", "none"},
    ("fit", "thresholds"): choices.THRESHOLDS,
    ("*", "binarize"): choices.BINARIZE,
    ("fit", "loss"): choices.LOSSES,
    ("*", "dates"): choices.DATES,
    ("*", "decimal"): choices.DECIMAL_MARKS,
    ("*", "prune"): {"none", *choices.FIT_PRUNING},
    ("*", "method"): set(METHODS),
    ("*", "risk"): choices.RISKS,
    ("*", "choose"): {*choices.LEVEL_RULES, "min"},  # "min" is "least"
    ("*", "by"): {*choices.RANK_MEASURES, "variance_reduction"},
    ("rank", "thresholds"): {"one", "mdl"},  # "one" is "cut"
    ("*", "missing_values"): {"exclude", "category", "distribute", *choices.MISSING_VALUES},
    ("*", "style"): set(STYLES),
    ("*", "what"): choices.TOPICS,
    ("*", "unit"): set(LOGARITHMS),
    ("*", "rounding"): choices.ROUNDING,
    ("*", "to"): {name for name, form in FORMATS.items() if form.extensions},
    ("*", "dialect"): choices.DIALECTS,
    ("*", "divided"): choices.FRACTIONAL,
    ("lesson", "thresholds"): choices.THRESHOLDS,
    ("lesson", "steps"): choices.LESSON_STEPS,
    ("lesson", "language"): choices.LANGUAGES,
    ("workbench", "algorithm"): WORKBENCH_ALGORITHMS,
    ("workbench", "mode"): MODES,
}


def choice_options() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Give every option with choices: its command, its name, its choices."""
    for command in NAMES:
        for param in importlib.import_module(f"treewright.cli.verbs.{command}").command.params:
            if isinstance(param.type, click.Choice) and param.name not in OWN:
                yield command, str(param.name), tuple(param.type.choices)


@pytest.mark.parametrize(("command", "name", "words"), [*choice_options()])
def test_choices_are_the_librarys(command: str, name: str, words: tuple[str, ...]) -> None:
    if name == "form":
        assert set(words) <= set(SUFFIXES)
        return
    library = LIBRARY.get((command, name), LIBRARY.get(("*", name)))
    assert library is not None, "say in LIBRARY where the library has this list"
    assert {normalize(word) for word in words} == {normalize(word) for word in library}


def test_the_help_names_every_choice() -> None:
    for command in NAMES:
        for param in importlib.import_module(f"treewright.cli.verbs.{command}").command.params:
            if not isinstance(param.type, click.Choice) or param.name in (
                "missing_values",
                "color",
            ):
                continue
            for word in set(param.type.choices) - {"uniform", "least"}:  # other names of a choice
                assert word in f"{param.help} {param.metavar}", (command, param.name, word)


@pytest.mark.parametrize("name", LEARNERS)
def test_options_set_parameters_that_exist(name: str) -> None:
    row = LEARNERS[name]
    assert set(row.options.values()) <= set(import_public(name)().get_params())
    assert row.cli_name in ALGORITHMS
    assert all(find_algorithm(alias).name == row.cli_name for alias in row.cli_aliases)


def test_fit_has_an_option_for_each_parameter_of_the_catalog() -> None:
    fit = importlib.import_module("treewright.cli.verbs.fit").command
    assert set(LEARNER_OPTIONS) <= {param.name for param in fit.params}


def test_the_library_checks_the_words_of_the_list() -> None:
    X, y = datasets.play_tennis()
    for unit in choices.UNITS:
        assert entropy([1, 1], unit=unit) > 0  # type: ignore[arg-type]
    for by in choices.RANK_MEASURES:
        for missing in choices.MISSING_VALUES:
            assert len(rank_columns(X, y, by, missing=missing)) == 4
    with pytest.raises(UsageError, match="known"):
        rank_columns(X, y, missing="unknown")
