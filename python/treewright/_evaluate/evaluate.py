"""``evaluate``, ``calibration_curve``, ``lift_curve`` and ``choose_threshold``: how good a fitted model is.

Not here: how the numbers are computed (``prediction_scores``, ``class_probabilities``).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_regressor

from treewright._estimator.find import unwrap
from treewright._evaluate.calibration import CalibrationCurve, calibrate
from treewright._evaluate.class_probabilities import ClassProbabilities
from treewright._evaluate.evaluation import Evaluation, baseline_prediction
from treewright._evaluate.lift import LiftCurve, lift_of
from treewright._evaluate.prediction_scores import ClassScore, NumberScore, find_positive
from treewright._evaluate.threshold import ThresholdChoice, cheapest_threshold
from treewright._input.containers import as_table
from treewright._input.target import ClassTarget, NumberTarget, weights_of
from treewright._utils.validation import check_integer, check_lengths, check_number
from treewright.errors import UsageError
from treewright.schema import label

__all__ = [
    "calibration_curve",
    "cheapest_of",
    "check_positive",
    "choose_threshold",
    "evaluate",
    "lift_curve",
    "require_positive",
]

Numbers = NDArray[np.float64]


def evaluate(
    model: Any, X: Any, y: Any, sample_weight: Any = None, *, positive: Any = None
) -> Evaluation:
    """Measure a fitted model on rows with known target values.

    Parameters
    ----------
    model : fitted estimator
        Any that follows scikit-learn's interface, also a Pipeline or a search.
    X, y : table and array-like
        The rows; for an honest result, rows that the model was not trained on.
    sample_weight : array-like, optional
        Their weights.
    positive : class, optional
        With two classes, the one that F1 is about; by default the second of ``classes_``.

    Returns
    -------
    Evaluation
        Accuracy, F1, AUC, log loss, Brier score and the confusion matrix, or RMSE, MAE and R2, beside a baseline.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, evaluate
    >>> X, y = datasets.play_tennis()
    >>> result = evaluate(ID3Classifier(max_depth=1).fit(X, y), X, y)
    >>> result.measures["accuracy"], round(result.measures["auc"], 3), round(result.measures["log-loss"], 3)
    (0.7142857142857143, 0.778, 0.481)
    """
    rows = len(as_table(X))
    weights = weights_of(sample_weight, rows)
    predictions = np.asarray(model.predict(X))
    name = type(unwrap(model)).__name__
    if is_regressor(model):
        numbers = NumberTarget.of(y).values
        check_lengths(rows, len(numbers))
        score = NumberScore(numbers, predictions.astype(np.float64), weights)
        usual = baseline_prediction(model)
        return Evaluation(name, score, score.mean_truth if usual is None else usual)
    truth = [label(value) for value in _classes_of(y, rows)]
    classes = np.asarray(model.classes_).tolist()
    name_positive = check_positive(positive, classes)
    probabilities = None
    if hasattr(model, "predict_proba"):
        probabilities = ClassProbabilities.of(
            truth, model.predict_proba(X), [label(c) for c in classes], name_positive, weights
        )
    class_score = ClassScore.of(
        truth,
        predictions.tolist(),
        classes,
        weights,
        weights is not None,
        name_positive,
        probabilities,
    )
    usual = baseline_prediction(model)
    if usual is None:
        usual = class_score.classes[int(class_score.matrix.sum(axis=1).argmax())]
    return Evaluation(name, class_score, usual)


def calibration_curve(
    model: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    positive: Any = None,
    bins: int = 10,
) -> CalibrationCurve:
    """Compare predicted probabilities with observed frequencies.

    Parameters
    ----------
    model : fitted classifier
        Any with ``predict_proba``.
    X, y : table and array-like
        The rows; for an honest result, rows that the model was not trained on.
    sample_weight : array-like, optional
        Their weights.
    positive : class, optional
        The class whose probability is compared; by default the last of ``classes_``.
    bins : int, default=10
        The number of bins, of about equally many rows each.

    Returns
    -------
    CalibrationCurve
        The bins; its picture has a diagonal for perfect probabilities.

    Examples
    --------
    >>> from treewright import ID3Classifier, calibration_curve, datasets
    >>> X, y = datasets.play_tennis()
    >>> calibration_curve(ID3Classifier(max_depth=1).fit(X, y), X, y).error
    0.0
    """
    bins = check_integer("bins", bins, minimum=1)
    return calibrate(probabilities_of(model, X, y, sample_weight, positive), bins)


def lift_curve(
    model: Any, X: Any, y: Any, sample_weight: Any = None, *, positive: Any = None
) -> LiftCurve:
    """Count the rows of a class among those that a model ranks highest.

    Parameters
    ----------
    model : fitted classifier
        Any with ``predict_proba``.
    X, y : table and array-like
        The rows; for an honest result, rows that the model was not trained on.
    sample_weight : array-like, optional
        Their weights.
    positive : class, optional
        The class that is looked for; by default the last of ``classes_``.

    Returns
    -------
    LiftCurve
        Gain and lift for each percent of the rows; its picture is the gains chart.

    Examples
    --------
    >>> from treewright import C45Classifier, datasets, lift_curve
    >>> X, y = datasets.play_tennis()
    >>> curve = lift_curve(C45Classifier().fit(X, y), X, y)
    >>> curve.points[49].fraction, round(curve.points[49].gain, 3)
    (0.5, 0.778)
    """
    scores = probabilities_of(model, X, y, sample_weight, positive)
    return lift_of(scores)


def choose_threshold(
    model: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    fp: float = 1.0,
    fn: float = 1.0,
    positive: Any = None,
) -> ThresholdChoice:
    """Choose the threshold of a probability that costs least.

    Parameters
    ----------
    model : fitted classifier
        Any of two classes with ``predict_proba``.
    X, y : table and array-like
        The rows that the costs are counted on; not the training rows.
    sample_weight : array-like, optional
        Their weights.
    fp, fn : float, default=1.0
        The cost of a false positive and of a false negative.
    positive : class, optional
        The class that is predicted from the threshold on; by default the second of ``classes_``.

    Returns
    -------
    ThresholdChoice
        The threshold and its cost, beside 0.5, ``fp / (fp + fn)``, always and never.

    Examples
    --------
    >>> from treewright import ID3Classifier, choose_threshold, datasets
    >>> X, y = datasets.play_tennis()
    >>> choose_threshold(ID3Classifier(max_depth=1).fit(X, y), X, y, fp=4, fn=1).threshold
    0.8
    """
    scores = probabilities_of(model, X, y, sample_weight, positive)
    return cheapest_of(scores, fp, fn)


def cheapest_of(scores: ClassProbabilities, fp: float, fn: float) -> ThresholdChoice:
    """Check the costs and return the cheapest threshold."""
    fp = check_number("fp", fp, minimum=0)
    fn = check_number("fn", fn, minimum=0)
    if not fp + fn:
        raise UsageError("at least one of fp and fn must be above 0", slug="usage.parameter")
    if not scores.is_binary:
        raise UsageError(
            f"a threshold needs two classes; there are {len(scores.classes)}",
            slug="evaluate.classes",
            hints=[
                "for several classes, CARTClassifier has costs: it predicts the class of least expected cost"
            ],
        )
    return cheapest_threshold(scores, fp, fn)


def probabilities_of(
    model: Any, X: Any, y: Any, sample_weight: Any, positive: Any
) -> ClassProbabilities:
    """Predict the class probabilities of rows; an error for a model without them."""
    if not hasattr(model, "predict_proba"):
        raise UsageError(
            f"{type(unwrap(model)).__name__} has no class probabilities",
            slug="evaluate.no-probabilities",
        )
    rows = len(as_table(X))
    classes = np.asarray(model.classes_).tolist()
    scores = ClassProbabilities.of(
        [label(value) for value in _classes_of(y, rows)],
        model.predict_proba(X),
        [label(c) for c in classes],
        check_positive(positive, classes),
        weights_of(sample_weight, rows),
    )
    return require_positive(scores)


def require_positive(scores: ClassProbabilities) -> ClassProbabilities:
    """Return scores with rows of the positive class; an error for others."""
    if not (scores.truth == scores.positive).any():
        raise UsageError(
            f'no row has the class "{scores.classes[scores.positive]}"', slug="evaluate.no-positive"
        )
    return scores


def check_positive(positive: Any, classes: list[Any]) -> str:
    """Return the name of the positive class: the one that was given, or the last one."""
    if positive is None:
        return find_positive(classes)
    names = [label(c) for c in classes]
    if label(positive) not in names:
        raise UsageError(
            f'the model has no class "{label(positive)}"',
            slug="evaluate.positive",
            hints=[f"classes: {', '.join(names)}"],
        )
    return label(positive)


def _classes_of(y: Any, rows: int) -> list[Any]:
    target = ClassTarget.of(y)
    check_lengths(rows, len(target))
    values: list[Any] = target.sorted[target.order[target.codes]].tolist()
    return values
