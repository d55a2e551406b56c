from treewright import datasets as datasets
from treewright import measures as measures
from treewright import reference as reference
from treewright import selection as selection
from treewright._draw.rule_list import Rule as Rule
from treewright._draw.rule_list import RuleList as RuleList
from treewright._evaluate.calibration import CalibrationCurve as CalibrationCurve
from treewright._evaluate.comparison import Comparison as Comparison
from treewright._evaluate.curve import ComplexityCurve as ComplexityCurve
from treewright._evaluate.curve_points import complexity_curve as complexity_curve
from treewright._evaluate.dependence import PartialDependence as PartialDependence
from treewright._evaluate.evaluate import calibration_curve as calibration_curve
from treewright._evaluate.evaluate import choose_threshold as choose_threshold
from treewright._evaluate.evaluate import evaluate as evaluate
from treewright._evaluate.evaluate import lift_curve as lift_curve
from treewright._evaluate.evaluation import Evaluation as Evaluation
from treewright._evaluate.importances import permutation_importance as permutation_importance
from treewright._evaluate.importances import shap_values as shap_values
from treewright._evaluate.lift import LiftCurve as LiftCurve
from treewright._evaluate.model_comparison import compare as compare
from treewright._evaluate.partial_dependence import partial_dependence as partial_dependence
from treewright._evaluate.threshold import ThresholdChoice as ThresholdChoice
from treewright._explain import explain as explain
from treewright._export import export as export
from treewright._growing.growing import Growing as Growing
from treewright._growing.rows_at_node import NodeRows as NodeRows
from treewright._growing.rows_at_node import rows_of as rows_of
from treewright._interchange.lightgbm import from_lightgbm as from_lightgbm
from treewright._interchange.onnx import from_onnx as from_onnx
from treewright._interchange.sklearn import from_sklearn as from_sklearn
from treewright._interchange.xgboost import from_xgboost as from_xgboost
from treewright._learners.baselines import OneRClassifier as OneRClassifier
from treewright._learners.baselines import ZeroRClassifier as ZeroRClassifier
from treewright._learners.baselines import ZeroRRegressor as ZeroRRegressor
from treewright._learners.boosting.gradient_boosting import (
    GradientBoostingClassifier as GradientBoostingClassifier,
)
from treewright._learners.boosting.gradient_boosting import (
    GradientBoostingRegressor as GradientBoostingRegressor,
)
from treewright._learners.ensembles.adaboost import AdaBoostClassifier as AdaBoostClassifier
from treewright._learners.ensembles.adaboost import AdaBoostRegressor as AdaBoostRegressor
from treewright._learners.ensembles.bagging import BaggingClassifier as BaggingClassifier
from treewright._learners.ensembles.bagging import BaggingRegressor as BaggingRegressor
from treewright._learners.ensembles.forests import ExtraTreesClassifier as ExtraTreesClassifier
from treewright._learners.ensembles.forests import ExtraTreesRegressor as ExtraTreesRegressor
from treewright._learners.ensembles.forests import RandomForestClassifier as RandomForestClassifier
from treewright._learners.ensembles.forests import RandomForestRegressor as RandomForestRegressor
from treewright._learners.ensembles.sampling import bootstrap as bootstrap
from treewright._learners.neighbors.k_neighbors import KNeighborsClassifier as KNeighborsClassifier
from treewright._learners.neighbors.k_neighbors import KNeighborsRegressor as KNeighborsRegressor
from treewright._learners.neighbors.nearest import nearest as nearest
from treewright._learners.neighbors.neighbor_explanation import (
    explain_neighbors as explain_neighbors,
)
from treewright._learners.optimal.optimal_tree import OptimalTreeClassifier as OptimalTreeClassifier
from treewright._learners.optimal.optimal_tree import OptimalTreeRegressor as OptimalTreeRegressor
from treewright._learners.trees.c45 import C45Classifier as C45Classifier
from treewright._learners.trees.cart import CARTClassifier as CARTClassifier
from treewright._learners.trees.cart import CARTRegressor as CARTRegressor
from treewright._learners.trees.id3 import ID3Classifier as ID3Classifier
from treewright._learners.trees.rule_set import RuleSetClassifier as RuleSetClassifier
from treewright._lesson import lesson as lesson
from treewright._lesson.lesson_result import Lesson as Lesson
from treewright._optimal.gap import optimality_gap as optimality_gap
from treewright._optimal.gap_result import OptimalityGap as OptimalityGap
from treewright._optimal.rashomon import Rashomon as Rashomon
from treewright._optimal.rashomon import rashomon as rashomon
from treewright._optimal.smallest import SmallestTree as SmallestTree
from treewright._optimal.smallest import smallest_tree as smallest_tree
from treewright._optimal.tree_comparison import TreeComparison as TreeComparison
from treewright._optimal.tree_comparison import compare_trees as compare_trees
from treewright._pruning.cost_complexity import PruningPath as PruningPath
from treewright._pruning.cross_validation import pruning_path as pruning_path
from treewright._pruning.prune_model import prune as prune
from treewright._pruning.trace import PruneTrace as PruneTrace
from treewright._reading.table_files import inspect as inspect
from treewright._reading.table_files import read_csv as read_csv
from treewright._reading.table_files import read_table as read_table
from treewright._show import show as show
from treewright._show.plot import plot as plot
from treewright._show.to_rules import to_rules as to_rules
from treewright._web.interactive_view import InteractiveView as InteractiveView
from treewright._web.report import report as report
from treewright._web.report.report_page import Report as Report
from treewright._web.workbench import workbench as workbench
from treewright._work import work as work
from treewright.errors import ColumnWarning as ColumnWarning
from treewright.errors import DataError as DataError
from treewright.errors import ModelFileError as ModelFileError
from treewright.errors import TreewrightError as TreewrightError
from treewright.errors import UnseenValuesWarning as UnseenValuesWarning
from treewright.errors import UsageError as UsageError
from treewright.files import load as load
from treewright.files import save as save
from treewright.schema import Schema as Schema
from treewright.selection._rank import rank_columns as rank_columns
from treewright.selection._ranking import ColumnRanking as ColumnRanking
from treewright.selection.transformer import SelectColumns as SelectColumns
from treewright.table import Table as Table
from treewright.tree import Tree as Tree

__version__: str
