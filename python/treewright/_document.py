"""What a model says besides its numbers: estimator, parameters, schema, as canonical JSON; and the way back.

Not here: the node table and the container that holds both, which are the core's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from treewright import _core
from treewright.errors import ModelFileError

if TYPE_CHECKING:
    from treewright._estimator import Model

__all__ = ["canonical", "rebuild"]


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
    params = {name: value for name, value in document["params"].items() if name in known}
    model: Model = kind(**params)
    model._restore(document, forest)
    return model
