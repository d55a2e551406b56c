/** The data of a report, as `treewright._web.report` embeds it. */
import type { Cell, Combine, Curve, Feature, NodeWork, TreeColumns } from '../contract';

export interface ReportDoc {
  form: 1;
  title: string;
  kind: 'tree' | 'trees' | 'rules' | 'neighbors';
  algorithm: string;
  target: string;
  /** Of the model; null: it predicts a number. */
  classes: string[] | null;
  features: Feature[];
  /** All trees of the model; only `trees.length` of them are in the document. */
  n_trees: number;
  /** Absent for models without trees. */
  trees?: TreeColumns[];
  /** Of the trees, whose nodes may hold numbers though the model predicts classes. */
  tree_classes?: string[] | null;
  criterion?: 'entropy' | 'gini' | 'variance';
  chooses_by?: 'gain' | 'gain_ratio';
  /** So many of the trees can be looked at. */
  shown?: number;
  /** By node of the only tree. */
  work?: Record<string, NodeWork>;
  curve?: Curve | null;
  /** A typical row: a cell for each feature. */
  start?: Cell[];
  /** The cost of each prediction for each true class. */
  costs?: number[][];
  /** Absent: not all trees are in the document, so the page cannot predict. */
  combine?: Combine;
  check?: CheckCases;
  rows?: IncludedRows;
}

/** Cases with the predictions of the model, to compare with those of the page. */
export interface CheckCases {
  cells: Cell[][];
  /** The probability of each class, or one number. */
  expected: number[][];
}

export interface IncludedRows {
  /** Of the table; the document holds fewer. */
  total: number;
  title: string;
  /** By feature. */
  cells: Cell[][];
  truth: string[];
}
