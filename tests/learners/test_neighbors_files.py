"""Neighbour models as files: the rows, the answers and the curve come back; forged files are refused in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treewright import (
    CARTClassifier,
    KNeighborsClassifier,
    KNeighborsRegressor,
    ModelFileError,
    datasets,
    load,
    save,
)
from treewright.files import from_bytes, sketch, to_bytes

MIXED = {"a\n\u2028": ["x", None, "日本", "x"], "n": [1.5, None, -0.0, 1e300]}
LABELS = ["u", "v", "v", "u"]


@pytest.fixture(scope="module")
def tennis() -> Any:
    return KNeighborsClassifier(3).fit(*datasets.play_tennis())


@pytest.mark.parametrize(
    "model",
    [
        KNeighborsClassifier(2),
        KNeighborsClassifier("auto", weights="squared_distance", metric="gower"),
        KNeighborsClassifier(1, column_weights={"n": 0.5}, scale="standard"),
        KNeighborsRegressor("auto", metric="hamming"),
    ],
)
def test_what_is_saved_comes_back(model: Any, tmp_path: Path) -> None:
    y = LABELS if isinstance(model, KNeighborsClassifier) else [1.0, -2.0, 1e300, 0.5]
    model.fit(MIXED, y)
    save(model, tmp_path / "m.tree")
    again = load(tmp_path / "m.tree")
    assert again.get_params() == model.get_params()
    assert (again.n_neighbors_, again.metric_) == (model.n_neighbors_, model.metric_)
    np.testing.assert_array_equal(again.leave_one_out_, model.leave_one_out_)
    np.testing.assert_array_equal(again.predict(MIXED), model.predict(MIXED))
    for mine, other in zip(again.kneighbors(MIXED), model.kneighbors(MIXED), strict=True):
        np.testing.assert_array_equal(mine, other)
    assert to_bytes(again) == to_bytes(model) == (tmp_path / "m.tree").read_bytes()


def test_the_number_of_threads_is_not_in_the_rows() -> None:
    X, y = np.random.default_rng(0).random((500, 3)), np.arange(500) % 3
    files = {
        to_bytes(KNeighborsClassifier("auto", n_jobs=n).fit(X, y).set_params(n_jobs=None))
        for n in (1, 2, 5)
    }
    assert len(files) == 1


def test_a_function_is_not_written(tmp_path: Path) -> None:
    model = KNeighborsClassifier(1, weights=np.exp).fit(MIXED, LABELS)
    with pytest.raises(ModelFileError, match="cannot be written"):
        save(model, tmp_path / "m.tree")
    assert not list(tmp_path.iterdir())


def forge(model: Any, **changes: Any) -> bytes:
    document = json.loads(model._document()) | changes
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    data: bytes = model._forest.to_bytes(text)
    return data


def test_trees_are_not_neighbours_and_neighbours_are_not_trees(tennis: Any) -> None:
    tree = CARTClassifier().fit(*datasets.play_tennis())
    for data in (
        forge(tennis, estimator="CARTClassifier", params=tree.get_params()),
        forge(tree, estimator="KNeighborsClassifier", params=tennis.get_params()),
        forge(tennis, estimator="KNeighborsRegressor"),
    ):
        with pytest.raises(ModelFileError) as caught:
            from_bytes(data)
        assert caught.value.slug == "model.document"


@pytest.mark.parametrize(
    "change",
    [
        {"n_neighbors": 0},
        {"n_neighbors": "all"},
        {"metric": "cosmic"},
        {"metric": "cosine"},
        {"weights": "os.system"},
        {"column_weights": {"Outlook": -1}},
        {"column_weights": [0, 0, 0, 0]},
        {"p": 0},
        {"scale": 3},
    ],
)
def test_forged_parameters_are_refused_when_the_file_is_read(
    tennis: Any, change: dict[str, Any]
) -> None:
    with pytest.raises(ModelFileError) as caught:
        from_bytes(forge(tennis, params=tennis.get_params() | change))
    assert caught.value.slug == "model.document"


def test_there_is_no_tree_to_draw(tennis: Any, tmp_path: Path) -> None:
    save(tennis, tmp_path / "m.tree")
    with pytest.raises(ModelFileError, match="has no tree to draw") as caught:
        sketch(tmp_path / "m.tree")
    assert caught.value.slug == "model.no-tree"
