"""Fitted models as files, as bytes, and as readable JSON.

A model file (suffix ``.tree``) holds no code: loading it checks every byte and runs nothing. It is a safetensors
container with a checksum; one model has exactly one byte string. The format and all its checks live in the core; here
are paths, and the conversion of the bytes to an estimator and back.

Glossary: the *metadata* are estimator, parameters and schema as canonical JSON: keys sorted, no spaces, one spelling
for every value.
"""

from __future__ import annotations

import errno
import json
import math
import os
import stat
from typing import TYPE_CHECKING, Any, TypeVar

from treewright import _core
from treewright._estimator.metadata import Builder, Sketch, build_model, rebuild
from treewright._utils import atomic_write as _atomic
from treewright.errors import ModelFileError, UsageError, printable
from treewright.tree import COLUMNS

if TYPE_CHECKING:
    from treewright._estimator.model import Model

__all__ = ["from_bytes", "load", "save", "sketch", "to_bytes", "to_json"]

T = TypeVar("T")

FORM = 1  # the version of the readable form, described by schema/model.schema.json
START_BYTES = 1 << 12  # enough of a file to recognize other formats


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted model to a file, all or nothing.

    If anything goes wrong, a full disk included, a file that was there before is unchanged and nothing is left behind.
    A file keeps its mode; a symbolic link stays a link and the file that it leads to is written.

    Parameters
    ----------
    model : fitted estimator
        A model of this package, or a Pipeline, GridSearchCV or RandomizedSearchCV of scikit-learn that ends in one. Of
        scikit-learn's transformers a file holds the usual ones (scalers, imputers, encoders, ColumnTransformer, PCA,
        selection of columns, text vectorizers) as data; others are refused by name.
    path : str or path-like
        Where to write it; the usual suffix is ``.tree``.

    Raises
    ------
    NotFittedError
        If the model has not been fitted.
    UsageError
        If a step of a Pipeline cannot be written.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from treewright import ID3Classifier, datasets, load, save
    >>> X, y = datasets.play_tennis()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "tennis.tree"
    ...     save(ID3Classifier().fit(X, y), path)
    ...     load(path).tree_
    <Tree: 8 nodes, 5 leaves, depth 2>
    """
    _atomic.write(path, to_bytes(model))


def load(path: str | os.PathLike[str]) -> Any:
    """Read a model from a file. Nothing in the file is run.

    Parameters
    ----------
    path : str or path-like
        A file that :func:`save` wrote.

    Returns
    -------
    fitted estimator
        An estimator like the one that was saved, with the same predictions; a Pipeline or a search if that was saved.
        Besides treewright's estimators, only listed classes of scikit-learn are ever built.

    Raises
    ------
    ModelFileError
        If the file is damaged, was written by a newer version, or is something else.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from treewright import load
    >>> load("no-such.tree")
    Traceback (most recent call last):
    ...
    FileNotFoundError: [Errno 2] No such file or directory: 'no-such.tree'
    """
    return _open(path, rebuild)


def sketch(path: str | os.PathLike[str]) -> Sketch:
    """Read only what :func:`treewright.show` needs from a model file, in a fraction of the time.

    Parameters
    ----------
    path : str or path-like
        A file that :func:`save` wrote.

    Returns
    -------
    Sketch
        The trees with the names of columns and classes, and the name of the model. It cannot predict.

    Raises
    ------
    ModelFileError, OSError
        As by :func:`load`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from treewright import ID3Classifier, datasets, save, show
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "tennis.tree"
    ...     save(ID3Classifier().fit(*datasets.play_tennis()), path)
    ...     print(str(show(sketch(path), style="j48")).splitlines()[0])
    Outlook = Sunny
    """
    return _open(path, Sketch)


def to_bytes(model: Any) -> bytes:
    """Return the bytes that :func:`save` writes: the same bytes for the same model, on every machine.

    Parameters
    ----------
    model : fitted estimator
        A model of this package.

    Returns
    -------
    bytes
        The contents of a model file.

    Examples
    --------
    >>> from treewright import ZeroRClassifier, datasets
    >>> clf = ZeroRClassifier().fit(*datasets.play_tennis())
    >>> to_bytes(from_bytes(to_bytes(clf))) == to_bytes(clf)
    True
    """
    if _is_wrapped(model):
        return _wrapped_to_bytes(model)
    fitted = _check_fitted(model)
    return _seal(fitted, _document_of(fitted))


def _document_of(fitted: Model) -> str:
    """Return the description of a model; refuse one that could not be read again."""
    model: Any = fitted
    if type(model).__module__.partition(".")[0] != "treewright":  # a file could not name it
        raise TypeError(
            f"{type(model).__name__} is not an estimator of treewright; pickle can save it"
        )
    try:
        document = fitted._document()
        fitted._check_restored()  # the file must be readable again
    except ModelFileError:
        raise
    except (TypeError, ValueError) as error:  # such as a list of functions or an infinite number
        if getattr(error, "slug", "") == "usage.model":  # not about a parameter
            raise
        message = f"a parameter of the model cannot be written: {error}"
        raise ModelFileError(message, slug="model.parameter") from None
    return document


def _seal(fitted: Model, document: str) -> bytes:
    data: bytes = fitted._forest.to_bytes(document)
    return data


def _is_wrapped(model: Any) -> bool:
    """Return whether a model is a Pipeline or a search of scikit-learn; its classes are told by their attributes."""
    return any(hasattr(model, name) for name in ("steps", "best_estimator_", "refit"))


def _wrapped_to_bytes(model: Any) -> bytes:
    from treewright._estimator.find import unwrap
    from treewright._estimator.pipeline_file import check_around, document_around

    check_around(model)
    fitted = _check_fitted(unwrap(model))
    return _seal(fitted, document_around(model, json.loads(_document_of(fitted))))


def from_bytes(data: bytes | bytearray | memoryview) -> Any:
    """Return the model in the bytes of a model file. Nothing in them is run.

    Parameters
    ----------
    data : bytes-like
        The result of :func:`to_bytes`.

    Returns
    -------
    fitted estimator
        The model.

    Examples
    --------
    >>> from_bytes(b"")
    Traceback (most recent call last):
    ...
    treewright.ModelFileError: this file is empty, not a treewright model  [model.not-a-model]
    """
    raw = data if isinstance(data, bytes) else bytes(memoryview(data))
    return build_model(_core.open_model(raw), rebuild)


def to_json(model: Any) -> dict[str, Any]:
    """Return a fitted model as plain values in the form that ``schema/model.schema.json`` describes.

    The metadata of the model, and each tree as the columns of its node table, row ``i`` of every column being node
    ``i``. A missing or infinite threshold is None. It is for reading; only model files can be loaded.

    Parameters
    ----------
    model : fitted estimator
        A model of this package.

    Returns
    -------
    dict
        Values that ``json.dumps`` writes.

    Examples
    --------
    >>> from treewright import ZeroRClassifier, datasets
    >>> form = to_json(ZeroRClassifier().fit(*datasets.play_tennis()))
    >>> form["estimator"], form["trees"][0]["count"], form["schema"]["classes"]
    ('ZeroRClassifier', [14], ['No', 'Yes'])
    """
    fitted = _check_fitted(model)
    forest = fitted._forest
    if not isinstance(forest, _core.Forest):
        raise UsageError(
            f"a {type(model).__name__} has no trees: its training rows are its model, and JSON has no form for them",
            slug="export.refused",
            hints=["save writes them to a model file"],
        )
    trees = [_columns(forest.tree(i)) for i in range(forest.n_trees)]
    form = {"form": FORM, **json.loads(fitted._document()), "trees": trees}
    return form | ({"combine": forest.combine} if fitted._kind == "trees" else {})


def _open(path: str | os.PathLike[str], make: Builder[T]) -> T:
    """Read a model file and build an object from it."""
    name = os.fsdecode(path)
    try:
        # No other reference holds the bytes, so their memory is free before Python values are made of them.
        return build_model(_core.open_model(_read(name)), make)
    except ModelFileError as error:
        raise _about(name, error) from None


def _columns(table: _core.Tree) -> dict[str, list[Any]]:
    columns = {name: getattr(table, name).tolist() for name in COLUMNS}
    columns["threshold"] = _replace_infinite(columns["threshold"])
    spares = table.spares()
    if spares is None:
        return columns
    more = {f"spare_{name}": column.tolist() for name, column in spares.items()}
    return columns | more | {"spare_threshold": _replace_infinite(more["spare_threshold"])}


def _replace_infinite(numbers: list[float]) -> list[float | None]:
    """Return the numbers, with None for infinite ones and NaN, which JSON does not have."""
    return [number if math.isfinite(number) else None for number in numbers]


def _check_fitted(model: Any) -> Model:
    from sklearn.utils.validation import check_is_fitted

    from treewright._estimator.model import Model

    if not isinstance(model, Model):
        raise TypeError(f"expected a fitted model of treewright, got {type(model).__name__}")
    check_is_fitted(model)
    return model


def _read(path: str) -> bytes:
    """Read a regular file; refuse pipes and devices, which could block or never end."""
    descriptor = os.open(path, os.O_RDONLY | _atomic.OPEN)
    kind = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(kind):
        os.close(descriptor)
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, "this is a directory, not a model file", path)
        raise OSError(errno.EINVAL, "this is a device or a pipe, not a model file", path)
    with os.fdopen(descriptor, "rb") as file:
        start = file.read(START_BYTES)
        if len(start) == START_BYTES:
            _refuse_foreign(start)
        file.seek(0)
        return file.read()  # in one piece: joining two would need twice the memory


def _refuse_foreign(start: bytes) -> None:
    """Refuse files that are no model by their first bytes, before a large file is read."""
    try:
        _core.Forest.from_bytes(start)
    except ModelFileError as error:
        if error.slug in ("model.not-a-model", "model.pickle"):
            raise


def _about(path: str, error: ModelFileError) -> ModelFileError:
    """Return the error with the file's name as its subject."""
    name = printable(path)
    subject, separator, rest = error.message.partition("this file ")
    message = f"{name} {rest}" if separator and not subject else f"{name}: {error.message}"
    return ModelFileError(message, slug=error.slug, hints=error.hints)
