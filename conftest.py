"""Doctests of exported classes; the browser of the tests of the pages, and the cluster of those of many machines.

The ``__module__`` of an exported class is ``treewright`` or ``treewright.dask``, so doctest would skip it in the file
that defines it; the lists of names know that file. This conftest is at the root, because the doctests are not in
``tests/``.
"""

from __future__ import annotations

import doctest
import inspect
from types import ModuleType
from typing import Any

from treewright._catalog import HOMES
from treewright.dask import HOMES as HOMES_ON_DASK

# Fixtures for tests/web and tests/cluster.
pytest_plugins = ["helpers.browser", "helpers.dask_cluster"]

PUBLIC = {"treewright": HOMES, "treewright.dask": HOMES_ON_DASK}
_from_module_of_doctest = doctest.DocTestFinder._from_module  # type: ignore[attr-defined]


def _from_module(self: doctest.DocTestFinder, module: ModuleType, thing: Any) -> bool:
    if inspect.isclass(thing) and thing.__name__ in PUBLIC.get(thing.__module__, {}):
        return module.__name__ == f"treewright.{PUBLIC[thing.__module__][thing.__name__]}"
    return bool(_from_module_of_doctest(self, module, thing))


doctest.DocTestFinder._from_module = _from_module  # type: ignore[attr-defined]
