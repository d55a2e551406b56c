/**
 * A lesson as data: what `treewright lesson` writes as JSON and what the page of a lesson reads (element `lesson`; the
 * texts of all languages are in the element `texts`, so that the reader can switch).
 *
 * Numbers are never rounded, except where a `text` says how a number is printed. Entropies, gains and split information
 * are in `settings.unit`. Rows, features, classes and nodes are positions from 0; a row is shown as position + 1.
 */

import type { Cell, Curve, Feature, Group, NodeWork, SplitRule, TreeDoc } from '../contract';

export interface LessonDoc {
  format: 'treewright-lesson';
  version: 1;
  title: string;
  settings: Settings;
  model: LessonModel;
  table: LessonTable;
  /** The finished tree; the numbers of nodes are positions in it. */
  tree: TreeDoc;
  /** All nodes of the tree: node n is at position n. Screens list those that the lesson covers. */
  nodes: LessonNode[];
  /** Those of the twelve that apply to the table and the model, in their order. */
  screens: Screen[];
}

export interface Settings {
  unit: 'bits' | 'nats' | 'hartleys';
  /** Of the logarithms in formulas. */
  log_base: '2' | 'e' | '10';
  digits: number;
  /** Round what is printed, or every step, or cut off the digits of every step. */
  rounding: 'exact' | 'lecture' | 'truncate';
  language: 'en' | 'de' | 'zh';
  /** Start with the results hidden. */
  quiz: boolean;
}

export interface LessonModel {
  algorithm: 'ID3' | 'C4.5' | 'CART';
  /** The class of the package, and its parameters where they are not the defaults. */
  estimator: string;
  params: Record<string, string | number | boolean | null>;
  criterion: 'entropy' | 'gini' | 'variance';
  chooses_by: 'gain' | 'gain_ratio';
}

export interface LessonTable {
  name: string;
  features: Feature[];
  /** For each row the values of the features, as they are written; null is missing. */
  rows: Cell[][];
  /** For each row the position of its class, or its number. */
  target_values: number[];
  target: string;
  classes: string[] | null;
  /** The weight of each row, where they are not all 1. */
  weights: number[] | null;
}

/** The element `texts`: for each language the sentences by their key. */
export type LessonTexts = Record<Settings['language'], Record<string, string>>;

/** A sentence of the text table: `texts[key]` with `{name}` replaced by the arguments. */
export interface Sentence {
  key: string;
  args: Record<string, Arg>;
}
/** A name from the data, a number of things, a number that is printed as `text`, or names that the language joins. */
export type Arg = string | { count: number } | { number: number; text: string } | { list: string[] };

/** Everything about one node of the tree. */
export interface LessonNode {
  node: number;
  parent: number | null;
  depth: number;
  /** From the root: the feature of each split, and what the branch is called. */
  path: { feature: number; branch: string }[];
  /** The rows in it, and the share of each: C4.5 sends a row with a missing value into several nodes. */
  rows: number[];
  fraction: number[];
  group: Group;
  /** The impurity, term by term, and written out. */
  terms: Term[];
  formula: Formula;
  /** What the node predicts: the position of a class, or a number; and the classes that are tied for it. */
  prediction: number;
  tied_classes: number[];
  /** The candidates with their children, cuts and verdicts; null for a node that cannot be split. */
  work: NodeWork | null;
  /** For each candidate of `work`: names of branches and formulas. */
  candidates: CandidateSteps[];
  choice: Choice | null;
  /** The numbers of the child nodes, in the order of the branches; empty for a leaf. */
  children: number[];
  /** Why it is a leaf; null where it is not. */
  leaf: Sentence | null;
}

/** One term of an impurity: of a class, or of a value of a numeric target. */
export interface Term {
  /** The position of the class, or the value. */
  of: number;
  weight: number;
  total: number;
  /** -p log p, p squared, or weight times squared deviation. */
  value: number;
  /** Of a variance: the value minus the mean. */
  deviation?: number;
}

export interface CandidateSteps {
  feature: number;
  /** What each branch is called: a category, "≤ 75". */
  branches: string[];
  /** For each branch the terms of its impurity and the whole calculation. */
  terms: Term[][];
  impurity: Formula[];
  remaining: Formula;
  gain: Formula;
  /** C4.5: penalty for a searched threshold, split information and gain ratio. */
  price?: Formula;
  net?: Formula;
  split_information?: Formula;
  gain_ratio?: Formula;
}

