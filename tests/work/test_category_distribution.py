"""The distribution of a categorical column in a node."""

from __future__ import annotations

import pytest

from treewright import C45Classifier, CARTRegressor, UsageError, datasets, work


def test_categories_are_counted_by_class() -> None:
    X, y = datasets.golf()
    model = C45Classifier().fit(X, y)
    record = work(model, 0, what="distribution").to_dict()
    assert (record["column"], record["levels"]) == ("outlook", ["sunny", "overcast", "rainy"])
    assert dict(zip(record["levels"], record["amounts"], strict=True)) == {
        "sunny": [3.0, 2.0],
        "overcast": [0.0, 4.0],
        "rainy": [2.0, 3.0],
    }
    assert record["branches"] == [0, 1, 2]
    other = work(model, 1, what="distribution", column="outlook").to_dict()
    assert (other["branches"], sum(map(sum, other["amounts"]))) == (None, 5.0)


def test_it_is_a_page_with_branches_and_missing_values() -> None:
    X = {"color": ["red", None, "blue", "red"]}
    text = str(work(CARTRegressor().fit(X, [1.0, 2.0, 3.0, 1.0]), 0, what="distribution"))
    assert "branch 1" in text
    assert "Missing in 1" in text
    with pytest.raises(UsageError, match="no column"):
        work(CARTRegressor().fit(X, [1.0, 1.0, 1.0, 1.0]), 0, what="distribution")
