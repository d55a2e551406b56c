"""scikit-learn's plot_tree, dtreeviz and shap's TreeExplainer work on exported trees, and errors lead to the export."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.tree import export_text, plot_tree

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    UsageError,
    datasets,
    export,
    shap_values,
)

IRIS, SPECIES = load_iris(return_X_y=True)
DIABETES, PROGRESS = load_diabetes(return_X_y=True)
IRIS, DIABETES = IRIS.astype(np.float32), DIABETES.astype(np.float32)
CLASSIFIER = CARTClassifier(max_depth=3).fit(IRIS, SPECIES)
REGRESSOR = CARTRegressor(max_depth=3).fit(DIABETES, PROGRESS)


@pytest.fixture
def pyplot() -> Any:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


@pytest.mark.parametrize("model", [CLASSIFIER, REGRESSOR])
def test_plot_tree(model: Any, pyplot: Any) -> None:
    tree = export(model, "sklearn")
    drawn = plot_tree(tree, ax=pyplot.figure().gca(), filled=True)
    assert len(drawn) >= model.tree_.n_nodes
    assert f"{model.tree_.threshold[0]:.2f}" in export_text(tree)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "X", "y"), [(CLASSIFIER, IRIS, SPECIES), (REGRESSOR, DIABETES, PROGRESS)]
)
def test_dtreeviz(model: Any, X: Any, y: Any, pyplot: Any) -> None:
    pytest.importorskip("dtreeviz")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import dtreeviz

        names = [f"column {i}" for i in range(X.shape[1])]
        classes = ["setosa", "versicolor", "virginica"] if model is CLASSIFIER else None
        tree = export(model, "sklearn")
        view = dtreeviz.model(
            tree, X_train=X, y_train=y, feature_names=names, target_name="y", class_names=classes
        )
        view.leaf_sizes()
        assert view.shadow_tree.nnodes() == model.tree_.n_nodes
        path = view.explain_prediction_path(X[0])
    split = int(model.tree_.feature[0])
    assert names[split] in str(path)


@pytest.mark.parametrize(
    ("model", "X", "y"),
    [
        (CARTClassifier(max_depth=4), IRIS, SPECIES),
        (CARTRegressor(max_depth=4), DIABETES, PROGRESS),
        (RandomForestClassifier(5, max_depth=4), IRIS, SPECIES),
        (RandomForestRegressor(5, max_depth=4), DIABETES, PROGRESS),
        (GradientBoostingRegressor(n_estimators=5), DIABETES, PROGRESS),
    ],
    ids=lambda value: type(value).__name__,
)
def test_shap_tree_explainer_has_our_values(model: Any, X: Any, y: Any) -> None:
    pytest.importorskip("shap")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import shap

        model.fit(X, y)
        theirs = shap.TreeExplainer(export(model, "sklearn")).shap_values(X[:20])
    assert np.allclose(shap_values(model, X[:20]).values, theirs, atol=1e-4 * np.abs(theirs).max())


def test_what_scikit_learns_tree_cannot_hold_is_told_with_a_way_out() -> None:
    golf, play = datasets.golf()
    with pytest.raises(UsageError, match='it tests categories of "outlook"') as caught:
        export(CARTClassifier().fit(golf, play), "sklearn")
    assert "OrdinalEncoder" in str(caught.value)
    gaps = IRIS.copy()
    gaps[::7, 2] = gaps[3::7, 3] = np.nan
    with pytest.raises(UsageError, match="missing values have their own branch") as caught:
        export(CARTClassifier(missing="branch", max_depth=2).fit(gaps, SPECIES), "sklearn")
    assert 'missing="direction"' in str(caught.value) or "missing='direction'" in str(caught.value)
    with pytest.raises(UsageError, match="surrogates"):
        export(CARTClassifier(missing="surrogate", max_depth=2).fit(gaps, SPECIES), "sklearn")
    with pytest.raises(UsageError, match="divides rows with missing values"):
        export(C45Classifier().fit(gaps, SPECIES), "sklearn")
    sent = CARTClassifier(max_depth=3).fit(gaps, SPECIES)
    assert np.array_equal(export(sent, "sklearn").predict(gaps), sent.predict(gaps))
