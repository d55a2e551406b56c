"""The module of every public name that is not a learner: one row each. A learner is a row of ``_catalog``."""

from __future__ import annotations

__all__ = ["OTHER_NAMES"]

# The module, inside the package, that defines each other public name.
OTHER_NAMES = {
    "ColumnRanking": "selection._ranking",
    "Comparison": "_evaluate.comparison",
    "ComplexityCurve": "_evaluate.curve",
    "DataError": "errors",
    "ModelFileError": "errors",
    "PartialDependence": "_evaluate.dependence",
    "PruneTrace": "_pruning.trace",
    "PruningPath": "_pruning.cost_complexity",
    "Rule": "_draw.rule_list",
    "RuleList": "_draw.rule_list",
    "Schema": "schema",
    "SelectColumns": "selection.transformer",
    "Table": "table",
    "Tree": "tree",
    "TreewrightError": "errors",
    "UnseenValuesWarning": "errors",
    "UsageError": "errors",
    "bootstrap": "_learners.ensembles.forests",
    "compare": "_evaluate.model_comparison",
    "complexity_curve": "_evaluate.curve_points",
    "explain": "_explain",
    "explain_neighbors": "_learners.neighbors.neighbor_explanation",
    "export": "_export",
    "inspect": "_reading.table_files",
    "load": "files",
    "nearest": "_learners.neighbors.nearest",
    "partial_dependence": "_evaluate.partial_dependence",
    "permutation_importance": "_evaluate.importances",
    "plot": "_show.plot",
    "prune": "_pruning.prune_model",
    "pruning_path": "_pruning.cross_validation",
    "rank_columns": "selection._rank",
    "read_csv": "_reading.table_files",
    "read_table": "_reading.table_files",
    "save": "files",
    "shap_values": "_evaluate.importances",
    "show": "_show",
    "to_rules": "_show.to_rules",
    "work": "_work",
}
