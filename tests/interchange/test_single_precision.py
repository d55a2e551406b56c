"""Every double is on the side of the threshold where it is after rounding to single precision."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from treewright._interchange.single_precision import largest_double_below, largest_double_up_to

SINGLES = st.floats(width=32, allow_nan=False, allow_infinity=False)


def to_single(x: float) -> float:
    with np.errstate(over="ignore"):
        return float(np.float32(x))


@given(st.floats(min_value=-3e38, max_value=3e38))
def test_largest_double_up_to(threshold: float) -> None:
    limit = float(largest_double_up_to(np.array([threshold]))[0])
    assert to_single(limit) <= threshold
    assert to_single(np.nextafter(limit, np.inf)) > threshold


@given(SINGLES)
def test_largest_double_below(threshold: float) -> None:
    limit = float(largest_double_below(np.array([threshold], dtype=np.float32))[0])
    assert to_single(limit) < threshold
    assert to_single(np.nextafter(limit, np.inf)) >= threshold


def test_infinity_is_above_every_finite_number() -> None:
    infinity = np.array([np.inf], dtype=np.float32)
    assert to_single(float(largest_double_below(infinity)[0])) == np.finfo(np.float32).max
    assert largest_double_up_to(np.array([np.inf]))[0] == np.inf
