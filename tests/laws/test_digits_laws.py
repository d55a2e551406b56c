"""A threshold as it is printed divides the training rows as the exact one does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.soak import size
from treewright import C45Classifier, CARTClassifier, ExtraTreesClassifier
from treewright._input.short_numbers import write_cut
from treewright.files import from_bytes, to_bytes

KINDS = ("whole", "one", "two", "arbitrary", "single", "coarse single", "close", "large")


def column(kind: str, rng: np.random.Generator, rows: int) -> np.ndarray:
    """Make values of one kind, with many equal ones."""
    x = rng.normal(size=rows) * 10.0 ** rng.integers(-3, 4)
    return {
        "whole": np.rint(x * 10),
        "one": np.round(x, 1),
        "two": np.round(x, 2),
        "arbitrary": x,
        "single": x.astype(np.float32).astype(float),
        "coarse single": np.round(x, 1).astype(np.float32).astype(float),
        "close": 1.0 + rng.integers(0, 50, rows) * 2.0**-50,
        "large": np.rint(x * 1e12),
    }[kind]


@pytest.mark.parametrize("learner", [CARTClassifier, C45Classifier, ExtraTreesClassifier])
@settings(max_examples=size(40, 2000))
@given(st.integers(0, 2**32 - 1), st.lists(st.sampled_from(KINDS), min_size=1, max_size=4))
def test_a_printed_threshold_divides_alike(learner: type, seed: int, kinds: list[str]) -> None:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(8, 80))
    X = np.column_stack([column(kind, rng, rows) for kind in kinds])
    y = (X.sum(axis=1) + rng.normal(size=rows) > np.median(X.sum(axis=1))).astype(int)
    more = {"n_estimators": 3} if learner is ExtraTreesClassifier else {}
    model = learner(**more).fit(X, y)
    again = from_bytes(to_bytes(model))
    for tree in model.trees_ if more else [model.tree_]:
        for node in np.flatnonzero(tree.n_children):
            feature, cut = int(tree.feature[node]), float(tree.threshold[node])
            described = tree.schema.columns[feature]
            text = write_cut(cut, described)
            assert write_cut(cut, again.schema_.columns[feature]) == text
            values = X[:, feature]
            # As people read them: the decimals that single precision stands for.
            read = (
                np.array([float(str(np.float32(v))) for v in values])
                if described.single
                else values
            )
            np.testing.assert_array_equal(read <= float(text), values <= cut)
