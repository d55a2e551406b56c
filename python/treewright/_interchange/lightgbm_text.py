"""The text of a LightGBM model: a header of ``key=value`` lines, then the trees, then the names of categories.

The text may be damaged or hostile: every number and every length is checked.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._interchange.fitted_model import refuse
from treewright._interchange.node_tables import ForeignNodes, damaged

__all__ = ["LightGBMText", "parse_text"]

CATEGORICAL, DEFAULT_LEFT = (
    1,
    2,
)  # bits of decision_type; the next two are the kind of missing values
ZERO, NAN = 1, 2
NEAR_ZERO = float(np.float32(1e-35))  # LightGBM takes numbers up to it for zero
MAX_CATEGORY = 1 << 20
Fields = dict[str, str]


@dataclass(frozen=True, slots=True)
class LightGBMText:
    """The parts of a model's text: its header, the fields of each tree, the categories of pandas columns."""

    header: Fields
    trees: list[Fields]
    pandas_categories: list[list[Any]]

    @property
    def is_averaged(self) -> bool:
        """Whether the trees are averaged, as in LightGBM's random forests."""
        return "average_output" in self.header


def parse_text(text: str) -> LightGBMText:
    """Return the parts of a model's text."""
    if not text.lstrip().startswith("tree"):
        raise damaged('the text of a LightGBM model begins with "tree"')
    body, _, rest = text.partition("end of trees")
    head, *parts = body.split("\nTree=")
    categories: Any = []
    mark = rest.rfind("pandas_categorical:")
    if mark >= 0:
        line = rest[mark + len("pandas_categorical:") :].strip().split("\n")[0]
        try:
            categories = json.loads(line) or []
        except (ValueError, RecursionError):
            raise damaged("the categories of its columns are not JSON") from None
        if not isinstance(categories, list) or not all(isinstance(c, list) for c in categories):
            raise damaged("the categories of its columns are not lists")
    return LightGBMText(_fields(head), [_fields(part) for part in parts], categories)


def _fields(text: str) -> Fields:
    pairs = (line.partition("=") for line in text.split("\n"))
    return {key.strip(): value.strip() for key, _, value in pairs}


def integer(fields: Fields, name: str, default: int | None = None) -> int:
    """Return a field that holds one whole number."""
    text = fields.get(name, "" if default is None else str(default))
    if not text.lstrip("-").isdecimal() or len(text) > 10:
        raise damaged(f"{name} is {text[:40]!a}, not a whole number")
    return int(text)


def numbers(fields: Fields, name: str, count: int | None = None, dtype: Any = float) -> Any:
    """Return a field that holds numbers; zeros if it is optional and missing."""
    try:
        values = np.array(fields[name].split(), dtype=np.float64)
    except KeyError:
        raise damaged(f"{name} is missing") from None
    except ValueError:
        raise damaged(f"{name} holds something that is not a number") from None
    if count is not None and len(values) != count:
        raise damaged(f"{name} holds {len(values):,} numbers in place of {count:,}")
    # An infinite threshold divides the known values from the missing ones.
    if np.isnan(values).any() or (np.isinf(values).any() and name != "threshold"):
        raise damaged(f"{name} holds a number that is not finite")
    if dtype is float:
        return values
    if (values != np.round(values)).any() or (np.abs(values) >= 2.0**32).any():
        raise damaged(f"{name} holds a number that is not whole")
    return values.astype(dtype)


def categories_of(fields: Fields) -> list[NDArray[np.int64]]:
    """Return the categories that each test of categories sends left."""
    n_tests = integer(fields, "num_cat", 0)
    if n_tests <= 0:
        return []
    bounds = numbers(fields, "cat_boundaries", n_tests + 1, np.int64)
    words = numbers(fields, "cat_threshold", None, np.int64)
    if bounds[0] != 0 or (np.diff(bounds) < 0).any() or bounds[-1] > len(words):
        raise damaged("cat_boundaries are not in order")
    bits = (words[:, None] >> np.arange(32)) & 1
    sets = [np.flatnonzero(bits[a:b].ravel()) for a, b in itertools.pairwise(bounds)]
    if any(len(one) and one[-1] >= MAX_CATEGORY for one in sets):
        raise damaged(f"a category has a number above {MAX_CATEGORY:,}")
    return sets


