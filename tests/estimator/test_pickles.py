"""Pickles of earlier versions load, and newer ones name public classes only."""

from __future__ import annotations

import pickle
import pickletools
from pathlib import Path

import pytest

import treewright
from treewright import datasets
from treewright._catalog import HOMES, LEARNERS
from treewright._utils.old_modules import MOVED

PICKLES = sorted((Path(__file__).parents[1] / "data" / "pickles").glob("*.pickle"))
X, Y = datasets.golf()


@pytest.mark.parametrize("path", PICKLES, ids=lambda path: path.stem)
def test_pickles_from_before_the_modules_moved(path: Path) -> None:
    thing = pickle.loads(path.read_bytes())
    assert type(thing).__module__ == "treewright"
    if type(thing).__name__ in LEARNERS:
        again = pickle.loads(pickle.dumps(thing))
        assert list(again.predict(X)) == list(thing.predict(X))


def test_there_is_a_pickle_of_every_estimator() -> None:
    assert set(LEARNERS) <= {path.stem for path in PICKLES}


@pytest.mark.parametrize("path", PICKLES, ids=lambda path: path.stem)
def test_newer_pickles_do_not_depend_on_modules_that_moved(path: Path) -> None:
    newer = pickle.dumps(pickle.loads(path.read_bytes()))
    words = {word for _, word, _ in pickletools.genops(newer) if isinstance(word, str)}
    assert not words & {f"treewright.{name}" for name in MOVED}
    assert "treewright" in words


@pytest.mark.parametrize("name", HOMES)
def test_exported_classes_show_their_public_name(name: str) -> None:
    thing = getattr(treewright, name)
    if isinstance(thing, type):
        assert (thing.__module__, thing.__qualname__) == ("treewright", name)
