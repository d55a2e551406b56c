/** The smallest change of one column that changes the predicted class: values next to the thresholds, other categories. */
import type { Cell } from '../contract';
import { type TreeModel, toNumber } from '../tree/model';

export interface Change {
  feature: number;
  cell: Cell;
  /** In words: at most a threshold, above it, or a category. */
  kind: 'at_most' | 'above' | 'category';
  /** The threshold or the category. */
  value: number | string;
  answer: number;
}

/** More values than this are not tried: the reader waits for the result of each key. */
const MOST_TRIED = 400;

interface Trial extends Change {
  /** How far the value is from that of the row, by rank among the thresholds of the column. */
  distance: number;
}

/** Null: no change of a single column does it. */
export function findChange(
  trees: readonly TreeModel[],
  row: readonly Cell[],
  answerOf: (row: readonly Cell[]) => number,
): Change | null {
  const now = answerOf(row);
  const trials = listTrials(trees, row).sort((a, b) => a.distance - b.distance || a.feature - b.feature);
  for (const trial of trials.slice(0, MOST_TRIED)) {
    const next = row.slice();
    next[trial.feature] = trial.cell;
    const answer = answerOf(next);
    if (answer !== now) return { ...trial, answer };
  }
  return null;
}

function listTrials(trees: readonly TreeModel[], row: readonly Cell[]): Trial[] {
  const cuts = new Map<number, Set<number>>();
  for (const tree of trees) {
    for (const node of tree.nodes) {
      if (!node?.split) continue;
      const own = cuts.get(node.split.feature) ?? new Set<number>();
      if (!node.split.route) own.add(toNumber(node.split.threshold));
      cuts.set(node.split.feature, own);
    }
  }
  return [...cuts].flatMap(([feature, own]) => trialsOf(trees[0]!, feature, [...own].filter(Number.isFinite), row[feature]));
}

function trialsOf(tree: TreeModel, feature: number, cuts: number[], cell: Cell | undefined): Trial[] {
  const about = tree.features[feature]!;
  if (about.kind === 'categorical') {
    const others = (about.levels ?? []).filter((name) => name !== cell);
    return others.map((name) => ({ feature, cell: name, kind: 'category', value: name, answer: -1, distance: 1 }));
  }
  const here = typeof cell === 'number' ? cell : NaN;
  if (Number.isNaN(here)) return [];
  const below = cuts.filter((cut) => cut < here).sort((a, b) => b - a);
  const above = cuts.filter((cut) => cut >= here).sort((a, b) => a - b);
  const down = below.map<Trial>((cut, rank) => ({ feature, cell: cut, kind: 'at_most', value: cut, answer: -1, distance: rank }));
  const up = above.map<Trial>((cut, rank) => {
    return { feature, cell: justAbove(cut, above[rank + 1]), kind: 'above', value: cut, answer: -1, distance: rank };
  });
  return [...down, ...up];
}

/** A number between a threshold and the next one. */
function justAbove(cut: number, next: number | undefined): number {
  return next === undefined ? cut + Math.max(1, Math.abs(cut) * 1e-6) : (cut + next) / 2;
}
