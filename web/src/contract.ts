/**
 * The interface between the page and what computes: the same for the core in a worker (WebAssembly), for the local server
 * and for documents that are embedded in a page. Names are those of the JSON, so they are written with underscores.
 *
 * Numbers are never rounded here; a threshold or bound that is infinite is the string "inf" or "-inf".
 */

export type Cell = string | number | null;
export type Num = number | 'inf' | '-inf';

/** What the columns of a file are, as they were read, and why. */
export interface SourceColumn {
  name: string;
  /** How its cells are read. */
  kind: 'numeric' | 'categorical' | 'ordered' | 'date';
  role: 'feature' | 'target' | 'ignored';
  /** One sentence: why it is read so, or why it is ignored. Empty where there is nothing to say. */
  note: string;
  missing: number;
  distinct: number;
  /** Categories with their rows, in the order of the model's codes; at most 200 of them. */
  levels?: { name: string; rows: number }[];
  min?: number;
  max?: number;
}

/** A column as the trees ask about it. One source column may give several (parts of a date). */
export interface Feature {
  name: string;
  kind: 'numeric' | 'categorical';
  levels?: string[];
  /** A numeric feature whose values are positions in this list (ordered categories), or days (dates). */
  ordered?: string[];
  date?: boolean;
  /** Decimals that its thresholds are shown with. */
  decimals?: number;
  /** No value was missing in training, so that conditions do not mention missing values. */
  never_missing?: boolean;
  /** The position of its source column. */
  source: number;
}

export interface Table {
  id: number;
  name: string;
  rows: number;
  columns: SourceColumn[];
  features: Feature[];
  /** Target: its name and, for classes, their names in the order of the codes. */
  target: string;
  classes: string[] | null;
  /** Sentences on the file as a whole (delimiter, header, words for missing values). */
  notes: string[];
  /** The first rows, as text, in the order of `columns`. */
  head: string[][];
}

/** What the user decided about a file; everything else follows the rules for files. */
export interface OpenOptions {
  target?: string;
  task?: 'classification' | 'regression';
  delimiter?: string;
  header?: boolean;
  missing?: string[];
  decimal?: '.' | ',';
  thousands?: string;
  /** Lines that begin with it are left out. */
  comment?: string;
  /** Rows with too many or too few fields are left out; otherwise they are an error. */
  ragged?: 'drop';
  /** By column name. */
  columns?: Record<string, 'numeric' | 'categorical' | 'ignore' | 'keep'>;
  /** By column name: its categories in their order; those that are not listed come after them. */
  levels?: Record<string, string[]>;
}

/** How often each range of numbers or each category occurs in a source column, by class. */
export interface Distribution {
  /** Numbers: the ends of the ranges, one more than there are ranges. The last range includes its end. */
  edges?: number[];
  /** Categories: their names, the most frequent first, at most 12; the rest is in `others`. */
  levels?: string[];
  /** For each range or category: its rows by class. One number where the target is numeric, or not yet chosen. */
  counts: number[][];
  others?: number[];
  /** Rows without a value, by class. */
  missing: number[];
}

export type Algorithm =
  | 'zero-r' | 'one-r' | 'id3' | 'c45' | 'cart' | 'bagging' | 'forest' | 'extra-trees' | 'adaboost' | 'boosting' | 'knn';

/** A learner on a table: names and parameters are those of the command line (`max_depth`, `min_cases`, ...). */
export interface Spec {
  table: number;
  algorithm: Algorithm;
  params: Record<string, string | number | boolean | null>;
}

/** How rows leave a node: by a number, or by a category. */
export interface SplitRule {
  /** The position of the feature. */
  feature: number;
  /** Rows with values up to it go to the first child. */
  threshold?: Num;
  /** For each category the child; 65534: none. */
  route?: number[];
  /** The child of rows without a value; 65534: they stay here; 65535: to all children, in proportion to their weights. */
  missing: number;
}

/** A set of rows: a node, a branch, one side of a threshold. */
export interface Group {
  /** Rows, and their weight. */
  rows: number;
  weight: number;
  /** Classes: the weight of each. Numbers: the mean, alone. */
  value: number[];
  /** Entropy in bits, Gini index, or variance. */
  impurity: number;
}

