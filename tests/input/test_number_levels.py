"""Numbers that become levels: the distinct ones in their order, whichever way they are found."""

from __future__ import annotations

import numpy as np
import pytest

from treewright._input.columns import CLOSE, to_levels
from treewright.table import MISSING, Series

RANDOM = np.random.default_rng(3)
NUMBERS = {
    "codes": RANDOM.integers(0, 40, 500).astype(float),
    "negative codes": RANDOM.integers(-9, 3, 200).astype(float),
    "far from zero": 2.0**53 - RANDOM.integers(0, 9, 50),
    "fractions": RANDOM.integers(0, 9, 100) / 4,
    "steps of one from a fraction": RANDOM.integers(0, 9, 100) + 0.1,
    "one fraction among codes": np.array([3.0, 1.0, 2.5, 1.0]),
    "as far apart as is counted": np.array([0.0, CLOSE + 3.0, 7.0]),
    "farther apart": np.array([0.0, CLOSE + 4.0, 7.0]),
    "very far apart": np.array([-1e300, 1e300, 0.0]),
    "one": np.array([5.0]),
    "none": np.array([]),
}


@pytest.mark.parametrize("values", NUMBERS.values(), ids=NUMBERS)
@pytest.mark.parametrize("missing", [False, True])
def test_levels_are_the_distinct_numbers(values: np.ndarray, missing: bool) -> None:
    if missing:
        values = np.append(np.insert(values, 0, np.nan), np.nan)
    series = to_levels(Series("a", "numeric", values))
    assert list(series.levels) == sorted(set(values[~np.isnan(values)].tolist()))
    assert all(type(level) is float for level in series.levels)
    assert series.data.dtype == np.uint32
    restored = [np.nan if code == MISSING else series.levels[code] for code in series.data.tolist()]
    np.testing.assert_array_equal(np.array(restored), values)
