"""Module names from before the modules moved into folders: pickles of earlier versions hold them.

Newer pickles do not need this: the module of every exported class is ``treewright``.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from treewright._catalog import HOMES, import_public

__all__ = ["MOVED", "install"]

# The earlier module, and where its names are now that are not public. Packages are listed with their modules.
MOVED = {
    "_boost_rounds": "_learners.ensembles.adaboost_rounds",
    "_boost_start": "_learners.boosting.init_model",
    "_one_rule": "_learners.one_rule",
    "adaboost": "_learners.ensembles.adaboost",
    "bagging": "_learners.ensembles.bagging",
    "baselines": "_learners.baselines",
    "boosting": "_learners.boosting.gradient_boosting",
    "c45": "_learners.trees.c45",
    "cart": "_learners.trees.cart",
    "choosing": "_evaluate",
    "choosing.comparison": "_evaluate.comparison",
    "choosing.curve": "_evaluate.curve",
    "draw": "_draw",
    "draw.conditions": "_draw.conditions",
    "forests": "_learners.ensembles.forests",
    "neighbors": "_learners.neighbors",
    "neighbors.estimators": "_learners.neighbors.k_neighbors",
    "pruning": "_pruning",
    "pruning.cost_complexity": "_pruning.cost_complexity",
    "rulelist": "_draw.rule_list",
    "ruleset": "_learners.trees.rule_set",
    "selection.ranking": "selection._ranking",
    "trees": "_learners.trees.id3",
}


class _OldModule(ModuleType):
    """A moved module: its names are looked up in the new one."""

    def __getattr__(self, name: str) -> Any:
        if name in HOMES:
            return import_public(name)
        old = self.__name__.removeprefix("treewright.")
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(importlib.import_module(f"treewright.{MOVED[old]}"), name)


class _OldModules:
    # Not derived from importlib.abc, which takes 10 ms to import.
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.partition(".")
        if package != "treewright" or name not in MOVED:
            return None
        return ModuleSpec(fullname, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _OldModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: names are looked up on use."""


def install() -> None:
    """Make the earlier names importable; this finder is the last, so that other imports cost nothing."""
    if not any(isinstance(finder, _OldModules) for finder in sys.meta_path):
        sys.meta_path.append(_OldModules())
