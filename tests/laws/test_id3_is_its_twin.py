"""The fast ID3 and the slow one in `reference.py` learn the same trees and give the same answers."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.random_tables import LEVELS, Sample, samples, weights
from treewright import ID3Classifier, datasets, reference

params = st.fixed_dictionaries(
    {
        "min_gain": st.sampled_from([None, None, 0, 0.1, 0.3]),
        "max_depth": st.sampled_from([None, None, 1, 2]),
        "min_samples_split": st.sampled_from([2, 2, 3, 5]),
        "sufficient_majority": st.sampled_from([1.0, 1.0, 0.9, 0.75, 2 / 3, 0.5]),
    }
)


def twin(sample: Sample, **limits: Any) -> reference.Node:
    levels = {name: known for name, known in sample.levels.items() if known is not None}
    return reference.id3(
        sample.rows, sample.labels, levels=levels, classes=sample.classes, **limits
    )


@settings(max_examples=200)
@given(samples(numbers=True), params)
def test_they_learn_the_same_tree(sample: Sample, limits: dict[str, Any]) -> None:
    fast = ID3Classifier(**limits).fit(sample.X, sample.y)
    assert fast.tree_.nested() == reference.nested(twin(sample, **limits))


@given(samples(), st.data())
def test_they_give_the_same_answers_to_any_row(sample: Sample, data: st.DataObject) -> None:
    fast, slow = ID3Classifier().fit(sample.X, sample.y), twin(sample)
    value = st.sampled_from([*LEVELS, "never seen", None])
    row = st.fixed_dictionaries(dict.fromkeys(sample.columns, value))
    new = sample.rows + data.draw(st.lists(row, max_size=10))
    assert fast.predict(new).tolist() == [reference.predict(slow, row) for row in new]


@given(samples(), st.data())
def test_weights_are_repeats(sample: Sample, data: st.DataObject) -> None:
    counts = data.draw(weights(len(sample)))
    repeated = sample.take([i for i, count in enumerate(counts) for _ in range(count)])
    fast = ID3Classifier().fit(sample.X, sample.y, sample_weight=counts)
    assert fast.tree_.nested() == reference.nested(twin(repeated))


def test_on_every_built_in_table() -> None:
    for name in datasets.names():
        table = datasets.load(name)
        if not table.classes or any(series.missing().any() for series in table.table.series):
            continue  # ID3 needs classes and no missing values
        rows = [
            dict(zip(table.features.columns, cells, strict=True))
            for cells in zip(*table.features.to_dict().values(), strict=True)
        ]
        levels = {s.name: s.levels for s in table.features.series if s.declared}
        for min_gain in (None, 0, 0.1):
            fast = ID3Classifier(min_gain=min_gain).fit(table.features, table.labels)
            slow = reference.id3(rows, table.labels.tolist(), levels=levels, min_gain=min_gain)
            assert fast.tree_.nested() == reference.nested(slow)


def test_on_larger_tables() -> None:
    rng = np.random.default_rng(20)
    for rows, columns, levels in [(300, 6, 3), (500, 4, 8), (60, 12, 2)]:
        cells = rng.integers(0, levels, (rows, columns))
        labels = (cells[:, 0] * cells[:, 1] + rng.integers(0, 2, rows)) % 3
        sample = Sample(
            {f"c{i}": [f"v{c}" for c in column] for i, column in enumerate(cells.T.tolist())},
            labels.tolist(),
            {f"c{i}": None for i in range(columns)},
            None,
        )
        for min_gain in (None, 0, 0.1):
            fast = ID3Classifier(min_gain=min_gain).fit(sample.X, sample.y)
            assert fast.tree_.nested() == reference.nested(twin(sample, min_gain=min_gain))
