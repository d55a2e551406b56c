"""A file is refused in words, or the model in it can be used: never an error of Python's own, whatever it says."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from helpers.hostile_models import (
    MODELS,
    changed_document,
    changed_table,
    failures,
    fit_all,
    loaded,
)
from helpers.soak import size
from treewright.files import to_bytes

FILES = size(4, 400)  # of each kind and model


@cache
def fitted() -> dict[str, Any]:
    return fit_all()


@pytest.mark.parametrize("name", MODELS)
def test_a_model_as_it_was_saved_can_be_used(name: str) -> None:
    assert failures(loaded(to_bytes(fitted()[name]))) == []


@pytest.mark.slow
@pytest.mark.parametrize("change", [changed_document, changed_table])
@pytest.mark.parametrize("name", MODELS)
def test_a_changed_file_is_refused_or_can_be_used(name: str, change: Any) -> None:
    model = fitted()[name]
    used = 0
    for seed in range(20 * FILES):
        rng = np.random.default_rng([seed, list(MODELS).index(name)])
        data = change(model, rng, 1 + seed % 3)
        found = None if data is None else loaded(data)
        if found is None:
            continue
        assert failures(found) == [], f"{name}, seed {seed}"
        used += 1
        if used == FILES:
            break