/** How a split was chosen, by every algorithm; the first is that of the model. */
export interface Choice {
  algorithms: AlgorithmChoice[];
  /** The rule of the model's algorithm, what is chosen, and the ties. */
  sentences: Sentence[];
}
export interface AlgorithmChoice {
  algorithm: 'ID3' | 'C4.5' | 'CART';
  by: 'gain' | 'gain_ratio' | 'gini_decrease' | 'variance_decrease';
  rule: Sentence;
  /** The feature; null where no candidate competes. */
  chosen: number | null;
  /** The chosen feature and those tied with it; empty where there is no tie. */
  tied: number[];
  /** The features that compete, the best first. */
  ranking: { feature: number; score: number }[];
  left_out: { feature: number; reason: LeftOut }[];
  average_gain?: number;
  least_gain?: number;
  average_of?: number[];
}
export type LeftOut =
  | 'below_average' | 'too_few_rows' | 'no_adjusted_gain' | 'no_admissible_split' | 'all_missing' | 'too_many_values'
  | 'no_split_information' | 'no_gain';

/** A formula as a small tree, to be written as MathML: nothing is simplified. */
export type Formula =
  /** A symbol or words; `stage` where a quiz hides it. */
  | { is: 'name'; text: string; stage?: Stage }
  /** A number as printed; `differs` is what the printed operands would give (a footnote †). */
  | { is: 'number'; text: string; value?: number; stage?: Stage; differs?: string }
  /** A small fraction such as 9/14. */
  | { is: 'ratio'; top: string; bottom: string; stage?: Stage }
  | { is: 'log'; base: '2' | 'e' | '10'; of: Formula }
  /** A square where `to` is absent. */
  | { is: 'power'; of: Formula; to?: Formula }
  | { is: 'root'; of: Formula }
  | { is: 'call'; name: string; of: Formula }
  | { is: 'parentheses'; of: Formula }
  /** `wide`: with a sign of multiplication between the factors. */
  | { is: 'product'; factors: Formula[]; wide: boolean }
  | { is: 'quotient'; top: Formula; bottom: Formula }
  | { is: 'sum'; terms: { sign: 1 | -1; of: Formula }[] }
  /** One sign fewer than sides. */
  | { is: 'equation'; sides: Formula[]; signs: string[] };

/** The steps of a calculation, in their order. A quiz asks for one after the other. */
export type Stage =
  | 'counts' | 'cut' | 'entropy' | 'remainder' | 'gain' | 'ratio' | 'choice' | 'errors' | 'distance' | 'weight' | 'vote'
  | 'error' | 'weights' | 'cost';

interface ScreenBase {
  /** Short: "The table". */
  title: Sentence;
  /** What the screen teaches, one idea a sentence. */
  sentences: Sentence[];
}
export type Screen =
  | TableScreen | BaselinesScreen | ImpurityScreen | CandidatesScreen | ThresholdsScreen | ChoiceScreen | SplitScreen
  | PathScreen | OverfittingScreen | PruningScreen | OthersScreen | QuizScreen;
export type ScreenId = Screen['id'];

/** 1. The table is in the document; `group` is all its rows. */
export interface TableScreen extends ScreenBase {
  id: 'table';
  group: Group;
}

/** 2. */
export interface BaselinesScreen extends ScreenBase {
  id: 'baselines';
  /** The class (position) or the mean; errors are a weight of rows, or for numbers the sum of squared deviations. */
  zero_r: { prediction: number; errors: number; weight: number; class_weights: number[] };
  /** Null for a numeric target. */
  one_r: { chosen: number | null; tied: number[]; columns: OneRColumn[] } | null;
}
export interface OneRColumn {
  feature: number;
  errors: number;
  parts: { branch: string; class_weights: number[]; prediction: number; tied: boolean; errors: number }[];
}

/** 3. The impurity of a node, term by term; with two classes the curve has a slider. */
export interface ImpurityScreen extends ScreenBase {
  id: 'impurity';
  /** Of `nodes` of the document. */
  nodes: number[];
}

/** 4. */
export interface CandidatesScreen extends ScreenBase {
  id: 'candidates';
  nodes: number[];
}

/** 5. Numeric candidates: the values of a node in order, with their rows. The cuts are in its `work`. */
export interface ThresholdsScreen extends ScreenBase {
  id: 'thresholds';
  columns: {
    node: number;
    feature: number;
    /** Ascending; rows with a missing value are left out. `target` as in `target_values`. */
    values: { value: number; row: number; target: number; weight: number }[];
    /** The smallest weight of either side of a threshold; 0 where there is no such limit. */
    least_side: number;
    /** Why the threshold is not the middle of two values, where it is not. */
    note: Sentence | null;
  }[];
}

/** 6. */
export interface ChoiceScreen extends ScreenBase {
  id: 'choice';
  nodes: number[];
}

/** 7. The tree after 0, 1, 2 ... splits; `order` is the order of growth. */
export interface SplitScreen extends ScreenBase {
  id: 'split';
  order: {
    node: number;
    feature: number;
    split: SplitRule;
    children: { node: number; branch: string; rows: number[]; fraction: number[] }[];
    /** After this split: leaves, and the training errors (or the mean squared error) of the tree so far. */
    leaves: number;
    error: number;
  }[];
}

