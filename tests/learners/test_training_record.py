"""What a small model keeps of its training: figures without rows, the same in any order, checked when they are read."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    datasets,
    load,
    prune,
    save,
    show,
    work,
)
from treewright._learners.trees import training_record
from treewright._learners.trees.training_record import Rows, digest_of
from treewright.errors import ModelFileError, UsageError
from treewright.files import from_bytes, to_bytes

X, Y = datasets.play_tennis()
GOLF, PLAY = datasets.golf()
MODELS = [
    (ID3Classifier(), X, Y),
    (C45Classifier(), GOLF, PLAY),
    (C45Classifier(prune=None, categorical="groups"), GOLF, PLAY),
    (C45Classifier(prune="reduced_error"), GOLF, PLAY),
    (CARTClassifier(), GOLF, PLAY),
    (CARTClassifier(prune="reduced_error", folds=4), GOLF, PLAY),
    (CARTClassifier(variant="rpart", min_samples_split=2, class_weight="balanced"), GOLF, PLAY),
    (CARTRegressor(), GOLF, np.arange(14.0) ** 2),
    (CARTRegressor(missing="surrogate"), np.arange(28.0).reshape(14, 2), np.arange(14.0) % 5),
]


def without_terms(work_dict: Any) -> Any:
    """Return figures without the numbers that a variance is the sum of, which are cells of the table."""
    if isinstance(work_dict, list):
        return [without_terms(part) for part in work_dict]
    if not isinstance(work_dict, dict):
        return work_dict
    numbers = "mean" in work_dict
    return {k: without_terms(v) for k, v in work_dict.items() if not (numbers and k == "terms")}


def with_gaps() -> dict[str, list[Any]]:
    table = {name: list(column) for name, column in GOLF.to_dict().items()}
    table["outlook"][3] = table["humidity"][5] = None
    return table


@pytest.mark.parametrize(("model", "table", "y"), MODELS)
def test_what_is_kept_is_what_the_rows_say(model: Any, table: Any, y: Any) -> None:
    model.fit(table, y)
    loaded = from_bytes(to_bytes(model))
    for node in range(model.tree_.n_nodes):
        assert work(model, node, table, y).to_dict() == work(model, node).to_dict()
        work_dict = work(model, node, table, y, cuts=5).to_dict()
        assert without_terms(work_dict) == without_terms(work(loaded, node).to_dict())
        assert not any("not the rows" in note for note in work_dict["notes"])


def test_missing_values_too() -> None:
    table = with_gaps()
    for model in (C45Classifier(), CARTClassifier(), CARTClassifier(missing="branch")):
        model.fit(table, PLAY)
        loaded = from_bytes(to_bytes(model))
        for node in range(model.tree_.n_nodes):
            work_dict = work(model, node, table, PLAY, cuts=5).to_dict()
            assert work(loaded, node).to_dict() == work_dict


def test_a_pickle_and_a_copy_keep_it() -> None:
    model = ID3Classifier().fit(X, Y)
    again = pickle.loads(pickle.dumps(model))
    assert str(work(again, 1)) == str(work(model, 1))
    assert to_bytes(again) == to_bytes(model)


def test_no_cell_of_the_table_is_in_the_file() -> None:
    rng = np.random.default_rng(0)
    table, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    model = CARTClassifier(max_depth=2).fit(table, y)
    document = json.loads(model._document())
    figures = [column["cuts"] for node in document["work"] for column in node["columns"]]
    assert sum(map(len, figures)) <= 5 * 2 * 7  # the best cuts of a node, not all of its values
    assert len(document["digest"]) == 32


def test_writing_to_the_array_afterwards_changes_nothing() -> None:
    table, y = np.arange(24.0).reshape(12, 2) % 7, np.arange(12.0) % 3
    model, other = CARTRegressor().fit(table, y), CARTRegressor().fit(table.copy(), y.copy())
    table[:] = 0.0
    y[:] = 0.0
    assert to_bytes(model) == to_bytes(other)


@pytest.mark.parametrize("keep", [False, "auto", True])
def test_large_models_keep_nothing_unless_told(keep: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_record, "MAX_BYTES", 1000)
    model = ID3Classifier(keep_work=keep).fit(X, Y)
    document = json.loads(model._document())
    assert ("work" in document, "digest" in document) == (keep is True, keep is not False)
    loaded = from_bytes(to_bytes(model))
    if keep is not True:
        with pytest.raises(UsageError, match="training table is needed"):
            work(loaded, 0)
    assert work(loaded, 0, X, Y).to_dict()["chosen"] == "Outlook"
    monkeypatch.setattr(training_record, "MAX_CELLS", 10)
    assert (ID3Classifier(keep_work=keep).fit(X, Y)._record is not None) == (keep is True)
    with pytest.raises(UsageError, match="keep_work must be"):
        ID3Classifier(keep_work="always").fit(X, Y)


def test_a_pruned_model_keeps_what_its_nodes_have() -> None:
    full = from_bytes(to_bytes(C45Classifier(prune=None).fit(GOLF, PLAY)))
    small = prune(full, "snip", nodes=[1])
    gains = [[c["gain"] for c in work(m, 1).to_dict()["candidates"]] for m in (small, full)]
    assert gains[0] == gains[1] != []
    assert work(small, 1).to_dict()["chosen"] is None
    assert to_bytes(from_bytes(to_bytes(small))) == to_bytes(small)
    here = prune(C45Classifier(prune=None).fit(GOLF, PLAY), "snip", nodes=[1])
    assert to_bytes(here) == to_bytes(small)


def test_a_raised_branch_is_worked_out_again() -> None:
    rng = np.random.default_rng(31)
    table = {name: rng.choice(list("abc"), 90).tolist() for name in "pqrs"}
    y = [q if rng.random() < 0.5 else p for p, q in zip(table["p"], table["q"], strict=True)]
    model = C45Classifier(prune=None).fit(table, y)
    raised = prune(model, "pessimistic", table, y)
    assert any(row["decision"] == "raise" for row in raised.pruning_)
    for node in range(raised.tree_.n_nodes):
        assert work(raised, node).to_dict() == work(raised, node, table, y).to_dict()
    lost = prune(from_bytes(to_bytes(model)), "pessimistic", table, y)
    with pytest.raises(UsageError, match="training table is needed"):
        work(lost, 0)


def test_the_digest_is_that_of_a_set_of_rows() -> None:
    columns = [np.array([0.0, 1.0, np.nan]), np.array([2, 0, 1], dtype=np.uint32)]
    target = np.array([0, 1, 0], dtype=np.uint32)
    one = digest_of(Rows(columns, target, None))
    order = [2, 0, 1]
    assert digest_of(Rows([c[order] for c in columns], target[order], None)) == one
    assert digest_of(Rows([-columns[0] * -1, columns[1]], target, np.ones(3))) == one
    others = [
        Rows(columns, np.array([0, 0, 0], dtype=np.uint32), None),
        Rows(columns[::-1], target, None),
        Rows([columns[0], columns[1][order]], target, None),
        Rows(columns, target, np.array([1.0, 1.0, 2.0])),
        Rows([c[:2] for c in columns], target[:2], None),
    ]
    assert len({one, *map(digest_of, others)}) == 6
    silent = Rows([np.append(c, c[:1]) for c in columns], np.append(target, target[:1]), None)
    weights = np.array([1.0, 1.0, 1.0, 0.0])
    assert digest_of(Rows(silent.columns, silent.target, weights)) == one


BROKEN = [
    ("work", []),
    ("work", [{}] * 8),
    ("work", [None] * 8),
    ("work", [{"node": [1], "chosen": None, "columns": []}] * 8),
    ("work", [{"node": ["x", 1, 1, 1], "chosen": None, "columns": []}] * 8),
    ("work", [{"node": [1, 1, 1, 1, 1], "chosen": 9, "columns": []}] * 8),
    ("work", [{"node": [1, 1, 1, 1, 1], "chosen": 0, "columns": [{"feature": 7}]}] * 8),
    ("work", [{"node": [1, 1, 1, 1, 1], "chosen": 0, "columns": [{"charm": 7}]}] * 8),
    ("digest", "short"),
]


@pytest.mark.parametrize(("part", "value"), BROKEN)
def test_a_file_may_say_anything(part: str, value: Any) -> None:
    model = ID3Classifier().fit(X, Y)
    document = json.loads(model._document()) | {part: value}
    data = model._forest.to_bytes(
        json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    )
    with pytest.raises(ModelFileError, match="is wrong"):
        work(from_bytes(data), 0)


def test_ranges_of_numbers_are_those_of_the_rows(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    rows = rng.integers(0, 6, (90, 3)).astype(float)
    y = rng.normal(size=90).round(2) - 4 * (rows[:, 0] > 2)
    model = CARTRegressor(max_depth=3).fit(rows, y)
    kept = model._ranges()
    assert kept is not None
    for node in range(model.tree_.n_nodes):
        here = [node in model.tree_.path(row) for row in rows]
        assert kept[node].tolist() == [y[here].min(), y[here].max()]
    save(model, tmp_path / "m.tree")
    again = load(tmp_path / "m.tree")
    np.testing.assert_array_equal(again._ranges(), kept)
    assert show(again, width=100).text() == show(model, width=100).text()
    assert "[min–max]" in show(model, width=100).text()
    cut = prune(again, "snip", nodes=[1])
    np.testing.assert_array_equal(cut._ranges()[:2], kept[:2])
    bare = CARTRegressor(max_depth=3, keep_work=False).fit(rows, y)
    assert bare._ranges() is None
    assert "[min" not in show(bare, width=100).text()


@pytest.mark.parametrize("ranges", [[[1.0, 2.0]], [[1.0]], [["a", 2.0]], 5])
def test_ranges_that_no_model_has_are_refused(ranges: Any) -> None:
    model = CARTRegressor().fit({"x": [1, 2]}, [1.0, 2.0])
    document = json.loads(model._document())
    document["ranges"] = ranges
    with pytest.raises(ModelFileError):
        from_bytes(model._forest.to_bytes(json.dumps(document, sort_keys=True)))


def test_the_work_of_very_many_branches_is_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each node has a candidate for every column, and a column of identifiers has a branch for each."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 300, (400, 12)).astype(str)
    model = ID3Classifier().fit(X, rng.integers(0, 2, 400))
    # Computing it took a minute and gigabytes, to find that it is too long for a file.
    monkeypatch.delattr(training_record, "study_nodes")
    assert from_bytes(to_bytes(model)).tree_.n_nodes > 400
