"""Rule sets: an ordered list of if-then rules, learnt from a tree, of which the first that matches a row answers.

As in C4.5rules: every leaf of an unpruned tree is a rule; conditions that do not help are dropped; of each class the
set of rules with the shortest message is kept, and the classes are put in order.

The model is a forest in which each tree is one rule: a chain of its conditions, whose last leaf says the class while
all others say nothing (zeros). The last tree is a single leaf, the default.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._catalog import public
from treewright._draw.rule_list import RuleList, listed
from treewright._estimator.model import Classifier, Model
from treewright._estimator.tree_model import TreeModel
from treewright._input.checks import read_rows
from treewright._input.column_notes import note_cuts
from treewright._input.encoding import encode_columns
from treewright._input.target import ClassTarget
from treewright._learners.trees.c45 import C45Classifier
from treewright._model.trees import used_features
from treewright._pruning.pruning_rows import evidence
from treewright._utils.validation import number, word
from treewright.errors import ModelFileError, UsageError
from treewright.schema import Level, Schema
from treewright.table import Table

__all__ = ["RuleSetClassifier"]


@public
class RuleSetClassifier(Classifier):
    """Quinlan's C4.5rules: if-then rules from an unpruned C4.5 tree; the first that matches a row answers.

    Parameters
    ----------
    confidence : float, default=0.25
        The confidence with which the errors of a rule are estimated; the smaller, the fewer conditions survive.
    criterion : {"gain_ratio", "gain"}, default="gain_ratio"
        How the tree chooses its questions.
    min_cases : float, default=2
        The weight that at least two branches of a split must have.
    categorical : {"levels", "groups"}, default="levels"
        Whether the tree asks for single levels or for groups of them.
    redundancy : float, default=1.0
        How redundant the columns are: the more, the cheaper conditions are, and the more rules are kept.
    seed : int, default=1
        The searches for the best set among more than ten rules of a class start at random sets.
    max_depth : int or None, default=None
        The most questions on a path of the tree.

    Attributes
    ----------
    rules_ : RuleList
        The rules in their order, and the default.
    schema_ : Schema
        Names, levels and classes.
    classes_ : ndarray
        The classes, sorted.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table had them.

    Examples
    --------
    >>> from treewright import RuleSetClassifier, datasets
    >>> clf = RuleSetClassifier().fit(*datasets.play_tennis())
    >>> print(clf.rules_[0], "|", clf.rules_.default)
    Outlook = Sunny and Humidity = High: No | Yes
    >>> clf.predict([{"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Weak"}])
    array(['No'], dtype='<U3')
    """

    _kind: ClassVar[str] = "rules"
    _class_weights: list[float]

    def __init__(
        self,
        *,
        confidence: float = 0.25,
        criterion: str = "gain_ratio",
        min_cases: float = 2,
        categorical: str = "levels",
        redundancy: float = 1.0,
        seed: int = 1,
        max_depth: int | None = None,
    ) -> None:
        self.confidence = confidence
        self.criterion = criterion
        self.min_cases = min_cases
        self.categorical = categorical
        self.redundancy = redundancy
        self.seed = seed
        self.max_depth = max_depth

    @classmethod
    def of(cls, model: Model, X: Any, y: Any, sample_weight: Any = None, **parameters: Any) -> Self:
        """Return the rules of a fitted tree, whichever learner grew it.

        Parameters
        ----------
        model : fitted classifier
            A tree of this package, better unpruned.
        X, y : table and array-like
            The rows that it was grown from.
        sample_weight : array-like, optional
            Their weights.
        **parameters
            Those of the rule set; the ones about the tree are not used.

        Returns
        -------
        RuleSetClassifier
            A fitted rule set.
        """
        if not (
            isinstance(model, TreeModel)
            and isinstance(model, Classifier)
            and model._forest.n_trees == 1
        ):
            raise UsageError(
                f"rules come from one tree that predicts classes, not from {type(model).__name__}",
                slug="rules.no-tree",
            )
        made = cls(**parameters)
        rows = evidence(model, X, y, sample_weight)
        made._forest = _core.learn_rules(
            model._forest, made._words(), rows.columns, rows.target, rows.weights
        )
        made._class_weights = _weigh_classes(rows.target, rows.weights, len(model.schema_.classes))
        kept = ("schema_", "classes_", "_order", "n_features_in_", "feature_names_in_")
        made.__dict__.update(
            {name: model.__dict__[name] for name in kept if name in model.__dict__}
        )
        table = read_rows(model, X, model.schema_)
        table = table if rows.weights is None else table[rows.weights > 0]
        made.schema_ = made._add_notes(model.schema_, table)
        return made

    def _words(self) -> dict[str, Any]:
        return {
            "confidence": number("confidence", self.confidence, least=0, most=1),
            "interval": "table",
            "redundancy": number("redundancy", self.redundancy, least=1e-6),
            "seed": number("seed", self.seed, least=0, most=2**31 - 1, whole=True),
        }

    def _learn(
        self,
        table: Table,
        schema: Schema,
        target: ClassTarget,
        weights: NDArray[np.float64] | None,
    ) -> _core.Forest:
        words = self._words()
        grower = C45Classifier(
            criterion=word("criterion", self.criterion, ("gain_ratio", "gain")),
            min_cases=self.min_cases,
            categorical=self.categorical,
            prune=None,
            max_depth=self.max_depth,
            keep_work=False,
        )
        self._class_weights = _weigh_classes(target.codes, weights, len(schema.classes))
        tree = grower._learn(table, schema, target, weights)
        return _core.learn_rules(tree, words, encode_columns(table, schema), target.codes, weights)

    @property
    def rules_(self) -> RuleList:
        """The rules in their order, and the default."""
        check_is_fitted(self)
        return listed(self._forest, self.schema_, self._title, float(self.confidence))

    @property
    def usual_answer_(self) -> Level:
        """The most frequent class of the training rows; the default of the rules is often another one."""
        check_is_fitted(self)
        return self.schema_.classes[int(np.argmax(self._class_weights))]

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the rule that answers each row, counted from 0; the number of rules where the default does.

        Parameters
        ----------
        X : table
            The rows.

        Returns
        -------
        ndarray of int
            A position in ``rules_`` for each row.
        """
        columns = self._encode(X)
        rules: NDArray[np.int64] = self._forest.first(columns)[0].astype(np.int64)
        return rules

    def _add_notes(self, schema: Schema, table: Table) -> Schema:
        return note_cuts(super()._add_notes(schema, table), table, self._forest)

    def _used_columns(self) -> tuple[str, ...]:
        return tuple(self.schema_.names[feature] for feature in used_features(self._forest))

    def _predict_values(self, X: Any) -> NDArray[np.float64]:
        columns = self._encode(X)
        shares: NDArray[np.float64] = self._forest.first(columns)[1]
        return shares

    def _restore(self, document: Mapping[str, Any], forest: _core.Forest) -> None:
        last = forest.tree(forest.n_trees - 1)
        if last.n_nodes != 1 or not last.value.any():
            raise ModelFileError(
                "the description of the model is wrong: a rule set ends in a default",
                slug="model.document",
            )
        for index in range(forest.n_trees):
            tree = forest.tree(index)
            # The costs of a rule are its errors.
            if np.any(tree.cost < 0) or np.any(tree.cost > tree.weight * (1 + 1e-9) + 1e-9):
                raise ValueError("a rule has more errors than rows")
        super()._restore(document, forest)
        training = document.get("kept", {})
        self._class_weights = (
            _read_weights(training["class_weights"], len(self.schema_.classes))
            if "class_weights" in training
            else _weights_in_rules(forest, len(self.schema_.classes))
        )

    def _extra_metadata(self) -> dict[str, Any]:
        return super()._extra_metadata() | {"kept": {"class_weights": self._class_weights}}


