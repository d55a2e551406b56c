/**
 * The learners of the workbench: their names on the command line and in Python, and the parameters that matter, each
 * with its range. What is said about them is in the texts, by the same keys.
 */
import type { Algorithm } from '../../contract';

export type Value = string | number | boolean | null;
export type Params = Record<string, Value>;
export type Task = 'classification' | 'regression';

export interface Parameter {
  /** The parameter of the estimator in Python; also the key of its explanation. */
  name: string;
  /** The option of the command line, without its dashes. */
  option: string;
  kind: 'whole' | 'number' | 'choice';
  min?: number;
  max?: number;
  step?: number;
  /** Choices, the default first. */
  choices?: string[];
  /** The value that is used where none is given; null: no limit. */
  standard: Value;
  /** Only for this task. */
  task?: Task;
}

export interface Learner {
  name: string;
  /** The classes in Python. */
  classifier?: string;
  regressor?: string;
  kind: 'tree' | 'trees' | 'baseline' | 'neighbors';
  /** Whether it can be grown step by step. */
  grows: boolean;
  parameters: Parameter[];
}

export const DEFAULT_ALGORITHM: Record<Task, Algorithm> = { classification: 'c45', regression: 'cart' };

const DEPTH: Parameter = whole('max_depth', 'depth', 1, 60, null);
const MIN_SPLIT = whole('min_samples_split', 'min-split', 2, 100000, 2);
const MIN_LEAF = whole('min_samples_leaf', 'min-rows', 1, 100000, 1);
const LEAVES = whole('max_leaf_nodes', 'leaves', 2, 100000, null);
const MIN_GAIN = number('min_gain', 'min-gain', 0, null, 0.01);
const MAX_P = number('max_p_value', 'max-p-value', 0, null, 0.01, 1);
const CRITERION = choice('criterion', 'criterion', ['gini', 'entropy'], 'classification');
const SEED = whole('random_state', 'seed', 0, 4294967295, 0);
// The default of forests depends on the target.
const FEATURES = [
  choice('max_features', 'max-features', ['sqrt', 'log2', 'all'], 'classification'),
  choice('max_features', 'max-features', ['all', 'sqrt', 'log2'], 'regression'),
];
const CONFIDENCE = number('confidence', 'confidence', 0, 0.25, 0.05, 1);
const ALPHA = number('ccp_alpha', 'alpha', 0, null, 0.001);

export const LEARNERS: Record<Algorithm, Learner> = {
  id3: tree('ID3', 'ID3Classifier', undefined, [
    DEPTH,
    MIN_SPLIT,
    MIN_GAIN,
    MAX_P,
    pruning(['none', 'pessimistic', 'reduced_error', 'cost_complexity']),
    CONFIDENCE,
    ALPHA,
  ]),
  c45: tree('C4.5', 'C45Classifier', undefined, [
    choice('criterion', 'criterion', ['gain_ratio', 'gain']),
    number('min_cases', 'min-rows', 0, 2, 1),
    DEPTH,
    MIN_GAIN,
    MAX_P,
    choice('thresholds', 'thresholds', ['value', 'midpoint']),
    pruning(['pessimistic', 'none', 'reduced_error', 'cost_complexity']),
    CONFIDENCE,
    ALPHA,
  ]),
  cart: tree('CART', 'CARTClassifier', 'CARTRegressor', [
    CRITERION,
    DEPTH,
    MIN_SPLIT,
    MIN_LEAF,
    LEAVES,
    MIN_GAIN,
    pruning(['none', 'cost_complexity']),
    ALPHA,
  ]),
  'zero-r': { ...tree('0-R', 'ZeroRClassifier', 'ZeroRRegressor', []), kind: 'baseline', grows: false },
  'one-r': {
    ...tree('1-R', 'OneRClassifier', undefined, [whole('min_bucket', 'min-rows', 1, 1000, 6)]),
    kind: 'baseline',
    grows: false,
  },
  bagging: trees('Bagging', 'BaggingClassifier', 'BaggingRegressor', [trees_count(10), SEED]),
  forest: trees('Random forest', 'RandomForestClassifier', 'RandomForestRegressor', [
    trees_count(100),
    CRITERION,
    ...FEATURES,
    DEPTH,
    MIN_LEAF,
    SEED,
  ]),
  'extra-trees': trees('Extra-trees', 'ExtraTreesClassifier', 'ExtraTreesRegressor', [
    trees_count(100),
    CRITERION,
    ...FEATURES,
    DEPTH,
    MIN_LEAF,
    SEED,
  ]),
  adaboost: trees('AdaBoost', 'AdaBoostClassifier', 'AdaBoostRegressor', [
    trees_count(50),
    number('learning_rate', 'rate', 0.001, 1, 0.1),
  ]),
  boosting: trees('Gradient boosting', 'GradientBoostingClassifier', 'GradientBoostingRegressor', [
    trees_count(100),
    number('learning_rate', 'rate', 0.001, 0.1, 0.05),
    whole('max_leaf_nodes', 'leaves', 2, 10000, 31),
    DEPTH,
    whole('min_samples_leaf', 'min-rows', 1, 100000, null),
    SEED,
  ]),
  knn: {
    name: 'Nearest neighbors',
    classifier: 'KNeighborsClassifier',
    regressor: 'KNeighborsRegressor',
    kind: 'neighbors',
    grows: false,
    parameters: [
      whole('n_neighbors', 'neighbors', 1, 1000, 5),
      choice('weights', 'vote', ['uniform', 'distance', 'squared_distance']),
      choice('metric', 'metric', ['auto', 'euclidean', 'manhattan', 'chebyshev', 'heom', 'gower']),
    ],
  },
};

