"""The model file of a command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from treewright._utils.suggestions import missing_file_message
from treewright.errors import ModelFileError

__all__ = ["load_model", "load_sketch"]

T = TypeVar("T")


def load_model(path: str) -> Any:
    """Return the model in a file; of a search its best estimator."""
    from treewright import load

    model = _read(path, load)
    while hasattr(model, "best_estimator_"):
        model = model.best_estimator_
    if hasattr(model, "steps"):
        raise ModelFileError(
            f"{path} holds a Pipeline of scikit-learn, whose steps before the model only Python runs",
            slug="model.pipeline",
            hints=["load it in Python"],
        )
    return model


def load_sketch(path: str) -> Any:
    """Return what can be drawn of the model in a file, without importing scikit-learn."""
    from treewright.files import sketch

    try:
        return _read(path, sketch)
    except ModelFileError as error:
        if error.slug != "model.no-tree":
            raise
        return load_model(path)  # a model without trees shows itself


def _read(path: str, read: Callable[[str], T]) -> T:
    try:
        return read(path)
    except FileNotFoundError:
        message, hints = missing_file_message(path, ".tree")
        raise ModelFileError(message, slug="file.not-found", hints=hints) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelFileError(f"{path} cannot be read: {reason}", slug="file.unreadable") from None