/** 8. For each row the way to its leaf; a divided row has all its leaves. */
export interface PathScreen extends ScreenBase {
  id: 'path';
  paths: { nodes: number[]; leaves: { node: number; fraction: number }[]; prediction: number; correct: boolean | null }[];
  /** Rows that are predicted wrongly, by weight; for numbers the mean squared error. */
  error: number;
  /** A row that is worth showing first. */
  row: number;
}

/** 9. The curve of a tree that is not pruned, which may be larger than the tree of the model. */
export interface OverfittingScreen extends ScreenBase {
  id: 'overfitting';
  folds: number;
  curve: Curve;
  /** The tree whose nodes `curve.link` is about. */
  tree: TreeDoc;
}

/** 10. Bottom-up: the decisions in their order, about nodes of `before`. */
export interface PruningScreen extends ScreenBase {
  id: 'pruning';
  method: 'pessimistic' | 'cost_complexity' | 'reduced_error';
  /** Whether the model was pruned by it; otherwise the lesson shows what it would do. */
  applied: boolean;
  before: TreeDoc;
  after: TreeDoc;
  /** For each node of `before` its node in `after`, or null. */
  places: (number | null)[];
  steps: {
    node: number;
    decision: 'keep' | 'leaf' | 'raise';
    /** The cost of the subtree, and of a leaf in its place. */
    subtree: number;
    as_leaf: number;
    /** How each was calculated. */
    formulas: { label: string; formula: Formula }[];
    sentence: Sentence;
  }[];
}

/** 11. Other algorithms on the same table, with few neighbors, rounds and trees. */
export interface OthersScreen extends ScreenBase {
  id: 'others';
  neighbors: NeighborsSteps | null;
  adaboost: AdaBoostSteps | null;
  forest: ForestSteps | null;
}
export interface NeighborsSteps {
  k: number;
  metric: string;
  weights: 'equal' | 'distance' | 'squared_distance';
  /** The row that is predicted, which is left out of the table. */
  row: number;
  /** All other rows, the nearest first. */
  rows: {
    row: number;
    distance: number;
    /** Whether it is one of the k nearest. */
    used: boolean;
    weight: number;
    share: number;
    target: number;
    /** For each feature: the (scaled) difference and what it adds to the distance; null where a value is missing. */
    parts: { feature: number; difference: number | null; adds: number }[];
    formula: Formula | null;
  }[];
  /** For classes: sum of weights and share of the vote; for numbers the weighted mean alone. */
  votes: { class: number; weight: number; share: number }[];
  prediction: number;
  /** Rows that are as far away as the k-th, where some of them are not used. */
  tie: { distance: number; used: number[]; not_used: number[] } | null;
  sentences: Sentence[];
}
export interface AdaBoostSteps {
  rounds: {
    /** The learner of the round, a tree with one split. */
    stump: TreeDoc;
    error: number;
    alpha: number;
    /** For each row. */
    before: number[];
    prediction: number[];
    wrong: boolean[];
    after: number[];
    formulas: { error: Formula; alpha: Formula };
  }[];
  /** The final vote of a row: what each round predicts with its weight, and the sum of each class. */
  vote: { row: number; rounds: { prediction: number; alpha: number }[]; sums: number[]; prediction: number };
  sentences: Sentence[];
}
export interface ForestSteps {
  trees: {
    tree: TreeDoc;
    /** For each row how often it was drawn. */
    drawn: number[];
    out_of_bag: number[];
    /** For each split node: the features that were drawn, and the one that was chosen. */
    columns: { node: number; drawn: number[]; chosen: number }[];
  }[];
  max_features: number;
  /** For each row: what each tree predicts that did not see it, the vote, and whether it is correct. */
  votes: {
    row: number;
    trees: { tree: number; prediction: number }[];
    prediction: number | null;
    correct: boolean | null;
  }[];
  /** Share of wrong rows among those with a vote; for numbers the mean squared error. */
  error: number | null;
  sentences: Sentence[];
}

/** 12. */
export interface QuizScreen extends ScreenBase {
  id: 'quiz';
  blanks: Blank[];
}
/** One thing to be filled in. */
export interface Blank {
  /** "n0.entropy", "n0.f2.gain", "n0.choice": the same in the page, on the sheet and in the key. */
  id: string;
  node: number;
  /** The feature of a candidate, and the position of its branch. */
  feature: number | null;
  branch: number | null;
  quantity: 'impurity' | 'branch_impurity' | 'remaining' | 'gain' | 'split_information' | 'gain_ratio' | 'choice';
  stage: Stage;
  question: Sentence;
  /** The exact number; for a choice the features that are right (all that are tied for the best). */
  expected: number | number[];
  /** As the key prints it. */
  text: string;
  /** A number is right within this of `expected`, or if it equals one of `also` (as rounding at each step gives it). */
  tolerance: number;
  also: number[];
  /** Shown after a wrong answer, with the result hidden. */
  formula: Formula | null;
}
