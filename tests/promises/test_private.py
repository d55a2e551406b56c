"""A name is private unless it is exported: no underscore means that users may import it."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

import pytest

import treewright
from treewright._catalog import SUBMODULES

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "treewright"
# Public modules beside the submodules that `treewright` offers as attributes. `cli` is public for its entry point.
OTHER_MODULES = {"cli", "dask", "errors", "files", "schema", "spark", "table", "tree"}
PUBLIC_FOLDERS = ("datasets", "measures", "selection")


def test_the_root_has_the_public_modules_and_no_others() -> None:
    # A folder without files of Python is left from an earlier checkout.
    folders = {path.parent.name for path in PACKAGE.glob("*/*.py")}
    names = folders | {path.stem for path in PACKAGE.glob("*.py")}
    public = {name for name in names if not name.startswith("_")}
    assert public == {*SUBMODULES, *OTHER_MODULES}


@pytest.mark.parametrize("folder", PUBLIC_FOLDERS)
def test_a_module_of_a_public_folder_lists_its_names(folder: str) -> None:
    for path in sorted((PACKAGE / folder).glob("[!_]*.py")):
        assert importlib.import_module(f"treewright.{folder}.{path.stem}").__all__, path.name


@pytest.mark.parametrize("name", treewright.__all__)
def test_an_exported_class_names_a_public_module(name: str) -> None:
    """Pickles and `repr` then do not depend on the file that defines the class."""
    thing = getattr(treewright, name)
    if inspect.isclass(thing):
        assert thing.__module__ == "treewright"


def test_public_examples_import_public_names() -> None:
    """Neither the README nor the docstring of a public name shows a private import."""
    texts = {"README.md": (ROOT / "README.md").read_text("utf-8")}
    for name in treewright.__all__:
        texts[name] = inspect.getdoc(getattr(treewright, name)) or ""
    bad = [name for name, text in texts.items() if re.search(r"treewright\._|import _\w", text)]
    assert bad == []
