"""Model files that no fit wrote: documents and node tables changed at random, sealed again; and a use of everything.

A file is refused by ``ModelFileError``, or the model in it can be used: whatever a use raises then is an error of
treewright, with a sentence, and never one of Python's.
"""

from __future__ import annotations

import copy
import json
import pickle
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.base import clone

import treewright
from treewright import _core, export, show, to_rules, work
from treewright._export import FORMATS
from treewright._model.table_builder import levels_of
from treewright._show.tree_view import STYLES
from treewright.errors import TreewrightError
from treewright.files import from_bytes, to_bytes, to_json

__all__ = ["MODELS", "changed_document", "changed_table", "failures", "loaded"]

RNG = np.random.default_rng(0)
TABLE = {
    "size": ["S", "M", "L", None, "S", "M"] * 4,
    "n": [1.0, 2.0, None, 4.0, 5.5, 6.0] * 4,
    "m": (np.arange(24) % 7).astype(float).tolist(),
}
CLASSES = ["no", "yes", "no", "yes", "maybe", "no"] * 4
NUMBERS = [0.5, 1.0, 2.0, 4.0, 3.0, 1.5] * 4
FULL = {"size": TABLE["size"], "m": TABLE["m"]}
TREE = treewright.CARTClassifier(max_depth=2)

MODELS: dict[str, Any] = {
    "AdaBoostClassifier": treewright.AdaBoostClassifier(TREE, n_estimators=3),
    "AdaBoostRegressor": treewright.AdaBoostRegressor(n_estimators=3),
    "BaggingClassifier": treewright.BaggingClassifier(TREE, n_estimators=3),
    "BaggingRegressor": treewright.BaggingRegressor(n_estimators=3),
    "C45Classifier": treewright.C45Classifier(),
    "C45 by groups": treewright.C45Classifier(categorical="groups", prune=None),
    "CARTClassifier": treewright.CARTClassifier(class_weight={"no": 2.0}),
    "CART with surrogates": treewright.CARTClassifier(missing="surrogate", max_depth=3),
    "CARTRegressor": treewright.CARTRegressor(max_depth=3),
    "ExtraTreesClassifier": treewright.ExtraTreesClassifier(3),
    "ExtraTreesRegressor": treewright.ExtraTreesRegressor(3),
    "GradientBoostingClassifier": treewright.GradientBoostingClassifier(n_estimators=3),
    "GradientBoostingRegressor": treewright.GradientBoostingRegressor(n_estimators=3),
    "ID3Classifier": treewright.ID3Classifier(),
    "KNeighborsClassifier": treewright.KNeighborsClassifier("auto"),
    "KNeighborsRegressor": treewright.KNeighborsRegressor(3),
    "OneRClassifier": treewright.OneRClassifier(),
    "RandomForestClassifier": treewright.RandomForestClassifier(3),
    "RandomForestRegressor": treewright.RandomForestRegressor(3),
    "RuleSetClassifier": treewright.RuleSetClassifier(),
    "ZeroRClassifier": treewright.ZeroRClassifier(),
    "ZeroRRegressor": treewright.ZeroRRegressor(),
}
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 7, 2**31, 2**63, 10**30, 10**4000, -(10**400),
    0.0, -0.0, 0.5, -1.5, 1e-300, 5e-324, 1e308, -1e308, 1e16,
    "", "x", "S", "auto", "gini", "entropy", "balanced", "\x1b[31m", "\n", "é😀", "inf", "nan", "\ud7ff",
    [], [0], [1.5, None], ["x"], [[]], {}, {"pairs": []}, {"pairs": [["no", 1.0]]}, {"x": 0},
)  # fmt: skip
EXTREME = (0.0, 5e-324, 1e-300, 1e-9, 0.5, 1.0, 1e16, 1e100, 1e300, 1.7e308)


def fit_all() -> dict[str, Any]:
    """Return every kind of model, fitted."""
    fitted = {}
    for name, model in MODELS.items():
        table = FULL if name == "ID3Classifier" else TABLE
        answers = CLASSES if hasattr(model, "predict_proba") else NUMBERS
        fitted[name] = clone(model).fit(table, answers)
    return fitted


def changed_document(model: Any, rng: np.random.Generator, changes: int) -> bytes | None:
    """Return the file of a model whose document is changed in some places; None where the core refuses to write it."""
    document = json.loads(model._document())
    for _ in range(changes):
        _change(document, rng)
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    try:
        data: bytes = model._forest.to_bytes(text)
    except TreewrightError:
        return None
    return data


