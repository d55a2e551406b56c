"""No path of a boosted tree mixes columns that interaction constraints keep apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import GradientBoostingClassifier, GradientBoostingRegressor
from treewright.errors import UsageError
from treewright.files import from_bytes, to_bytes

NAMES = ["a", "b", "c", "d", "e"]


def make_table(seed: int, rows: int = 400) -> tuple[dict[str, Any], np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 5))
    X[rng.random((rows, 5)) < 0.05] = np.nan
    columns: dict[str, Any] = dict(zip(NAMES, X.T, strict=True))
    columns["e"] = np.array(list("uvw"))[rng.integers(0, 3, rows)]
    known = np.nan_to_num(X)
    y = known[:, 0] * known[:, 1] + known[:, 2] * known[:, 3] + (columns["e"] == "u") * known[:, 0]
    return columns, y


def paths_of(tree: Any) -> set[frozenset[int]]:
    """Return the set of columns of each path from the root to a leaf."""
    found, stack = set(), [(0, frozenset[int]())]
    while stack:
        node, columns = stack.pop()
        if tree.n_children[node] == 0:
            found.add(columns)
            continue
        below = columns | {int(tree.feature[node])}
        first = int(tree.first_child[node])
        stack.extend((child, below) for child in range(first, first + int(tree.n_children[node])))
    return found


@given(
    groups=st.lists(st.lists(st.integers(0, 4), max_size=4), min_size=1, max_size=4),
    named=st.booleans(),
    max_features=st.sampled_from([None, 2]),
    classes=st.booleans(),
)
def test_every_path_stays_in_one_group(
    groups: list[list[int]], named: bool, max_features: Any, classes: bool
) -> None:
    X, y = make_table(len(groups))
    constraints: Any = [[NAMES[i] for i in group] if named else group for group in groups]
    kind = GradientBoostingClassifier if classes else GradientBoostingRegressor
    model = kind(
        n_estimators=4,
        max_features=max_features,
        random_state=1,
        interaction_constraints=constraints,
    ).fit(X, np.digitize(y, [-0.5, 0.5]) if classes else y)
    listed = {i for group in groups for i in group}
    allowed = [set(group) for group in groups] + [set(range(5)) - listed]
    for tree in model.trees_:
        assert all(any(path <= group for group in allowed) for path in paths_of(tree))


def test_words_for_constraints() -> None:
    X, y = make_table(0)
    for word, most in (("no_interactions", 1), ("pairwise", 2)):
        model = GradientBoostingRegressor(n_estimators=8, interaction_constraints=word).fit(X, y)
        sizes = {len(path) for tree in model.trees_ for path in paths_of(tree)}
        assert max(sizes) == most
        assert to_bytes(from_bytes(to_bytes(model))) == to_bytes(model)


def test_all_columns_in_one_group_is_no_constraint() -> None:
    X, y = make_table(0)
    models = [
        GradientBoostingRegressor(n_estimators=5, max_features=features, interaction_constraints=c)
        for features in (None, 3)
        for c in (None, [NAMES], [{0, 1, 2, 3, 4}], [])
    ]
    found = [tuple(model.fit(X, y).predict(X)) for model in models]
    assert len(set(found)) == 2


@pytest.mark.parametrize(
    ("constraints", "sentence"),
    [
        ("none", "interaction_constraints must be"),
        (["a", "b"], "must be groups of columns"),
        ([["a", "f"]], "names the column 'f', which the table does not have"),
        ([[0, 5]], "from 0 to 4; got 5"),
        ([[True]], "from 0 to 4; got True"),
        (3, "must be groups of columns; got 3"),
    ],
)
def test_wrong_constraints_are_explained(constraints: Any, sentence: str) -> None:
    X, y = make_table(0)
    with pytest.raises(UsageError, match=sentence):
        GradientBoostingRegressor(interaction_constraints=constraints).fit(X, y)
    with pytest.raises(UsageError, match="cannot be combined"):
        GradientBoostingRegressor(interaction_constraints=[["a"]], splits="exact").fit(X, y)


def test_sets_are_saved_in_one_order() -> None:
    X, y = make_table(0)
    files = {
        to_bytes(GradientBoostingRegressor(n_estimators=2, interaction_constraints=[c]).fit(X, y))
        for c in ({"a", "b", "c"}, {"c", "b", "a"}, ["a", "b", "c"])
    }
    assert len(files) == 1
