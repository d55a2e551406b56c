"""A lesson as one document: settings, table, tree, nodes, and the screens that apply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treewright._lesson.baseline_steps import baselines_screen, table_screen, table_values
from treewright._lesson.growth_steps import (
    growth_order,
    node_screens,
    path_screen,
    split_screen,
)
from treewright._lesson.node_steps import NodeSteps, steps_of_nodes
from treewright._lesson.other_steps import others_screen
from treewright._lesson.pruning_steps import overfitting_screen, pruning_screen
from treewright._lesson.quiz import quiz_screen
from treewright._lesson.training import Training, Values
from treewright._utils.choices import LESSON_STEPS
from treewright._web.tree_document import tree_document

__all__ = ["build_lesson"]


def build_lesson(
    training: Training,
    title: str,
    name: str,
    nodes: Sequence[int] | None,
    screens: Sequence[str],
    language: str,
    quiz: bool,
) -> Values:
    """Return the document of a lesson."""
    tree = training.tree
    steps = steps_of_nodes(training)
    order = [0, *(node for node in growth_order(training) if node)]
    if nodes is not None:
        order = [node for node in order if node in nodes] or list(nodes)
    covered = [steps[node] for node in order]
    listed = _screens(training, steps, covered, set(screens))
    return {
        "format": "treewright-lesson",
        "version": 1,
        "title": title,
        "settings": {
            "unit": training.unit.name,
            "log_base": training.unit.base,
            "digits": training.rounding.digits,
            "rounding": training.rounding.mode,
            "language": language,
            "quiz": quiz,
        },
        "model": _model(training),
        "table": table_values(training, name),
        "tree": tree_document(tree, training.criterion.key),
        "nodes": [steps[node].values() for node in range(tree.n_nodes)],
        "screens": listed,
    }


def _screens(
    training: Training, steps: dict[int, NodeSteps], covered: list[NodeSteps], wanted: set[str]
) -> list[Values]:
    makers: dict[str, Any] = {
        "table": lambda: table_screen(training, steps[0].work.group),
        "baselines": lambda: baselines_screen(training),
        "split": lambda: split_screen(training) if steps[0].work.chosen else None,
        "path": lambda: path_screen(training) if steps[0].work.chosen else None,
        "overfitting": lambda: overfitting_screen(training),
        "pruning": lambda: pruning_screen(training),
        "others": lambda: others_screen(training),
        "quiz": lambda: quiz_screen(training, covered),
    }
    by_node = {screen["id"]: screen for screen in node_screens(training, covered)}
    screens: list[Values] = []
    for name in LESSON_STEPS:
        if name not in wanted:
            continue
        screen = by_node.get(name) if name not in makers else makers[name]()
        screens += [] if screen is None else [screen]
    return screens


def _model(training: Training) -> Values:
    """Return the algorithm, and the parameters that are not the defaults."""
    model = training.model
    defaults = type(model)().get_params(deep=False)
    params = {
        name: value
        for name, value in model.get_params(deep=False).items()
        if value != defaults[name] and isinstance(value, str | int | float | bool)
    }
    return {
        "algorithm": training.method.name,
        "estimator": type(model).__name__,
        "params": params,
        "criterion": training.criterion.key,
        "chooses_by": "gain_ratio" if training.method.by == "gain ratio" else "gain",
    }
