"""What a model file says besides its numbers: what no estimator has is refused when it is read, in words."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import numpy as np
import pytest

from treewright import (
    AdaBoostClassifier,
    BaggingClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ModelFileError,
    RandomForestClassifier,
    _core,
    datasets,
    export,
)
from treewright._export import FORMATS
from treewright._model.table_builder import levels_of
from treewright.errors import TreewrightError
from treewright.files import from_bytes, to_bytes
from treewright.tree import COLUMNS


def forge(model: Any, **changes: Any) -> bytes:
    """Return a sealed file whose document has other values."""
    document = json.loads(model._document()) | changes
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    data: bytes = model._forest.to_bytes(text)
    return data


@pytest.mark.parametrize(
    ("model", "changes"),
    [
        (RandomForestClassifier(3), {"n_jobs": 0}),
        (RandomForestClassifier(3), {"n_jobs": -2}),
        (RandomForestClassifier(3), {"n_jobs": "many"}),
        (RandomForestClassifier(3), {"n_jobs": 1.5}),
        (BaggingClassifier(n_estimators=3), {"estimator": "x"}),
        (AdaBoostClassifier(n_estimators=3), {"estimator": "x"}),
        (AdaBoostClassifier(n_estimators=3), {"learning_rate": "fast"}),
        (CARTClassifier(), {"criterion": None}),
        (CARTClassifier(), {"prune": "shears"}),
        (CARTClassifier(), {"max_depth": {"x": 1}}),
        (C45Classifier(), {"confidence": "high"}),
    ],
)
def test_parameters_that_none_has_are_refused(model: Any, changes: dict[str, Any]) -> None:
    model.fit(*datasets.play_tennis())
    params = json.loads(model._document())["params"] | changes
    with pytest.raises(ModelFileError) as caught:
        from_bytes(forge(model, params=params))
    assert caught.value.slug == "model.document"


def test_parameters_that_could_not_be_read_again_are_not_saved() -> None:
    model = RandomForestClassifier(3).fit(*datasets.play_tennis()).set_params(n_jobs=0)
    with pytest.raises(ModelFileError, match="n_jobs must be a whole number") as caught:
        to_bytes(model)
    assert caught.value.slug == "model.parameter"


def test_a_class_of_any_length_is_written_or_refused() -> None:
    model = CARTClassifier().fit([[1.0], [2.0]], [1, 2])
    schema = json.loads(model._document())["schema"] | {"classes": [1, 10**4000]}
    data = forge(model, schema=schema, classes_dtype="object")
    try:
        loaded = from_bytes(data)
    except ModelFileError:
        return
    for form in FORMATS:
        with contextlib.suppress(TreewrightError):
            export(loaded, form)


def test_figures_that_no_training_gives_are_refused() -> None:
    model = CARTClassifier(max_depth=1).fit([[1.0], [2.0]], ["a", "b"])
    numbers = CARTRegressor(max_depth=1).fit([[1.0], [2.0]], [1.0, 2.0])
    for one, column, value in (
        (model, "value", 1e308),
        (model, "value", -0.5),
        (model, "value", 1.5),
        (model, "weight", 5e-324),
        (model, "cost", 1.7e308),
        (numbers, "value", 1e308),
        (numbers, "weight", 5e-324),
    ):
        tree = one._forest.tree(0)
        table = {name: np.array(getattr(tree, name)).reshape(-1) for name in (*COLUMNS,)}
        table[column][0] = value
        other = _core.Forest.from_tables(levels_of(one.schema_), tree.value.shape[1], [table])
        with pytest.raises(ModelFileError, match="no training gives") as caught:
            from_bytes(other.to_bytes(one._document()))
        assert caught.value.slug == "model.table"