def _change(document: Any, rng: np.random.Generator) -> None:
    """Change one place: another value, one that stands elsewhere, or none."""
    places = list(_places(document))
    # Long lists of figures would take all changes.
    where, key = places[int(rng.integers(len(places)))]
    if rng.random() < 0.5:
        part = document.get(["params", "schema", "kept"][int(rng.integers(3))])
        inside = list(_places(part)) if part else []
        where, key = inside[int(rng.integers(len(inside)))] if inside else (where, key)
    action = rng.random()
    if action < 0.1:
        del where[key]
    elif action < 0.2:
        other, at = places[int(rng.integers(len(places)))]
        where[key] = copy.deepcopy(other[at])
    elif action < 0.3 and isinstance(where, list):
        where.insert(int(rng.integers(len(where) + 1)), copy.deepcopy(where[key]))
    else:
        where[key] = copy.deepcopy(ODD[int(rng.integers(len(ODD)))])


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Give every container with each of its keys, down to the last."""
    if isinstance(value, (dict, list)):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])


def changed_table(model: Any, rng: np.random.Generator, changes: int) -> bytes | None:
    """Return the file of a model whose node table has other figures; None where the core refuses it."""
    forest = model._forest
    if not isinstance(forest, _core.Forest):
        return None
    trees = []
    for index in range(forest.n_trees):
        tree = forest.tree(index)
        names = ("first_child", "n_children", "feature", "threshold", "route_start", "missing")
        names += ("value", "weight", "count", "cost", "gain", "route")
        trees.append({name: np.array(getattr(tree, name)) for name in names})
    outputs = trees[0]["value"].shape[1]
    for _ in range(changes):
        column = trees[int(rng.integers(len(trees)))]
        name = ("value", "weight", "cost", "gain", "threshold", "count")[int(rng.integers(6))]
        cells = column[name].reshape(-1)
        at = int(rng.integers(len(cells)))
        sign = -1.0 if rng.random() < 0.2 and name != "weight" else 1.0
        odd = sign * EXTREME[int(rng.integers(len(EXTREME)))]
        cells[at] = min(abs(odd), 2**32 - 1) if name == "count" else odd
    for column in trees:
        column["value"] = np.ascontiguousarray(column["value"].reshape(-1))
    try:
        combine = forest.combine if forest.n_trees > 1 else None
        made = _core.Forest.from_tables(levels_of(model.schema_), outputs, trees, combine)
        data: bytes = made.to_bytes(model._document())
    except TreewrightError:
        return None
    return data


def loaded(data: bytes) -> Any:
    """Return the model in a file; None where it is refused."""
    try:
        return from_bytes(data)
    except treewright.ModelFileError:
        return None


def failures(model: Any) -> list[str]:
    """Use a model in every way, and return what raised something else than an error of treewright."""
    wrong = []
    for name, use in _uses(model):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                use()
        except TreewrightError:
            pass
        except ValueError as error:
            # fit words some refusals as scikit-learn does.
            if name != "fit":
                wrong.append(f"{name}: ValueError {str(error)[:120]!a}")
        except Exception as error:
            wrong.append(f"{name}: {type(error).__name__} {str(error)[:120]!a}")
    return wrong


def _uses(model: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    names = model.schema_.names
    has_tree = not model.__class__.__name__.startswith("KNeighbors")
    known = {c.name: [c.levels[0] if c.levels else 1.0, None] for c in model.schema_.columns}
    for method in ("predict", "predict_proba", "decision_function", "apply", "count_unseen"):
        if hasattr(model, method) and (has_tree or method != "apply"):
            yield method, lambda method=method: getattr(model, method)(known)
    for method in ("staged_predict", "staged_predict_proba", "staged_decision_function"):
        if hasattr(model, method):
            yield method, lambda method=method: list(getattr(model, method)(known))
    row = {name: values[0] for name, values in known.items()}
    yield "predict_one", lambda: model.predict_one(row)
    yield "repr", lambda: (repr(model), str(model.schema_), model._repr_html_())
    for style in STYLES:
        yield f"show {style}", lambda style=style: _drawn(show(model, style))
    if has_tree:
        yield "to_rules", lambda: str(to_rules(model))
        yield "explain", lambda: str(treewright.explain(model, row)) if len(names) else None
    for what in ("split", "prune", "distribution"):
        for node in (0, 1):
            yield f"work {what}", lambda what=what, node=node: _worked(model, node, what, known)
    for form in FORMATS:
        yield f"export {form}", lambda form=form: export(model, form)
    yield "to_json", lambda: json.dumps(to_json(model), allow_nan=False)
    yield "to_bytes", lambda: _same(to_bytes(from_bytes(to_bytes(model))), to_bytes(model))
    yield "pickle", lambda: pickle.loads(pickle.dumps(model)).predict(known)
    yield "params", lambda: (model.get_params(), clone(model))
    yield "fit", lambda: _fitted(model)


def _same(one: bytes, other: bytes) -> None:
    assert one == other, "a model has two byte strings"


def _drawn(view: Any) -> None:
    str(view)
    for form in ("_repr_html_", "_repr_svg_"):
        if hasattr(view, form):
            getattr(view, form)()


def _worked(model: Any, node: int, what: str, rows: Any) -> None:
    kind = model._work_unit
    first = {name: values[:1] for name, values in rows.items()}
    sheet = work(model, node, what=what) if kind == "node" else work(model, first, what=what)
    for form in ("text", "markdown", "latex", "html"):
        write = getattr(sheet, f"to_{form}", None)
        if write is not None:
            write()
    str(sheet)


def _fitted(model: Any) -> None:
    again = clone(model)
    if "n_estimators" in again.get_params():
        again.set_params(n_estimators=2)
    again.fit(TABLE, CLASSES if hasattr(model, "predict_proba") else NUMBERS)
