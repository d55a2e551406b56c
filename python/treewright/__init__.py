"""Decision trees you can read: fast, scikit-learn compatible tree models that show every calculation.

The public names are those of ``_catalog``. They are loaded at their first use, so that ``import treewright`` and the
command line's ``--help`` cost nothing. Type checkers read ``__init__.pyi``, which is written from the catalog.
"""

from __future__ import annotations

import importlib
from typing import Any

from treewright._catalog import HOMES as _HOMES
from treewright._catalog import SUBMODULES as _SUBMODULES
from treewright._catalog import import_public as _import_public
from treewright._utils.old_modules import install as _accept_old_modules

_accept_old_modules()

__all__ = sorted([*_HOMES, *_SUBMODULES, "__version__"])


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return importlib.import_module(f"treewright.{name}")
    if name == "__version__":
        from treewright._core import __version__ as value
    elif name in _HOMES:
        value = _import_public(name)
    else:
        raise AttributeError(f"module 'treewright' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
