"""Pipelines and searches of scikit-learn around a model, in its model file.

The document of such a file is that of the model inside, with two changes: its ``estimator`` is the outermost class, so
that a version without pipelines refuses the file, and ``around`` holds the rest: the name of the inner estimator, and
everything around it as plain values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from treewright._estimator.find import is_pipeline, unwrap
from treewright._estimator.metadata import canonical
from treewright._estimator.model import Model
from treewright._estimator.plain_values import NotPlainError, from_plain, to_plain
from treewright._estimator.sklearn_parts import CLASSES, read_part, write_part
from treewright._estimator.unfitted import describe_estimator, restore_estimator
from treewright.errors import Hint, UsageError

__all__ = ["check_around", "document_around", "read_around"]

Again = Callable[[Any], Any]


def check_around(model: Any) -> None:
    """Refuse a search without a best estimator."""
    while is_pipeline(model) or hasattr(model, "refit"):
        if hasattr(model, "refit") and not hasattr(model, "best_estimator_"):
            raise UsageError(
                f"this {type(model).__name__} has no best_estimator_: it is not fitted, or refit is False",
                slug="model.search",
                hints=["fit it, with refit turned on"],
            )
        model = model.steps[-1][1] if is_pipeline(model) else model.best_estimator_


def document_around(model: Any, document: Mapping[str, Any]) -> str:
    """Return the document of a Pipeline or search from that of the model inside it."""
    inner = unwrap(model)

    def write(value: Any, again: Again) -> Any:
        if value is inner:
            return {"model": True}
        if isinstance(value, Model):
            return {"unfitted": describe_estimator(value)}
        return write_part(value, again)

    import sklearn

    around = {
        "estimator": document["estimator"],
        "layers": _write_layers(model, write),
        "scikit-learn": sklearn.__version__,
    }
    return canonical({**document, "estimator": type(model).__name__, "around": around})


def _write_layers(model: Any, write: Any) -> Any:
    """Return the layers as plain values; a step that cannot be written is named."""
    path: list[str] = []

    def write_named(value: Any, again: Again) -> Any:
        path.append(getattr(value, "__name__", type(value).__name__))
        plain = write(value, again)
        path.pop()
        return plain

    try:
        return to_plain(model, write_named)
    except NotPlainError as error:
        raise _refuse(model, path, str(error)) from None


def _refuse(model: Any, path: list[str], what: str) -> UsageError:
    """Return the error for a value that a file cannot hold; ``path`` are the classes around it, outermost first."""
    owner = path[-2] if what.endswith(path[-1]) and len(path) > 1 else path[-1]
    note = "the last step of the pipeline alone; rows must be transformed before it predicts"
    return UsageError(
        f"a model file cannot hold {what}, which is a part of this {owner}",
        slug="model.step",
        hints=[
            Hint(call="save", arguments=("model", "path"), note=note),
            "a pickle holds any object, but runs code when it is read",
        ],
    )


def read_around(around: Mapping[str, Any], model: Model) -> Any:
    """Return the Pipeline or search that a file holds around its model."""
    _warn_about_version(str(around["scikit-learn"]))
    seen = 0

    def read(plain: Mapping[str, Any], again: Again) -> Any:
        nonlocal seen
        if plain.keys() == {"model"}:
            seen += 1
            return model
        if plain.keys() == {"unfitted"}:
            return restore_estimator(plain["unfitted"])
        part = read_part(plain, again)
        if hasattr(part, "best_estimator_"):
            _add_scorer(part)
        return part

    outermost = from_plain(around["layers"], read)
    if type(outermost).__name__ not in CLASSES or seen != 1 or unwrap(outermost) is not model:
        raise ValueError("what is around its model does not lead to it")
    return outermost


def _add_scorer(search: Any) -> None:
    """Set the scorer of a search again: it is a function."""
    from sklearn.metrics import check_scoring, get_scorer

    scoring = search.scoring
    if scoring is None or isinstance(scoring, str):
        search.scorer_ = check_scoring(search.best_estimator_, scoring=scoring)
    else:
        names = scoring if isinstance(scoring, dict) else {name: name for name in scoring}
        search.scorer_ = {name: get_scorer(scorer) for name, scorer in names.items()}


def _warn_about_version(version: str) -> None:
    import sklearn

    from treewright._utils.user_warnings import warn_user

    if version.split(".")[:2] != sklearn.__version__.split(".")[:2]:
        warn_user(
            f"the steps before this model were fitted by scikit-learn {version:.20}; "
            f"this is {sklearn.__version__}, where they may behave differently"
        )
