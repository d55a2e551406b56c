"""Every estimator passes all of scikit-learn's checks, without a single expected failure.

Checks that scikit-learn runs only on its own estimators are called by name. Checks that it skips because of our tags
(text and dictionaries are valid input) are written out here.
"""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone, is_classifier, is_regressor
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OrdinalEncoder
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import (
    check_dataframe_column_names_consistency,
    check_inplace_ensure_writeable,
    parametrize_with_checks,
)
from sklearn.utils.validation import has_fit_parameter

import treewright
from treewright import ID3Classifier, Table, datasets
from treewright.files import to_bytes
from treewright.table import Series

ESTIMATORS: list[BaseEstimator] = [
    getattr(treewright, name)()
    for name in treewright.__all__
    if name.endswith(("Classifier", "Regressor"))
]
NAMES = [type(estimator).__name__ for estimator in ESTIMATORS]
each = pytest.mark.parametrize("estimator", ESTIMATORS, ids=NAMES)


def test_the_list_is_not_empty() -> None:
    assert {"ID3Classifier", "OneRClassifier", "ZeroRClassifier", "ZeroRRegressor"} <= set(NAMES)


@pytest.mark.slow
@parametrize_with_checks(ESTIMATORS, legacy=True)
def test_scikit_learns_own_checks(estimator: BaseEstimator, check: Any) -> None:
    check(estimator)


@each
@pytest.mark.parametrize(
    "check", [check_dataframe_column_names_consistency, check_inplace_ensure_writeable]
)
def test_checks_that_are_not_in_the_list(estimator: BaseEstimator, check: Any) -> None:
    check(type(estimator).__name__, estimator)


@pytest.mark.slow
def test_arrays_of_the_array_api(fresh_python) -> None:
    """It is skipped above, because it needs a setting that must exist before scipy is imported."""
    code = """
        from sklearn.utils.estimator_checks import check_array_api_input
        import treewright
        for name in treewright.__all__:
            if name.endswith(("Classifier", "Regressor")):
                check_array_api_input(name, getattr(treewright, name)(), "numpy")
                print(name)
    """
    assert fresh_python(code, SCIPY_ARRAY_API="1").split() == NAMES


# ---- tags


@each
def test_tags_tell_the_truth(estimator: BaseEstimator) -> None:
    tags = get_tags(estimator)
    assert tags.input_tags.categorical
    assert tags.input_tags.string
    assert tags.input_tags.dict
    assert tags.input_tags.allow_nan
    assert tags.input_tags.sparse
    assert tags.target_tags.required
    several = type(estimator).__name__.startswith(("CART", "RandomForest", "ExtraTrees"))
    assert tags.target_tags.multi_output == several
    assert not tags.non_deterministic
    assert is_classifier(estimator) != is_regressor(estimator)
    baseline = type(estimator).__name__.startswith(("ZeroR", "OneR"))
    assert (tags.classifier_tags or tags.regressor_tags).poor_score == baseline
    if is_classifier(estimator):
        assert tags.classifier_tags.multi_class
        assert tags.classifier_tags.multi_label == several


@each
def test_what_is_neither_text_nor_a_number_is_a_type_error(estimator: BaseEstimator) -> None:
    """scikit-learn skips this check for estimators that accept text."""
    X = np.array([[{"foo": "bar"}, 1.0], [2.0, 3.0]], dtype=object)
    with pytest.raises(TypeError, match=r'"x0", row 0 .* must be a string or a number'):
        clone(estimator).fit(X, [0, 1])


# ---- together with the rest of scikit-learn, on text


@pytest.fixture(scope="module")
def tennis() -> tuple[Table, np.ndarray]:
    return datasets.play_tennis()


def containers(table: Table) -> dict[str, Any]:
    import polars
    import pyarrow

    pandas = table.to_pandas()
    cells = list(zip(*table.to_dict().values(), strict=True))
    return {
        "table": table,
        "pandas": pandas,
        "pandas text": pandas.astype(str),
        "polars": polars.DataFrame(table.to_dict()),
        "pyarrow": pyarrow.table(table.to_dict()),
        "object array": np.array(cells, dtype=object),
        "text array": np.array(cells),
    }


CONTAINERS = ["table", "pandas", "pandas text", "polars", "pyarrow", "object array", "text array"]


@pytest.mark.parametrize("container", CONTAINERS)
def test_cross_validation_of_text(container: str, tennis) -> None:
    X, y = containers(tennis[0])[container], tennis[1]
    scores = cross_val_score(ID3Classifier(), X, y, cv=3, error_score="raise")
    assert scores.tolist() == cross_val_score(ID3Classifier(), tennis[0], y, cv=3).tolist()
    assert 0.5 < scores.mean() < 1


