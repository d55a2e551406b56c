"""Nearly unique text no longer ruins trees: rare categories count as one, in training, prediction and exports."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.helpers.messy_table import messy_frame

import treewright
from treewright import (
    CARTClassifier,
    ColumnWarning,
    RandomForestClassifier,
    export,
    inspect,
    load,
    save,
)
from treewright._input.rare_levels import OTHER, is_free_text, is_nearly_unique
from treewright.table import Series


def cities(rows: int = 250) -> tuple[pd.DataFrame, Any]:
    """Two large cities that matter, and many small ones."""
    random = np.random.default_rng(0)
    large = np.arange(rows) % 5
    names = [f"{'ABxxx'[k]}{'' if k < 2 else i}" for i, k in enumerate(large)]
    y = np.where((large == 0) & (random.random(rows) < 0.95), "yes", "no")
    return pd.DataFrame({"city": names, "n": random.normal(size=rows)}), y


def test_what_is_nearly_unique() -> None:
    assert is_nearly_unique(Series.of("a", [f"v{i}" for i in range(40)]))
    assert is_nearly_unique(Series.of("a", [f"v{i // 2}" for i in range(400)]))
    assert not is_nearly_unique(Series.of("a", [f"v{i % 40}" for i in range(400)]))
    assert not is_nearly_unique(Series.of("a", list("abcdefghi")))  # a table of a textbook
    assert not is_nearly_unique(
        Series.of("a", list(map(str, range(40))), levels=list(map(str, range(40))))
    )
    assert not is_nearly_unique(Series.of("a", np.arange(40.0)))
    assert not is_free_text(Series.of("a", [f"v{i}" for i in range(40)]))


def test_rare_categories_count_as_one() -> None:
    X, y = cities()
    with pytest.warns(
        ColumnWarning, match='"city" has 152 different texts in 250 rows; those with fewer than 10'
    ):
        model = CARTClassifier(max_depth=2).fit(X, y)
    assert model.schema_.columns[0].levels == ("A", "B", OTHER)
    assert f"in {{B, {OTHER}}} → no" in treewright.show(model).text()
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a value that was never seen is another value, too
        assert model.predict({"city": ["A", "Rome", None], "n": [0.0] * 3}).tolist()[:2] == [
            "yes",
            "no",
        ]
    assert model.count_unseen({"city": ["Rome"], "n": [0.0]}) == {}


def test_a_column_without_any_common_value_is_ignored() -> None:
    X = {"id": [f"c{i}" for i in range(60)], "n": list(range(60))}
    y = ["a" if i < 30 else "b" for i in range(60)]
    for model in (CARTClassifier(), RandomForestClassifier(5, random_state=0)):
        with pytest.warns(ColumnWarning, match='"id" has 60 different texts.*ignored'):
            model.fit(X, y)
        assert model.feature_importances_.tolist() == [0.0, 1.0]


def test_files_and_exports_know_other_values(tmp_path: Any) -> None:
    X, y = cities()
    with pytest.warns(ColumnWarning):
        model = CARTClassifier(max_depth=3).fit(X, y)
    rows = [{"city": c, "n": n} for c in ("A", "B", "x2", "Rome", None) for n in (-1.0, 1.0)]
    wanted = model.predict(rows).tolist()
    save(model, tmp_path / "m.tree")
    assert load(tmp_path / "m.tree").predict(rows).tolist() == wanted
    program: dict[str, Any] = {}
    exec(export(model, "python"), program)
    assert [program["predict"](row) for row in rows] == wanted
    import duckdb

    frame = pd.DataFrame(rows).assign(i=range(len(rows)))
    with duckdb.connect() as connection:
        connection.register("data", frame.astype({"city": object}).where(frame.notna(), None))
        found = connection.execute(export(model, "sql")).df().sort_values("i")
    assert found.prediction.tolist() == wanted
    pd.DataFrame(rows).to_csv(tmp_path / "rows.csv", index=False)
    assert (
        model.predict(treewright.read_csv(tmp_path / "rows.csv", categorical=["city"])).tolist()
        == wanted
    )


def test_free_text_is_ignored_with_what_to_do() -> None:
    text = [f"the parcel with number {i} came very late" for i in range(30)]
    X = pd.DataFrame({"text": text, "n": range(30)})
    y = ["a", "b", "b"] * 10
    for learner in (CARTClassifier(), treewright.C45Classifier(), treewright.ID3Classifier()):
        with pytest.warns(ColumnWarning, match='"text" holds sentences .*TfidfVectorizer'):
            learner.fit(X, y)
        assert "text" not in learner._used_columns()
    found = inspect(pd.concat([X, X.head(1)]))
    assert next(r for r in found.reports if r.name == "text").read_as == "text"
    assert "text" in found.ignored


@pytest.mark.slow
@pytest.mark.parametrize(
    "learner",
    [CARTClassifier(), RandomForestClassifier(50, random_state=0)],
    ids=["cart", "forest"],
)
def test_raw_columns_cost_at_most_a_hundredth(learner: Any) -> None:
    """With id, price, zip, rate and comment as text, accuracy is that without them."""
    from sklearn.model_selection import cross_val_score

    clean, raw = [], []
    for seed in range(3):
        frame = messy_frame(seed=seed)
        y = frame.pop("churn")
        X = frame.drop(columns=["signup"]).astype({"plan": object})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            raw.append(cross_val_score(learner, X, y, cv=5).mean())
            few = X[["age", "income", "size", "plan"]]
            clean.append(cross_val_score(learner, few, y, cv=5).mean())
    assert np.mean(raw) >= np.mean(clean) - 0.01
