"""When the index of the training rows is built, and of what."""

from __future__ import annotations

import numpy as np

from treewright import KNeighborsClassifier
from treewright._learners.neighbors.search_index import MAX_CELLS_LATER
from treewright.schema import Column, Schema
from treewright.table import Table

WIND = Schema((Column("wind", "categorical", ("strong", "weak")),))


def test_a_small_table_is_indexed_at_the_first_search() -> None:
    model = KNeighborsClassifier(1).fit([[0.0], [1.0], [2.0]], ["a", "b", "b"])
    assert model._index._built is None
    assert model.predict([[0.1], [5.0]]).tolist() == ["a", "b"]
    assert model._index._built is not None
    assert model._index._rows is None
    rows = np.arange(MAX_CELLS_LATER + 1.0)[:, None]
    assert KNeighborsClassifier(1).fit(rows, rows[:, 0] > 9)._index._built is not None


def test_what_the_caller_does_to_the_rows_between_fit_and_predict_does_not_matter() -> None:
    codes, numbers = np.array([0, 1, 0], dtype=np.uint32), np.array([[0.0], [4.0], [8.0]])
    by_code = KNeighborsClassifier(1).fit(Table.of_codes([codes], WIND), ["a", "b", "a"])
    by_number = KNeighborsClassifier(1).fit(numbers, ["a", "b", "c"])
    codes[:], numbers[:] = 1 - codes, -numbers
    assert by_code.predict({"wind": ["strong", "weak"]}).tolist() == ["a", "b"]
    assert by_number.predict([[1.0], [3.0], [9.0]]).tolist() == ["a", "b", "c"]
