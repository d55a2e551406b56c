"""Rule sets: an ordered list of if-then rules from a tree, of which the first that matches a row predicts it.

As in C4.5rules: every leaf of an unpruned tree is a rule; conditions that do not help are dropped; for each class the
set of rules with the shortest description is kept, and the classes are put in order.

The model is a forest in which each tree is one rule: a chain of its conditions, whose last leaf holds the shares of the
classes while all other leaves hold zeros. The last tree is a single leaf, the default.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._catalog import public
from treewright._draw.rule_list import RuleList, rules_of_forest
from treewright._estimator.classifier import Classifier
from treewright._estimator.model import Model
from treewright._estimator.tree_model import TreeModel
from treewright._input.checks import read_rows
from treewright._input.class_weights import weigh_rows
from treewright._input.column_notes import note_cuts
from treewright._input.encoding import encode_columns
from treewright._input.target import ClassTarget
from treewright._learners.class_weight_params import ClassWeightParams
from treewright._learners.trees.c45 import C45Classifier
from treewright._model.trees import used_features
from treewright._pruning.pruning_rows import read_labeled
from treewright._utils.docstrings import documented
from treewright._utils.random_state import seed_from
from treewright._utils.renamed import renamed_parameters
from treewright._utils.validation import check_choice, check_number
from treewright.errors import ModelFileError, UsageError
from treewright.schema import Level, Schema
from treewright.table import Table

__all__ = ["RuleSetClassifier"]


@dataclass(kw_only=True, eq=False, repr=False)
class RuleSetParams(ClassWeightParams):
    """Parameters of a rule set.

    Parameters
    ----------
    confidence : float, default=0.25
        The confidence level of the expected errors of a rule, between 0 and 1; smaller values give fewer conditions.
    criterion : {"gain_ratio", "gain"}, default="gain_ratio"
        What the splits of the tree maximize.
    min_cases : float, default=2
        The weight that at least two branches of a split must have.
    categorical : {"levels", "groups"}, default="levels"
        Whether the tree has a branch for each level, or for groups of levels.
    redundancy : float, default=1.0
        How redundant the columns are: larger values make conditions cheaper, and more rules are kept.
    random_state : int, RandomState, Generator or None, default=1
        Seed for the random sets of rules at which the search for the best set begins, for more than ten rules of a
        class; None means 1.
    max_depth : int or None, default=None
        The largest number of splits on a path of the tree.
    """

    confidence: float = 0.25
    criterion: str = "gain_ratio"
    min_cases: float = 2
    categorical: str = "levels"
    redundancy: float = 1.0
    random_state: Any = 1
    max_depth: int | None = None


@public
@renamed_parameters(seed="random_state")
@documented
class RuleSetClassifier(Classifier, RuleSetParams):
    """Quinlan's C4.5rules: if-then rules from an unpruned C4.5 tree; the first rule that matches a row predicts it.

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
        The names of the columns, if the table had names.

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
    _pools_rare_levels = True
    _class_weights: list[float]

    @classmethod
    def of(cls, model: Model, X: Any, y: Any, sample_weight: Any = None, **parameters: Any) -> Self:
        """Return the rules of a fitted tree of any learner.

        Parameters
        ----------
        model : fitted classifier
            A tree of this package, preferably unpruned.
        X, y : table and array-like
            The rows that it was grown from.
        sample_weight : array-like, optional
            The weights of the rows.
        **parameters
            Parameters of the rule set; those of the tree are not used.

        Returns
        -------
        RuleSetClassifier
            A fitted rule set.
        """
        is_tree = isinstance(model, TreeModel) and isinstance(model, Classifier)
        if not is_tree or model._forest.n_trees != 1:
            raise UsageError(
                f"rules come from one tree that predicts classes, not from {type(model).__name__}",
                slug="rules.no-tree",
            )
        rules = cls(**parameters)
        rows = read_labeled(model, X, y, sample_weight)
        target = ClassTarget(model.schema_.target, model.classes_, model._order, rows.target)
        weights = weigh_rows(rules.class_weight, target, rows.weights)
        rules._forest = _core.learn_rules(
            model._forest, rules._checked_params(), rows.columns, rows.target, weights
        )
        rules._class_weights = _weigh_classes(rows.target, weights, len(model.schema_.classes))
        for name in ("classes_", "_order", "n_features_in_", "feature_names_in_"):
            if name in model.__dict__:
                setattr(rules, name, model.__dict__[name])
        table = read_rows(model, X, model.schema_)
        rules.schema_ = rules._add_notes(model.schema_, table[rows.weights > 0])
        return rules

    def _checked_params(self) -> dict[str, Any]:
        """Return the parameters about rules in the words of the core."""
        return {
            "confidence": check_number("confidence", self.confidence, minimum=0, maximum=1),
            "interval": "table",
            "redundancy": check_number("redundancy", self.redundancy, minimum=1e-6),
            "seed": seed_from(self.random_state, default=1, maximum=2**31 - 1),
        }

    def _learn(
        self,
        table: Table,
        schema: Schema,
        target: ClassTarget,
        weights: NDArray[np.float64] | None,
    ) -> _core.Forest:
        params, weights = self._checked_params(), weigh_rows(self.class_weight, target, weights)
        grower = C45Classifier(
            criterion=check_choice("criterion", self.criterion, ("gain_ratio", "gain")),
            min_cases=self.min_cases,
            categorical=self.categorical,
            prune=None,
            max_depth=self.max_depth,
            keep_work=False,
        )
        self._class_weights = _weigh_classes(target.codes, weights, len(schema.classes))
        tree = grower._learn(table, schema, target, weights)
        return _core.learn_rules(tree, params, encode_columns(table, schema), target.codes, weights)

    @property
    def rules_(self) -> RuleList:
        """The rules in their order, and the default."""
        check_is_fitted(self)
        return rules_of_forest(self._forest, self.schema_, self._title, float(self.confidence))

    @property
    def usual_answer_(self) -> Level:
        """The most frequent class in training; the default of the rules is often another one."""
        check_is_fitted(self)
        return self.schema_.classes[int(np.argmax(self._class_weights))]

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the rule that predicts each row, counted from 0; the number of rules if the default does.

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

    def _restore(self, metadata: Mapping[str, Any], contents: _core.Forest) -> None:
        last = contents.tree(contents.n_trees - 1)
        if last.n_nodes != 1 or not last.value.any():
            raise ModelFileError(
                "the description of the model is wrong: a rule set ends in a default",
                slug="model.document",
            )
        for index in range(contents.n_trees):
            tree = contents.tree(index)
            # The costs of a rule are its errors.
            if np.any(tree.cost < 0) or np.any(tree.cost > tree.weight * (1 + 1e-9) + 1e-9):
                raise ValueError("a rule has more errors than rows")
        super()._restore(metadata, contents)
        saved = metadata.get("kept", {})
        self._class_weights = (
            _read_weights(saved["class_weights"], len(self.schema_.classes))
            if "class_weights" in saved
            else _weights_in_rules(contents, len(self.schema_.classes))
        )

    def _extra_metadata(self) -> dict[str, Any]:
        return super()._extra_metadata() | {"kept": {"class_weights": self._class_weights}}


def _weigh_classes(
    codes: NDArray[Any], weights: NDArray[np.float64] | None, classes: int
) -> list[float]:
    """Return the training weight of each class; the order of the rows does not change it."""
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
    """Return the weights of classes as far as the rules hold them: early model files have no others.

    The root of a rule holds the weight of the rows of other classes. Classes without a rule share the rest.
    """
    known: dict[int, float] = {}
    total = 0.0
    for index in range(forest.n_trees - 1):
        tree = forest.tree(index)
        leaves = np.flatnonzero((tree.n_children == 0) & tree.value.any(axis=1))
        if len(leaves):
            total = float(tree.weight[0])
            known[int(np.argmax(tree.value[leaves[0]]))] = total - float(tree.cost[0])
    rest = max(0.0, total - sum(known.values())) / max(1, classes - len(known))
    return [known.get(code, rest) for code in range(classes)]
