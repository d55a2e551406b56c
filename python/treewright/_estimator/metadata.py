"""What a model says besides its numbers: estimator, parameters, schema, as canonical JSON; and the way back.

The way back leads to the estimator, or in a fraction of the time to a sketch, which can be drawn and not asked.

Not here: the node table and the container that holds both, which are the core's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from treewright import _core
from treewright._catalog import ESTIMATORS, described, import_public
from treewright._input.columns import scalar
from treewright._model.trees import Trees, used_features
from treewright._model.value_ranges import Ranges
from treewright.errors import ModelFileError
from treewright.schema import Schema
from treewright.tree import Tree

if TYPE_CHECKING:
    from treewright._draw.rule_list import RuleList
    from treewright._estimator.model import Model

__all__ = [
    "Maker",
    "Sketch",
    "canonical",
    "lively",
    "made",
    "opened",
    "plain",
    "rebuild",
    "unfitted",
    "wrong",
]

T = TypeVar("T")
Contents = _core.Forest | _core.Cases
Opened = tuple[Contents, str, "_core.Work | None", Ranges | None]  # what the core finds in a file
Maker = Callable[[Mapping[str, Any], Contents], T]


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
        if value.keys() != {"pairs"}:
            raise ValueError("a parameter is of no kind that a file holds")
        return {key: lively(item) for key, item in value["pairs"]}
    return [lively(item) for item in value] if isinstance(value, list) else value


def opened(data: bytes) -> tuple[dict[str, Any], Contents]:
    """Return the document and the contents in the bytes of a model file.

    The document is in its one form, as the core found. Its work and its ranges are not Python's lists: the work of a
    node is read when it is needed, since it may be long.
    """
    return described_by(_core.open_model(data))


def described_by(found: Opened) -> tuple[dict[str, Any], Contents]:
    """Return the document and the contents that the core found in a model file."""
    contents, text, work, ranges = found
    long_parts: dict[str, Any] = {"work": work, "ranges": ranges}
    document: dict[str, Any] = json.loads(text)
    if document.keys() & long_parts.keys():
        raise ValueError("its work or its ranges are none")
    document |= {name: part for name, part in long_parts.items() if part is not None}
    return document, contents


def made(found: Opened, make: Maker[T]) -> T:
    """Make something of what the core found in a model file. Its bytes should be gone by now: values need memory."""
    try:
        return make(*described_by(found))
    except ModelFileError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # The checksum was right and the table sound: somebody wrote a document that no model has.
        raise wrong(str(error)) from error


def wrong(what: str) -> ModelFileError:
    """Return the error for a document that no model has; what is wrong may quote the file."""
    return ModelFileError(
        f"the description of the model is wrong: {what[:200]!a}", slug="model.document"
    )


class Sketch:
    """A model file without its estimator: the tree and what it is called, as views take it.

    No learner is loaded, nor scikit-learn.
    """

    def __init__(self, document: Mapping[str, Any], forest: Contents) -> None:
        name = _learner(document)
        if not isinstance(forest, _core.Forest):
            raise ModelFileError(
                f"this file holds a {name}, which has no tree to draw", slug="model.no-tree"
            )
        self._forest = forest
        self.schema_ = Schema.from_dict(document["schema"])
        self._title, self._impurity = described(name, document["params"])
        self._said_ranges = document.get("ranges")
        # Only a list of rules needs it, to say what is expected of each.
        is_list = name == "RuleSetClassifier"
        self._confidence = float(document["params"]["confidence"]) if is_list else None

    def _used_columns(self) -> tuple[str, ...]:
        """Return the names of the columns that can change a prediction."""
        return tuple(self.schema_.names[feature] for feature in used_features(self._forest))

    @property
    def tree_(self) -> Tree:
        """The tree, as read-only columns with names."""
        return self.trees_[0]

    def _ranges(self) -> Ranges | None:
        """Return the least and the greatest number in each node, where they are kept."""
        ranges: Ranges | None = self._said_ranges
        return ranges

    @property
    def trees_(self) -> Trees:
        """The trees of a model of many."""
        return Trees(self._forest, self.schema_)

    @property
    def rules_(self) -> RuleList | None:
        """The rules, where the model is a list of them."""
        from treewright._draw.rule_list import listed

        if self._confidence is None:
            return None
        return listed(self._forest, self.schema_, self._title, self._confidence)


def _learner(document: Mapping[str, Any]) -> str:
    """Return the class of the estimator: one of this package, and for such answers."""
    name = document.get("estimator")
    if name not in ESTIMATORS:
        raise ModelFileError(
            f"the model was made by {name!r}, which this version does not have",
            slug="model.unknown-estimator",
        )
    if name.endswith("Classifier") != bool(document["schema"].get("classes")):
        raise ValueError("its answers are not those of its estimator")
    return str(name)


def unfitted(described: Mapping[str, Any]) -> Model:
    """Return the learner that a model file describes by its name and parameters, not fitted."""
    name = described.get("estimator")
    if name not in ESTIMATORS:
        raise ModelFileError(
            f"the model begins with {name!r}, which this version does not have",
            slug="model.unknown-estimator",
        )
    kind = import_public(name)
    model: Model = kind(**{name: lively(value) for name, value in described["params"].items()})
    return model


def rebuild(document: Mapping[str, Any], contents: Contents) -> Model:
    """Return the fitted estimator that a model file describes; nothing is imported or run on the file's word."""
    kind = import_public(_learner(document))
    if not isinstance(contents, kind._holds):
        raise ValueError("its contents are not those of its estimator")
    known = kind._get_param_names()
    params = {name: lively(value) for name, value in document["params"].items()}
    strange = sorted(set(params) - set(known))
    if strange:  # what it means is not known here, and a model without it would be another one
        raise ModelFileError(
            f"the model has the parameter {strange[0]!a}, which {kind.__name__} of this version does not have",
            slug="model.unknown-parameter",
            hints=["a newer version wrote it: update treewright"],
        )
    model: Model = kind(**params)
    model._restore(document, contents)
    model._check_restored()
    return model
