"""What a model says besides its numbers: estimator, parameters, schema, as canonical JSON; and the way back.

Not here: the node table and the container that holds both, which are the core's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright import _core
from treewright._values import scalar
from treewright.errors import ModelFileError

if TYPE_CHECKING:
    from treewright._estimator import Model

__all__ = ["canonical", "lively", "plain", "rebuild"]


def canonical(document: Any) -> str:
    """Write a document in its one form: keys sorted, no spaces, every value in one way.

    Examples
    --------
    >>> canonical({"b": 1.0, "a": "é"})
    '{"a":"é","b":1.0}'
    """
    text = json.dumps(
        document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
        raise ModelFileError(
            "a name or a value of this model holds half a character (a lone surrogate), "
            "which no file can hold",
            slug="model.surrogate",
        )
    return text


def plain(value: Any) -> Any:
    """Return a parameter as JSON can hold it: numpy's numbers and arrays as what they stand for, dictionaries as pairs.

    Examples
    --------
    >>> import numpy as np
    >>> plain({0: np.float64(1.5)}), plain(np.array([1, 2]))
    ({'pairs': [[0, 1.5]]}, [1, 2])
    """
    if isinstance(value, Mapping):
        return {"pairs": [[plain(key), plain(item)] for key, item in value.items()]}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return scalar(value)


def lively(value: Any) -> Any:
    """Return the parameter that :func:`plain` wrote.

    Examples
    --------
    >>> lively(plain({0: 1.5}))
    {0: 1.5}
    """
    if isinstance(value, Mapping):
        return {key: lively(item) for key, item in value["pairs"]}
    return value


def rebuild(document: Mapping[str, Any], forest: _core.Forest) -> Model:
    """Return the fitted estimator that a model file describes.

    Only estimators of this package can be named; nothing is imported or run on the file's word.
    """
    import treewright

    name = document.get("estimator")
    kind = getattr(treewright, name) if name in treewright._ESTIMATORS else None
    if kind is None:
        raise ModelFileError(
            f"the model was made by {name!r}, which this version does not have",
            slug="model.unknown-estimator",
        )
    known = kind._get_param_names()
    params = {name: lively(value) for name, value in document["params"].items() if name in known}
    model: Model = kind(**params)
    model._restore(document, forest)
    return model
