"""Pipelines and searches of scikit-learn in model files: the same predictions in another process, and no code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from sklearn.compose import ColumnTransformer, make_column_selector, make_column_transformer
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.feature_selection import SelectKBest, SelectPercentile, VarianceThreshold, chi2
from sklearn.impute import MissingIndicator, SimpleImputer
from sklearn.model_selection import GridSearchCV, KFold, RandomizedSearchCV, StratifiedKFold
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    KBinsDiscretizer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    SplineTransformer,
    StandardScaler,
)
from sklearn.tree import DecisionTreeClassifier

from helpers.cli_run import run
from treewright import (
    BaggingClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    KNeighborsClassifier,
    ModelFileError,
    RandomForestClassifier,
    SelectColumns,
    UsageError,
    datasets,
    load,
    save,
    show,
)
from treewright.files import from_bytes, to_bytes

rng = np.random.default_rng(3)
X = rng.integers(0, 20, size=(80, 5)).astype(float)
y = np.array(["no", "yes"])[(X[:, 0] + X[:, 1] > 20).astype(int)]
FRAME = pd.DataFrame(
    {
        "age": [20.0, np.nan, 40.0, 50.0] * 10,
        "size": [1, 2, 3, 4] * 10,
        "city": np.array(["Rome", None, "Oslo", "Rome"] * 10, dtype=object),
        "plan": np.array(["a", "b", "b", "c"] * 10, dtype=object),
    }
)
CHURN = ["yes", "no", "no", "yes"] * 10

TRANSFORMERS: list[Any] = [
    *(StandardScaler(), StandardScaler(with_mean=False), MinMaxScaler(), MaxAbsScaler()),
    *(RobustScaler(), Normalizer(), SimpleImputer(), SimpleImputer(strategy="median")),
    *(SelectKBest(k=2), SelectKBest(chi2, k=3), SelectPercentile(), VarianceThreshold()),
    *(PCA(2), PCA(2, whiten=True), TruncatedSVD(2), PolynomialFeatures(2), Binarizer(threshold=3)),
    *(KBinsDiscretizer(3, encode="ordinal", quantile_method="averaged_inverted_cdf"),),
    *(PowerTransformer(), QuantileTransformer(n_quantiles=9), FunctionTransformer()),
    *(FunctionTransformer(np.log1p), OrdinalEncoder(), OneHotEncoder(sparse_output=False)),
    *(FeatureUnion([("a", PCA(2)), ("b", StandardScaler())]), MissingIndicator(features="all")),
    "passthrough",
]


def again(model: Any, rows: Any) -> Any:
    """Return the model from its bytes; its predictions and its bytes are the same."""
    data = to_bytes(model)
    loaded = from_bytes(data)
    assert np.array_equal(loaded.predict(rows), model.predict(rows))
    assert to_bytes(loaded) == data
    return loaded


@pytest.mark.parametrize("transformer", TRANSFORMERS, ids=lambda t: repr(t)[:40])
def test_a_step_before_the_model(transformer: Any) -> None:
    model = make_pipeline(transformer, CARTClassifier(max_depth=3)).fit(X, y)
    loaded = again(model, X)
    assert repr(loaded) == repr(model)
    other = X[::2] + 0.5 if not isinstance(transformer, OneHotEncoder | OrdinalEncoder) else X
    assert np.array_equal(loaded.predict_proba(other), model.predict_proba(other))


def test_columns_chosen_by_treewright() -> None:
    steps = make_pipeline(SelectColumns(2, random_state=3), CARTClassifier(max_depth=3))
    loaded = again(steps.fit(X, y), X)
    assert loaded[0].get_support().tolist() == steps[0].get_support().tolist()
    assert np.array_equal(loaded[0].scores_, steps[0].scores_)
    table = make_pipeline(SelectColumns(2), C45Classifier()).fit(*datasets.golf())
    again(table, datasets.golf()[0])


def frame_pipeline() -> Pipeline:
    numbers = make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler())
    text = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    columns = [("numbers", numbers, ["age", "size"])]
    columns += [("text", text, make_column_selector("city|plan"))]
    prepare = ColumnTransformer(columns, remainder="passthrough")
    return Pipeline([("prepare", prepare), ("model", RandomForestClassifier(4))])


@pytest.mark.slow
def test_columns_of_a_frame_in_another_process(tmp_path: Path) -> None:
    model = frame_pipeline().fit(FRAME, CHURN)
    again(model, FRAME)
    save(model, tmp_path / "churn.tree")
    FRAME.to_pickle(tmp_path / "rows.pickle")
    script = (
        "import sys, numpy, pandas, treewright; from pathlib import Path; folder = Path(sys.argv[1])\n"
        "model = treewright.load(folder / 'churn.tree')\n"
        "rows = pandas.read_pickle(folder / 'rows.pickle')\n"
        "rows.loc[0, 'city'] = 'Paris'\n"
        "numpy.save(folder / 'shares.npy', model.predict_proba(rows))"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True)
    rows = FRAME.copy()
    rows.loc[0, "city"] = "Paris"
    assert np.array_equal(np.load(tmp_path / "shares.npy"), model.predict_proba(rows))


def test_names_of_transformed_columns_are_in_drawings(tmp_path: Path) -> None:
    encode = make_column_transformer((OrdinalEncoder(), ["plan"]), remainder="drop")
    model = make_pipeline(encode.set_output(transform="pandas"), C45Classifier()).fit(FRAME, CHURN)
    save(model, tmp_path / "plan.tree")
    assert str(show(load(tmp_path / "plan.tree"))) == str(show(model))
    assert "ordinalencoder__plan" in run("show", str(tmp_path / "plan.tree")).output


def test_searches() -> None:
    search = GridSearchCV(
        make_pipeline(StandardScaler(), CARTClassifier()),
        {"cartclassifier__max_depth": [1, 2, None]},
        cv=StratifiedKFold(3),
    ).fit(X, y)
    loaded = again(search, X)
    assert (loaded.best_params_, loaded.best_score_) == (search.best_params_, search.best_score_)
    assert loaded.cv_results_["params"] == search.cv_results_["params"]
    assert loaded.score(X, y) == search.score(X, y)
    assert np.array_equal(loaded.fit(X, y).predict(X), search.predict(X))


def test_a_random_search_with_distributions_and_an_ensemble_of_any_tree() -> None:
    search = RandomizedSearchCV(
        BaggingClassifier(C45Classifier(min_cases=3)),
        {"n_estimators": scipy.stats.randint(2, 5), "max_samples": scipy.stats.uniform(0.5, 0.5)},
        n_iter=2,
        cv=KFold(2, shuffle=True, random_state=1),
        scoring="balanced_accuracy",
        random_state=1,
    ).fit(X, y)
    loaded = again(search, X)
    assert loaded.estimator.estimator.min_cases == 3
    assert loaded.score(X, y) == search.score(X, y)
    assert loaded.param_distributions["n_estimators"].support() == (2, 4)
    assert np.array_equal(loaded.fit(X, y).predict(X), search.predict(X))


def test_a_search_inside_a_pipeline_with_several_scores() -> None:
    search = GridSearchCV(
        KNeighborsClassifier(), {"n_neighbors": [1, 3]}, scoring=["accuracy", "roc_auc"], refit="accuracy"
    )  # fmt: skip
    model = make_pipeline(MinMaxScaler(), search).fit(X, y)
    loaded = again(model, X)
    assert loaded.score(X, y) == model.score(X, y)


def test_numbers_and_text() -> None:
    model = make_pipeline(StandardScaler(), CARTRegressor(max_depth=3)).fit(X, X[:, 2])
    again(model, X)
    words = ["good cheap", "bad", "good", "very bad", "cheap", "bad bad"] * 5
    for vectorizer in (CountVectorizer(), TfidfVectorizer(ngram_range=(1, 2))):
        dense = FunctionTransformer(accept_sparse=True)
        steps = make_pipeline(vectorizer, TruncatedSVD(2), dense, CARTClassifier())
        again(steps.fit(words, ["yes", "no", "yes", "no", "yes", "no"] * 5), words)


REFUSED = {
    "the function <lambda>, which is a part of this FunctionTransformer": lambda: (
        FunctionTransformer(lambda rows: rows)
    ),
    "a SplineTransformer, which is a part of this Pipeline": SplineTransformer,
    "a SplineTransformer, which is a part of this ColumnTransformer": lambda: ColumnTransformer(
        [("a", SplineTransformer(), [0])]
    ),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_cannot_be_written_is_named(message: str, tmp_path: Path) -> None:
    model = make_pipeline(REFUSED[message](), CARTClassifier()).fit(X, y)
    with pytest.raises(UsageError, match=message) as caught:
        save(model, tmp_path / "m.tree")
    assert caught.value.slug == "model.step"
    assert "the last step of the pipeline alone" in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_what_is_no_model_of_treewright_is_refused() -> None:
    with pytest.raises(TypeError, match="expected a fitted model of treewright"):
        to_bytes(make_pipeline(StandardScaler(), DecisionTreeClassifier()).fit(X, y))
    unfitted = GridSearchCV(CARTClassifier(), {"max_depth": [1]})
    with pytest.raises(UsageError, match="has no best_estimator_"):
        to_bytes(unfitted)

    class OwnScaler(StandardScaler):
        """A class of the same kind that a file must not take for the other."""

    OwnScaler.__name__ = "StandardScaler"
    with pytest.raises(UsageError, match="a StandardScaler, which is a part of"):
        to_bytes(make_pipeline(OwnScaler(), CARTClassifier()).fit(X, y))


def test_commands_say_that_only_python_runs_the_steps(tmp_path: Path) -> None:
    path = tmp_path / "m.tree"
    save(make_pipeline(StandardScaler(), CARTClassifier()).fit(X, y), path)
    assert "model.pipeline" in run("predict", path, path, code=None).stderr
    search = GridSearchCV(CARTClassifier(), {"max_depth": [1]}, cv=2).fit(X, y)
    save(search, path)
    assert "def predict" in run("export", path, "--to", "python").output


# ---- hostile files


def resealed(model: Any, change: Any) -> Any:
    """Load the file of a pipeline whose description was changed, with a valid checksum."""
    inner = model[-1]
    document = json.loads(_document(model))
    change(document["around"])
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return from_bytes(inner._forest.to_bytes(text))


def _document(model: Any) -> str:
    from treewright._estimator.pipeline_file import document_around

    return document_around(model, json.loads(model[-1]._document()))


def _scaler(around: Any) -> Any:
    return around["layers"]["params"]["steps"][0]["tuple"][1]


def _set(path: tuple[Any, ...], value: Any) -> Any:
    def change(around: Any) -> None:
        part = _scaler(around) if path[0] == "scaler" else around
        for key in path[1:-1]:
            part = part[key]
        part[path[-1]] = value

    return change


VECTORIZER = {"class": "CountVectorizer", "params": {"input": "filename"}, "fitted": {}}
HOSTILE = [
    _set(("scaler", "class"), "os.system"),
    _set(("scaler", "class"), "DecisionTreeClassifier"),
    _set(("scaler", "class"), ["StandardScaler"]),
    _set(("scaler", "class"), "Pipeline"),
    _set(("scaler", "params", "nothing"), 1),
    _set(("scaler", "params", "__class__"), "x"),
    _set(("scaler", "fitted", "__class__"), "x"),
    _set(("around", "layers", "params", "memory"), "folder"),
    _set(("around", "layers", "params", "steps", 0, "tuple", 1), VECTORIZER),
    _set(("scaler", "fitted", "__dict__"), {"dict": []}),
    _set(("scaler", "fitted", "transform"), None),
    _set(("scaler", "fitted", "a b"), 1),
    _set(("scaler", "fitted", "n_features_in_"), 4),
    _set(("scaler", "fitted", "n_features_in_"), "5"),
    _set(("scaler", "fitted", "mean_"), {"array": ["<f8", [2], "AAAAAAAAAAAAAAAAAAAAAA=="]}),
    _set(("scaler", "fitted", "mean_"), {"array": ["<f8", [5], "AAAA"]}),
    _set(("scaler", "fitted", "mean_"), {"array": ["<f8", [5], "not base64"]}),
    _set(("scaler", "fitted", "mean_"), {"array": ["<f8", [2**62], ""]}),
    _set(("scaler", "fitted", "mean_"), {"array": ["(99999999,)f8", [1], ""]}),
    _set(("scaler", "fitted", "mean_"), {"array": ["f8,f8", [1], ""]}),
    _set(("scaler", "fitted", "mean_"), {"array": ["M8[s]", [1], "AAAAAAAAAAA="]}),
    _set(("scaler", "fitted", "mean_"), {"array": "x"}),
    _set(("scaler", "fitted", "mean_"), 5),
    _set(("scaler", "fitted", "mean_"), {"function": "system"}),
    _set(("scaler", "fitted", "mean_"), {"function": "exp", "x": 1}),
    _set(("scaler", "fitted", "mean_"), {"distribution": ["rv_generic", {"tuple": []}, {"dict": []}]}),
    _set(("scaler", "fitted", "mean_"), {"type": "Thread"}),
    _set(("scaler", "fitted", "mean_"), {"float": "1e5"}),
    _set(("scaler", "fitted", "mean_"), {"model": True}),
    _set(("around", "layers"), {"model": True}),
    _set(("around", "layers"), 3),
    _set(("around", "layers", "class"), "StandardScaler"),
    _set(("around", "layers", "params", "steps"), []),
    _set(("around", "layers", "fitted", "predict"), 1),
    _set(("around", "estimator"), "CARTRegressor"),
    _set(("around", "estimator"), "Pipeline"),
]  # fmt: skip


@pytest.mark.parametrize("change", HOSTILE)
def test_a_hostile_file_is_refused(change: Any) -> None:
    model = make_pipeline(StandardScaler(), CARTClassifier(max_depth=2)).fit(X, y)
    with pytest.raises(ModelFileError):
        resealed(model, change)


def test_text_in_a_file_has_the_size_of_its_text() -> None:
    model = make_pipeline(StandardScaler(), CARTClassifier(max_depth=2)).fit(X, y)
    loaded = resealed(
        model, _set(("scaler", "fitted", "x_"), {"array": ["<U99999999", [1], ["a"]]})
    )
    assert loaded[0].x_.dtype == np.dtype("<U1")


def test_another_version_of_scikit_learn_is_told() -> None:
    model = make_pipeline(StandardScaler(), CARTClassifier(max_depth=2)).fit(X, y)
    with pytest.warns(UserWarning, match=r"were fitted by scikit-learn 0\.9"):
        resealed(model, _set(("around", "scikit-learn"), "0.9"))