@pytest.mark.parametrize("container", CONTAINERS)
def test_grid_search_of_text(container: str, tennis) -> None:
    X, y = containers(tennis[0])[container], tennis[1]
    grid = {"max_depth": np.arange(1, 4), "min_gain": [None, 0.0, 0.3]}
    search = GridSearchCV(ID3Classifier(), grid, cv=2, error_score="raise").fit(X, y)
    assert search.score(X, y) > 0.7
    # np.arange gives NumPy integers, which must survive saving and loading.
    best = search.best_estimator_
    assert to_bytes(pickle.loads(pickle.dumps(best))) == to_bytes(best)


def test_a_pipeline_whose_steps_give_text_numbers_and_frames(tennis) -> None:
    X, y = tennis[0].to_pandas().astype(object), tennis[1]
    X.loc[3, "Wind"] = None
    X["Degrees"] = np.linspace(0, 30, len(X))
    steps = make_column_transformer(
        (
            SimpleImputer(strategy="most_frequent", missing_values=None),
            make_column_selector(dtype_include=object),
        ),
        (
            KBinsDiscretizer(3, encode="ordinal", quantile_method="averaged_inverted_cdf"),
            ["Degrees"],
        ),
    )
    for output in ("default", "pandas", "polars"):
        pipe = make_pipeline(steps, ID3Classifier()).set_output(transform=output)
        assert pipe.fit(X, y).score(X, y) == 1
        assert hasattr(pipe[-1], "feature_names_in_") == (output != "default")
    codes = make_pipeline(OrdinalEncoder(), ID3Classifier()).fit(tennis[0].to_pandas(), y)
    assert codes.score(tennis[0].to_pandas(), y) == 1


@each
def test_set_output_is_for_transformers(estimator: BaseEstimator, tennis) -> None:
    X, y = tennis[0].to_pandas(), np.arange(14) % 2
    pipe = make_pipeline("passthrough", clone(estimator)).set_output(transform="pandas")
    assert isinstance(pipe.fit(X, y).predict(X), np.ndarray)


@each
def test_clones_forget_and_keep_the_parameters(estimator: BaseEstimator, tennis) -> None:
    fitted = clone(estimator).fit(tennis[0], np.arange(14) % 2)
    again = clone(fitted)
    assert again.get_params() == estimator.get_params()
    assert set(vars(again)) == set(vars(estimator))
    assert to_bytes(again.fit(tennis[0], np.arange(14) % 2)) == to_bytes(fitted)


def test_only_neighbours_take_no_weights() -> None:
    """Among k neighbors, a row of weight 2 would have to count as two."""
    without = {type(e).__name__ for e in ESTIMATORS if not has_fit_parameter(e, "sample_weight")}
    assert without == {"KNeighborsClassifier", "KNeighborsRegressor"}


@each
def test_weights_are_routed_through_meta_estimators(estimator: BaseEstimator, tennis) -> None:
    if not has_fit_parameter(estimator, "sample_weight"):
        return
    X, y = tennis[0], np.arange(14) % 2
    weights = np.repeat([0.0, 1.0, 3.0], [4, 5, 5])
    pipe = make_pipeline("passthrough", clone(estimator))
    name = pipe.steps[-1][0]
    pipe.fit(X, y, **{f"{name}__sample_weight": weights})
    assert to_bytes(pipe[-1]) == to_bytes(clone(estimator).fit(X, y, sample_weight=weights))


# ---- attributes


@each
def test_names_and_number_of_columns(estimator: BaseEstimator, tennis) -> None:
    y = np.arange(14) % 2
    named = ["table", "pandas", "pandas text", "polars", "pyarrow"]
    for container, X in containers(tennis[0]).items():
        fitted = clone(estimator).fit(X, y)
        assert fitted.n_features_in_ == 4
        assert hasattr(fitted, "feature_names_in_") == (container in named), container
        if container in named:
            assert fitted.feature_names_in_.dtype == object
            assert fitted.feature_names_in_.tolist() == tennis[0].columns
        # A second fit on a table without names removes the names of the first.
        fitted.fit(np.zeros((2, 3)), [0, 1])
        assert fitted.n_features_in_ == 3
        assert not hasattr(fitted, "feature_names_in_")


def test_classes_are_sorted_and_ties_follow_the_declared_order() -> None:
    import pandas

    X = [["a"], ["a"]]
    for declared in (["low", "high", "mid"], ["high", "mid", "low"]):
        y = pandas.Series(["low", "high"], dtype=pandas.CategoricalDtype(declared))
        for answer in (y, Series.of("y", ["low", "high"], levels=declared)):
            clf = ID3Classifier().fit(X, answer)
            assert clf.classes_.tolist() == ["high", "low"]
            first = [level for level in declared if level != "mid"]
            assert list(clf.schema_.classes) == first
            assert clf.predict(X).tolist() == [first[0]] * 2
            assert clf.tree_.tied(0)
            assert clf.predict_proba(X).tolist() == [[0.5, 0.5]] * 2


@each
def test_predicting_inside_cross_validation_never_warns_about_names(
    estimator: BaseEstimator, tennis
) -> None:
    y = np.arange(14) % 2
    for X in containers(tennis[0]).values():
        assert len(cross_val_predict(clone(estimator), X, y, cv=3)) == 14
