"""ID3: entropy, a branch for each level, the largest information gain, no pruning."""

from __future__ import annotations

from dataclasses import dataclass

from treewright._catalog import public
from treewright._estimator.classifier import Classifier
from treewright._estimator.training_data import TrainingData
from treewright._input.columns import to_levels
from treewright._learners.trees.grown_tree import GrownTree
from treewright._learners.trees.tree_params import QuinlanParams
from treewright._learners.trees.tree_recipes import id3_recipe
from treewright._model.table_builder import refuse_many_levels
from treewright._utils.docstrings import documented
from treewright._utils.renamed import renamed_parameters
from treewright._utils.validation import Recipe
from treewright.table import Table

__all__ = ["ID3Classifier"]


@public
@renamed_parameters(seed="random_state")
@documented
@dataclass(kw_only=True, eq=False, repr=False)
class ID3Classifier(GrownTree, Classifier, QuinlanParams):
    """Quinlan's ID3: split on the column with the largest information gain, with a branch for each value.

    A node becomes a leaf if all its rows have one class, or if every column has been used on the path. A branch that no
    row reached predicts like its parent; so does a value that did not occur in training. A missing value counts as a
    value of its own if it occurs in training. Each different number of a numeric column is a value too: for thresholds
    use C4.5 or CART.

    Parameters
    ----------
    min_gain : float or None, default=None
        If given, a node stays a leaf unless the best gain, in bits, is larger. Without it even a gain of 0 is
        taken, as in the textbook, so that the exclusive or can be learned.
    min_samples_split : int or float, default=2
        Nodes with fewer rows stay leaves; a float is a fraction of all rows.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> clf = ID3Classifier().fit(X, y)
    >>> clf.predict([{"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Strong"}])
    array(['No'], dtype='<U3')
    >>> clf.tree_
    <Tree: 8 nodes, 5 leaves, depth 2>
    """

    min_samples_split: float = 2

    def _prepare(self, table: Table) -> Table:
        table = table.map(to_levels)
        refuse_many_levels(table)
        return table

    def _recipe(self, data: TrainingData) -> Recipe:
        return id3_recipe(self.get_params(deep=False), len(data))
