"""Model metadata: estimator, parameters and schema as canonical JSON, and models rebuilt from a model file.

A file becomes the estimator again, or, much faster, a `Sketch`: it can be drawn but cannot predict.

Not here: the node table and the container of both, which belong to the core.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from treewright import _core
from treewright._catalog import LEARNERS, import_public, title_and_unit
from treewright._input.columns import scalar
from treewright._model.trees import Trees, used_features
from treewright._model.value_ranges import Ranges
from treewright._utils.random_state import GENERATORS
from treewright._utils.renamed import rename_keys
from treewright.errors import ModelFileError
from treewright.schema import Schema
from treewright.tree import Tree

if TYPE_CHECKING:
    from treewright._draw.rule_list import RuleList
    from treewright._estimator.model import Model

__all__ = [
    "Builder",
    "Sketch",
    "build_model",
    "canonical",
    "open_bytes",
    "param_from_json",
    "param_to_json",
    "rebuild",
    "serializable_params",
    "unfitted",
    "wrong",
]

T = TypeVar("T")
Contents = _core.Forest | _core.Cases
# What the core returns for a model file: contents, metadata, work and ranges of the training record.
Opened = tuple[Contents, str, "_core.Work | None", Ranges | None]
Builder = Callable[[Mapping[str, Any], Contents], T]


def canonical(metadata: Any) -> str:
    """Return metadata as the one JSON text that stands for it: keys sorted, no spaces, one form for each value.

    Examples
    --------
    >>> canonical({"b": 1.0, "a": "é"})
    '{"a":"é","b":1.0}'
    """
    text = json.dumps(
        metadata, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
        raise ModelFileError(
            "a name or a value of this model holds half a character (a lone surrogate), "
            "which no file can hold",
            slug="model.surrogate",
        )
    return text


def param_to_json(value: Any) -> Any:
    """Return a parameter as JSON can hold it: numpy's numbers and arrays as Python's, dictionaries as pairs.

    Examples
    --------
    >>> import numpy as np
    >>> param_to_json({0: np.float64(1.5)}), param_to_json(np.array([1, 2]))
    ({'pairs': [[0, 1.5]]}, [1, 2])
    """
    if isinstance(value, Mapping):
        pairs = [[param_to_json(key), param_to_json(item)] for key, item in value.items()]
        return {"pairs": pairs}
    if isinstance(value, np.ndarray):
        return param_to_json(value.tolist())
    if isinstance(value, (list, tuple)):
        return [param_to_json(item) for item in value]
    return scalar(value)


def param_from_json(value: Any) -> Any:
    """Return the parameter that :func:`param_to_json` wrote.

    Examples
    --------
    >>> param_from_json(param_to_json({0: 1.5}))
    {0: 1.5}
    """
    if isinstance(value, Mapping):
        if value.keys() != {"pairs"}:
            raise ValueError("a parameter is of no kind that a file holds")
        return {key: param_from_json(item) for key, item in value["pairs"]}
    return [param_from_json(item) for item in value] if isinstance(value, list) else value


def serializable_params(params: dict[str, Any]) -> dict[str, Any]:
    """Return parameters with functions and random generators replaced by values that a model file can store.

    Examples
    --------
    >>> serializable_params({"verbose": print, "random_state": np.random.default_rng(1), "n_jobs": 2})
    {'verbose': 0, 'random_state': None, 'n_jobs': 2}
    """
    replaced: dict[str, Any] = {}
    if callable(params.get("verbose")):
        replaced["verbose"] = 0
    if isinstance(params.get("random_state"), GENERATORS):
        replaced["random_state"] = None
    if callable(params.get("oob_score")):
        replaced["oob_score"] = True
    return params | replaced


def open_bytes(data: bytes) -> tuple[dict[str, Any], Contents]:
    """Return the metadata and the contents of a model file from its bytes."""
    return _read_metadata(_core.open_model(data))


def _read_metadata(opened: Opened) -> tuple[dict[str, Any], Contents]:
    """Return the metadata and the contents that the core found in a model file.

    The work and the ranges are not Python lists: the work of a node is read when it is needed, since it may be long.
    """
    contents, text, work, ranges = opened
    long_parts: dict[str, Any] = {"work": work, "ranges": ranges}
    metadata: dict[str, Any] = json.loads(text)
    if metadata.keys() & long_parts.keys():
        raise ValueError("its work or its ranges are none")
    metadata |= {name: part for name, part in long_parts.items() if part is not None}
    return metadata, contents


def build_model(opened: Opened, build: Builder[T]) -> T:
    """Build a model or a sketch from what the core found in a model file.

    The caller should have dropped the bytes of the file: the values need memory.
    """
    try:
        return build(*_read_metadata(opened))
    except ModelFileError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # The checksum and the node table are valid: somebody wrote metadata that no model has.
        raise wrong(str(error)) from error


def wrong(what: str) -> ModelFileError:
    """Return the error for metadata that no model has; the message may quote the file."""
    return ModelFileError(
        f"the description of the model is wrong: {what[:200]!a}", slug="model.document"
    )


class Sketch:
    """A model file without its estimator: the trees and their title, for views. It cannot predict.

    Neither the learner nor scikit-learn is loaded.
    """

    def __init__(self, metadata: Mapping[str, Any], forest: Contents) -> None:
        metadata, _ = model_inside(metadata)
        name = _estimator_name(metadata)
        if not isinstance(forest, _core.Forest):
            raise ModelFileError(
                f"this file holds a {name}, which has no tree to draw", slug="model.no-tree"
            )
        self._kind = LEARNERS[name].kind
        self._forest = forest
        self.schema_ = Schema.from_dict(metadata["schema"])
        self._title, self._impurity = title_and_unit(name, metadata["params"])
        self._saved_ranges: Ranges | None = metadata.get("ranges")
        # Needed for the expected errors of rules.
        self._confidence = float(metadata["params"]["confidence"]) if self._kind == "rules" else 0.0

    def _used_columns(self) -> tuple[str, ...]:
        return tuple(self.schema_.names[feature] for feature in used_features(self._forest))

    @property
    def tree_(self) -> Tree:
        """The tree, as read-only columns with names."""
        return self.trees_[0]

    def _ranges(self) -> Ranges | None:
        """Return the smallest and the largest number in each node, if the file holds them."""
        return self._saved_ranges

    @property
    def trees_(self) -> Trees:
        """The trees of the model."""
        return Trees(self._forest, self.schema_)

    @property
    def rules_(self) -> RuleList | None:
        """The rules of a rule set; None for other models."""
        from treewright._draw.rule_list import rules_of_forest

        if self._kind != "rules":
            return None
        return rules_of_forest(self._forest, self.schema_, self._title, self._confidence)


def _estimator_name(metadata: Mapping[str, Any]) -> str:
    """Return the class name of the estimator, checked against the task of the schema."""
    name = metadata.get("estimator")
    if name not in LEARNERS:
        raise ModelFileError(
            f"the model was made by {name!r}, which this version does not have",
            slug="model.unknown-estimator",
        )
    if (LEARNERS[name].task == "classify") != bool(metadata["schema"].get("classes")):
        raise ValueError("its answers are not those of its estimator")
    return str(name)


def unfitted(metadata: Mapping[str, Any]) -> Model:
    """Return the unfitted learner that a model file describes by its name and parameters."""
    name = metadata.get("estimator")
    if name not in LEARNERS:
        raise ModelFileError(
            f"the model begins with {name!r}, which this version does not have",
            slug="model.unknown-estimator",
        )
    estimator = import_public(name)
    model: Model = estimator(**_read_params(metadata, estimator))
    return model


def model_inside(metadata: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any] | None]:
    """Return the metadata of the model itself, and what is around it if it is in a Pipeline or a search."""
    around = metadata.get("around")
    if around is None:
        return metadata, None
    inside = {name: value for name, value in metadata.items() if name != "around"}
    return inside | {"estimator": around["estimator"]}, around


def rebuild(metadata: Mapping[str, Any], contents: Contents) -> Any:
    """Return the fitted estimator that a model file describes, or the Pipeline or search that holds it.

    Only estimators of this package and listed classes of scikit-learn are imported.
    """
    metadata, around = model_inside(metadata)
    model = _rebuild_model(metadata, contents)
    if around is None:
        return model
    from treewright._estimator.pipeline_file import read_around

    return read_around(around, model)


def _rebuild_model(metadata: Mapping[str, Any], contents: Contents) -> Model:
    estimator = import_public(_estimator_name(metadata))
    if not isinstance(contents, estimator._contents_type):
        raise ValueError("its contents are not those of its estimator")
    params = _read_params(metadata, estimator)
    unknown = sorted(set(params) - set(estimator._get_param_names()))
    if unknown:  # without it the model would be a different one
        raise ModelFileError(
            f"the model has the parameter {unknown[0]!a}, which {estimator.__name__} of this version does not have",
            slug="model.unknown-parameter",
            hints=["a newer version wrote it: update treewright"],
        )
    model: Model = estimator(**params)
    model._restore(metadata, contents)
    model._check_restored()
    return model


def _read_params(metadata: Mapping[str, Any], estimator: Any) -> dict[str, Any]:
    params = {name: param_from_json(value) for name, value in metadata["params"].items()}
    return rename_keys(params, estimator._renamed_params)