def tree_nodes(fields: Fields, n_levels: list[int | None]) -> ForeignNodes:
    """Return the nodes of a tree: first the inner nodes, then the leaves."""
    leaves = integer(fields, "num_leaves")
    if leaves < 1 or integer(fields, "is_linear", 0):
        raise damaged("a tree has no leaves, or linear models in its leaves")
    inner = leaves - 1
    feature = _inner(fields, "split_feature", inner, np.int64)
    if inner and not (feature.min() >= 0 and feature.max() < len(n_levels)):
        raise damaged("a tree tests a column that does not exist")
    kind = _inner(fields, "decision_type", inner, np.int64)
    threshold, missing_left = _compare(_inner(fields, "threshold", inner), kind)
    if np.isneginf(threshold).any():
        raise damaged("a threshold is below all numbers")
    routes = _routes(fields, kind, feature, n_levels)
    none = np.zeros(leaves)
    count = _both(fields, "count", inner, leaves)
    weight = _both(fields, "weight", inner, leaves)
    return ForeignNodes(
        left=np.concatenate([_child(fields, "left_child", inner), np.full(leaves, -1)]),
        right=np.concatenate([_child(fields, "right_child", inner), np.full(leaves, -1)]),
        feature=np.concatenate([feature, none.astype(np.int64)]),
        threshold=np.concatenate([threshold, none]),
        missing_left=np.concatenate([missing_left, none.astype(bool)]),
        value=_both(fields, "value", inner, leaves)[:, None],
        weight=np.maximum(weight, 0.0),
        count=np.maximum(count, 0).astype(np.int64),
        cost=np.zeros(inner + leaves),
        gain=np.concatenate([np.maximum(_inner(fields, "split_gain", inner), 0.0), none]),
        routes=routes,
    )


def _inner(fields: Fields, name: str, inner: int, dtype: Any = float) -> Any:
    return numbers(fields, name, inner, dtype) if inner else np.zeros(0, dtype=dtype)


def _both(fields: Fields, name: str, inner: int, leaves: int) -> NDArray[np.float64]:
    """Return a figure of inner nodes and leaves; a file may leave out all but the values of leaves."""
    parts = []
    for prefix, count in (("internal_", inner), ("leaf_", leaves)):
        is_needed = prefix + name == "leaf_value"
        is_present = fields.get(prefix + name) or is_needed
        parts.append(
            numbers(fields, prefix + name, count) if is_present and count else np.zeros(count)
        )
    return np.concatenate(parts)


def _child(fields: Fields, name: str, inner: int) -> NDArray[np.int64]:
    """Return children; the leaf i is written as -i-1, and comes after the inner nodes."""
    child: NDArray[np.int64] = _inner(fields, name, inner, np.int64)
    return np.where(child < 0, inner - child - 1, child)


def _compare(
    threshold: NDArray[np.float64], kind: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return thresholds, and where missing values go: LightGBM may take them for 0, or 0 for missing."""
    missing, is_left = (kind >> 2) & 3, (kind & DEFAULT_LEFT) > 0
    is_number = (kind & CATEGORICAL) == 0
    zero = (missing == ZERO) & is_number
    threshold = np.where(
        zero & ~is_left & (threshold == -NEAR_ZERO), np.nextafter(threshold, -1), threshold
    )
    natural = np.where(is_left, threshold >= NEAR_ZERO, threshold < -NEAR_ZERO)
    if (zero & ~natural).any():
        raise refuse(
            "a LightGBM model in which zeros are missing values",
            "train it with zero_as_missing=False and missing values as NaN",
        )
    left = np.where(missing == 0, threshold >= 0, is_left)
    return threshold, left & is_number  # of categories, missing values go right


def _routes(
    fields: Fields, kind: NDArray[np.int64], feature: NDArray[np.int64], n_levels: list[int | None]
) -> dict[int, NDArray[np.uint16]]:
    sets, routes = categories_of(fields), {}
    tests = numbers(fields, "threshold", None) if len(kind) else np.zeros(0)
    for node in range(len(kind)):
        levels, column = n_levels[feature[node]], int(feature[node])
        if bool(kind[node] & CATEGORICAL) != (levels is not None):
            raise damaged(f"column {column} is tested as numbers and as categories")
        if levels is None:
            continue
        test = int(tests[node])
        if not 0 <= test < len(sets):
            raise damaged("a test of categories has no categories")
        route = np.ones(levels, dtype=np.uint16)
        if len(sets[test]) and sets[test][-1] >= levels - 1:
            raise damaged(f"column {column} has a category without a name")
        route[sets[test]] = 0
        routes[node] = route
    return routes