export interface TreeNode extends Group {
  id: number;
  parent: number;
  children: number[];
  depth: number;
  split: SplitRule | null;
  gain: number;
  /** `open` nodes can still be split. */
  state: 'open' | 'split' | 'leaf';
  /** Not the choice of the algorithm. */
  by_hand: boolean;
  /** Why it is a leaf. */
  reason?: LeafReason;
}
export type LeafReason =
  | 'pure' | 'no_rows' | 'no_split' | 'max_depth' | 'min_rows' | 'min_gain' | 'max_leaves' | 'chance' | 'pruned' | 'by_hand' | 'majority';

/** A tree while it grows. */
export interface TreeState {
  id: number;
  rev: number;
  spec: Spec;
  criterion: 'entropy' | 'gini' | 'variance';
  /** What the choice goes by. */
  chooses_by: 'gain' | 'gain_ratio';
  features: Feature[];
  target: string;
  classes: string[] | null;
  nodes: TreeNode[];
}

/** What an action changed; the whole tree is sent only once. */
export interface Delta {
  rev: number;
  changed: TreeNode[];
  removed: number[];
}

export type Action =
  | { action: 'split'; node: number }
  | { action: 'split_on'; node: number; feature: number; threshold?: number }
  | { action: 'leaf'; node: number }
  | { action: 'grow'; node?: number }
  /** The learner's own pruning, as `fit` applies it. */
  | { action: 'prune' }
  | { action: 'undo' };

/** A candidate split of a node. */
export interface Candidate {
  split: SplitRule;
  /** False where the limits forbid it (too few rows in the branches, no gain); `verdict` says why. */
  admissible: boolean;
  /** The rows whose value is known, and those whose is not. */
  known: Group;
  unknown: Group | null;
  /** Of the known rows. */
  children: Group[];
  /** Impurity that remains after the split, of the known rows. */
  remaining: number;
  /** As it is compared: with unknown rows and the price of thresholds taken into account. */
  gain: number;
  split_information: number;
  gain_ratio: number;
  verdict: 'chosen' | 'tied' | 'less' | 'below_average' | 'too_few_rows' | 'no_gain' | 'by_hand';
  /** A numeric feature: what is subtracted from the gain because a threshold was searched, and the thresholds tried. */
  price?: number;
  cuts?: Cut[];
  /** The thresholds tried, where `cuts` holds only the best of them. */
  tried?: number;
}
/** A threshold between two neighboring values, with both sides. */
export interface Cut {
  below: number;
  above: number;
  threshold: number;
  gain: number;
  sides: [Group, Group];
}

/** Everything behind the choice in a node. */
export interface NodeWork {
  node: number;
  group: Group;
  candidates: Candidate[];
  /** The position in `candidates`, or null: the node is a leaf, because of `reason`. */
  chosen: number | null;
  reason?: LeafReason;
  /** C4.5: the average gain that a candidate needs, and how far below it may be. */
  average_gain?: number;
  slack?: number;
  /** What other algorithms would take, as positions in `candidates`. */
  would_choose?: Partial<Record<'id3' | 'c45' | 'cart', number>>;
}

export interface NodeRows {
  /** All rows of the node. */
  total: number;
  /** Positions in the table, from 0. */
  index: number[];
  /** The share of each row that is here: C4.5 sends a row with a missing value into several nodes. */
  fraction: number[];
  cells: Cell[][];
}

/** Error of all prunings of a tree, the smallest first. */
export interface Curve {
  leaves: number[];
  alpha: number[];
  training: number[];
  /** On rows that did not grow the tree: mean and standard error over folds. */
  validation: number[];
  se: number[];
  best: number;
  one_se: number;
  /** For each node of the tree: the alpha from which on it is a leaf. */
  link: number[];
}

export interface Fitted {
  id: number;
  spec: Spec;
  /** Trees: the model's trees as documents, at most `trees_shown` of `n_trees`. */
  trees?: TreeDoc[];
  n_trees?: number;
  /** 0-R, 1-R: the rule in words and the errors of every column. */
  rules?: { feature: number; errors: number; rows: number; chosen: boolean }[];
  /** Share of training rows that are wrong, or the mean squared error. */
  training_error: number;
}

export interface Prediction {
  /** The class, or the number. */
  prediction: string | number;
  /** For classes, in their order. */
  probabilities?: number[];
  /** A tree: nodes from the root to the leaf, or to the leaves of a divided row. */
  path?: number[];
}

