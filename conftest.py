"""Doctests of exported classes.

They say ``treewright`` as their module, and doctest would leave them out where they are defined; the catalogue knows
their module. This file stands at the root so that it is read for any doctest, not only for those of tests/.
"""

from __future__ import annotations

import doctest
import inspect
from types import ModuleType
from typing import Any

from treewright._catalog import HOMES

_usual = doctest.DocTestFinder._from_module  # type: ignore[attr-defined]


def _from_module(self: doctest.DocTestFinder, module: ModuleType, thing: Any) -> bool:
    if inspect.isclass(thing) and thing.__module__ == "treewright":
        return module.__name__ == f"treewright.{HOMES[thing.__name__]}"
    return bool(_usual(self, module, thing))


doctest.DocTestFinder._from_module = _from_module  # type: ignore[attr-defined]