export const ALGORITHMS = Object.keys(LEARNERS) as Algorithm[];
export const GROWING = ALGORITHMS.filter((name) => LEARNERS[name].grows);

/** The way to prune that a parameter belongs to. */
const PRUNED_BY: Record<string, string> = { confidence: 'pessimistic', ccp_alpha: 'cost_complexity' };
/** What has no effect once the way to prune is another one. */
export const PRUNING_PARAMETERS = Object.keys(PRUNED_BY);

/** The learners that can predict such a target. */
export function learnersOf(task: Task): Algorithm[] {
  return ALGORITHMS.filter((name) => LEARNERS[name][task === 'regression' ? 'regressor' : 'classifier'] !== undefined);
}

/** The parameters of a learner for a task. */
export function parametersOf(algorithm: Algorithm, task: Task): Parameter[] {
  return LEARNERS[algorithm].parameters.filter((parameter) => parameter.task === undefined || parameter.task === task);
}

/** The parameters that have an effect with these values: each way to prune has its own. */
export function parametersInUse(algorithm: Algorithm, task: Task, params: Params): Parameter[] {
  const all = parametersOf(algorithm, task);
  const prune = params['prune'] === undefined ? all.find(({ name }) => name === 'prune')?.standard : params['prune'];
  return all.filter(({ name }) => PRUNED_BY[name] === undefined || PRUNED_BY[name] === prune);
}

function whole(name: string, option: string, min: number, max: number, standard: number | null): Parameter {
  return { name, option, kind: 'whole', min, max, step: 1, standard };
}

function number(name: string, option: string, min: number, standard: Value, step: number, max?: number): Parameter {
  return { name, option, kind: 'number', min, max, step, standard };
}

function choice(name: string, option: string, choices: string[], task?: Task): Parameter {
  return { name, option, kind: 'choice', choices, standard: choices[0]!, task };
}

function pruning(choices: string[]): Parameter {
  return choice('prune', 'prune', choices);
}

function trees_count(standard: number): Parameter {
  return whole('n_estimators', 'trees', 1, 1000, standard);
}

function tree(name: string, classifier: string, regressor: string | undefined, parameters: Parameter[]): Learner {
  return { name, classifier, regressor, kind: 'tree', grows: true, parameters };
}

function trees(name: string, classifier: string, regressor: string, parameters: Parameter[]): Learner {
  return { name, classifier, regressor, kind: 'trees', grows: false, parameters };
}