/** The same folds for all. The error of a fold is the share of its rows that is wrong, or the mean squared error. */
export interface Comparison {
  folds: number;
  results: { spec: Spec; name: string; error: number[]; mean: number; se: number; leaves: number; seconds: number }[];
}

export type Progress = (done: number, of: number, words?: string) => void;

/** What an error is, on every surface. */
export interface Failure {
  slug: string;
  message: string;
  hint?: string;
}

/** A failure thrown by an engine. */
export class EngineError extends Error {
  constructor(public readonly failure: Failure) {
    super(failure.message);
  }
}

/** The core in a worker of the page, or a server behind the same methods. A report has none. */
export interface Engine {
  open(bytes: Uint8Array, name: string, options: OpenOptions): Promise<Table>;
  /** Reads a table again that only the engine has: a server read it from a file. */
  reopen?(table: number, options: OpenOptions): Promise<Table>;
  rows(table: number, offset: number, limit: number): Promise<string[][]>;
  /** A source column; numbers in at most 24 ranges of equal width. */
  distribution(table: number, column: number): Promise<Distribution>;
  start(spec: Spec): Promise<TreeState>;
  step(tree: number, action: Action): Promise<Delta>;
  work(tree: number, node: number): Promise<NodeWork>;
  node_rows(tree: number, node: number, offset: number, limit: number): Promise<NodeRows>;
  curve(tree: number, folds: number, on: Progress): Promise<Curve>;
  fit(spec: Spec, on: Progress): Promise<Fitted>;
  /**
   * The model is a fitted one, or a tree that grows: both have ids of one kind. Cells as text, in the order of the
   * table's columns, the target included (it is not read); null is missing.
   */
  predict(model: number, rows: Cell[][]): Promise<Prediction[]>;
  compare(specs: Spec[], folds: number, on: Progress): Promise<Comparison>;
  /** The model file that `treewright.load` reads; of a fitted model or of a tree that grows. */
  model_file(model: number): Promise<Uint8Array>;
  /** Drops a table and everything learned from it, or a tree or a model, where the engine holds them in the page. */
  close?(id: number): Promise<void>;
  /** Stops what is running; its promise fails with the slug "stopped". */
  cancel(): void;
}

/** A finished tree in a document, by columns of the node table. */
export interface TreeDoc {
  features: Feature[];
  target: string;
  classes: string[] | null;
  criterion: 'entropy' | 'gini' | 'variance';
  tree: TreeColumns;
}

/** The node table: one number a node in each list, children after their parent and beside each other. */
export interface TreeColumns {
  first_child: number[];
  n_children: number[];
  feature: number[];
  /** Null where the node asks about categories, or nothing. */
  threshold: (Num | null)[];
  route_start: number[];
  /** For each node that asks about categories, from `route_start` on: the child of each category; 65534: none. */
  route: number[];
  missing: number[];
  count: number[];
  /** Absent where it is the sum of the classes. */
  weight?: number[];
  /** Classes: the weight of each, node after node; whole numbers are exact. Numbers: the mean of each node. */
  value: number[];
  /** Impurity times weight. Absent where it follows from the classes. */
  cost?: number[];
  /** Absent where nobody asks for it. */
  gain?: number[];
  /** By node: what it predicts where that is not `value` (as shares): smoothed probabilities, nodes without rows. */
  outputs?: Record<string, number[]>;
  /** Splits that are tried where a node's own has no value. */
  surrogates?: Surrogates;
}

/** The surrogate splits of all nodes, those of a node in the order in which they are tried. */
export interface Surrogates {
  /** For each node where its surrogates begin; they end where those of the next node begin. */
  start: number[];
  feature: number[];
  threshold: (Num | null)[];
  /** The child of numbers up to the threshold. */
  below: number[];
  route_start: number[];
  route: number[];
}

/** How the trees of an ensemble become one prediction: sums, then a link. */
export interface Combine {
  how: 'mean' | 'sum' | 'vote' | 'median';
  link: 'identity' | 'logistic' | 'softmax' | 'exp';
  base: number[];
  /** One a tree, or empty where all are 1. */
  scales: number[];
  /** One a tree: the sum that it adds to. Empty where output `o` of a tree adds to sum `o`. */
  targets: number[];
}