def _weigh_classes(
    codes: NDArray[Any], weights: NDArray[np.float64] | None, classes: int
) -> list[float]:
    """Return the training weight of each class, the same for any order of the rows."""
    if weights is None:
        return [float(n) for n in np.bincount(codes, minlength=classes)]
    return [math.fsum(weights[codes == code]) for code in range(classes)]


def _read_weights(values: Any, classes: int) -> list[float]:
    """Check the weights in a model file."""
    weights = [float(weight) for weight in values]
    if len(weights) != classes or not all(0 <= w < math.inf for w in weights):
        raise ValueError("its classes have no such weights")
    return weights


def _weights_in_rules(forest: _core.Forest, classes: int) -> list[float]:
    """Return the weights of classes as far as the rules tell: files before version 0.2 do not hold them.

    The root of a rule knows how many training rows are not of its class. Classes without a rule share what is left.
    """
    known: dict[int, float] = {}
    total = 0.0
    for index in range(forest.n_trees - 1):
        tree = forest.tree(index)
        says = np.flatnonzero((tree.n_children == 0) & tree.value.any(axis=1))
        if len(says):
            total = float(tree.weight[0])
            known[int(np.argmax(tree.value[says[0]]))] = total - float(tree.cost[0])
    rest = max(0.0, total - sum(known.values())) / max(1, classes - len(known))
    return [known.get(code, rest) for code in range(classes)]
