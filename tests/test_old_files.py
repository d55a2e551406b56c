"""Model files of earlier versions of the format stay readable; `tests/data/format-1` holds files of version 1."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treewright import datasets, load
from treewright._catalog import LEARNERS
from treewright.files import from_bytes, to_bytes

FOLDER = Path(__file__).parent / "data" / "format-1"
EXPECTED: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))


def rows(name: str) -> Any:
    if name == "id3":
        return datasets.play_tennis()[0]
    numbers = json.loads((FOLDER / "numbers.json").read_text(encoding="utf-8"))
    return np.array(numbers, dtype=float)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_file_of_version_1_is_the_model_that_it_was(name: str) -> None:
    path = FOLDER / f"{name}.tree"
    assert b'\\"version\\":1,' in path.read_bytes()
    model = load(path)
    predict = getattr(model, "predict_proba", model.predict)
    assert predict(rows(name)).tolist() == EXPECTED[name]["predictions"]
    trees = getattr(model, "trees_", None) or [model.tree_]
    assert [tree.count.tolist() for tree in trees] == EXPECTED[name]["count"]


@pytest.mark.parametrize("name", EXPECTED)
def test_saving_it_again_writes_the_version_of_today(name: str) -> None:
    data = to_bytes(load(FOLDER / f"{name}.tree"))
    assert b'\\"version\\":2,' in data
    again = from_bytes(data)
    assert to_bytes(again) == data
    predict = getattr(again, "predict_proba", again.predict)
    assert predict(rows(name)).tolist() == EXPECTED[name]["predictions"]


# Files of version 2, one of each estimator, as the commit before the modules moved into folders wrote them.
SECOND = FOLDER.parent / "format-2"
PREDICTED: dict[str, Any] = json.loads((SECOND / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PREDICTED)
def test_a_file_of_version_2_is_the_model_that_it_was(name: str) -> None:
    path = SECOND / f"{name}.tree"
    model = load(path)
    assert model.predict(datasets.golf()[0]).tolist() == PREDICTED[name]
    assert to_bytes(model) == path.read_bytes()


def test_there_is_a_file_of_every_estimator() -> None:
    assert set(LEARNERS) <= set(PREDICTED)
