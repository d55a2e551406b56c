/** Why a case is predicted so, and the smallest change of one value that would change it. */
import type { Cell, Feature } from '../contract';
import { type Palette, largestOf } from '../ui/palette';
import { branchCondition } from './labels';
import { type TreeModel, toNumber } from './model';
import { type EndsAt, numberOf, routeRow } from './route';

/** The conditions of a path, only the strictest of each column and side. */
export function strictestConditions(model: TreeModel, path: readonly number[]): string[] {
  const conditions = new Map<string, string>();
  for (const id of path) {
    const parent = model.nodes[model.nodes[id]!.parent];
    if (!parent?.split) continue;
    const child = parent.children.indexOf(id);
    const side = parent.split.route ? '=' : child;
    const key = `${parent.split.feature} ${side}`;
    // The deepest condition is the strictest; it takes the place of the one before.
    conditions.delete(key);
    conditions.set(key, branchCondition(model, parent.split, child));
  }
  return [...conditions.values()];
}

export interface Change {
  feature: number;
  /** The new value in words of the tree: a category, or a side of a threshold. */
  to: { category: string } | { side: '≤' | '>'; threshold: number };
  prediction: number[];
}

/** The range of a numeric feature, in which distances are measured. */
export type RangeOf = (feature: number) => number;

/** More splits than this are not tried: the form must answer at once. */
const MOST_TRIED = 4000;

/** How a model predicts: a tree alone, or many trees together. */
export interface Forecast {
  /** All trees of the model. */
  trees: readonly TreeModel[];
  /** Of the model, with their colors; null: it predicts a number. */
  classes: readonly string[] | null;
  palette: Palette;
  /** The probability of each class, or the number. */
  predict: (cells: readonly Cell[]) => number[];
  /** The class of probabilities. */
  choose: (prediction: readonly number[]) => number;
}

/** A tree alone predicts the most probable class. */
export function forecastOfTree(model: TreeModel, endsAt?: EndsAt): Forecast {
  const predict = (cells: readonly Cell[]) => routeRow(model, cells, endsAt).prediction;
  return { trees: [model], classes: model.classes, palette: model.palette, predict, choose: largestOf };
}

/** Null: no single change of a value gives another class. Numbers have no "other prediction". */
export function smallestChange(
  forecast: Forecast,
  cells: readonly Cell[],
  rangeOf: RangeOf,
  endsAt?: EndsAt,
): Change | null {
  if (!forecast.classes) return null;
  const now = forecast.choose(forecast.predict(cells));
  const tries = possibleChanges(forecast.trees, cells, rangeOf, endsAt).sort((a, b) => a.cost - b.cost);
  const most = Math.ceil(MOST_TRIED / forecast.trees.length);
  for (const { feature, value, to } of tries.slice(0, most)) {
    const changed = cells.slice();
    changed[feature] = value;
    const prediction = forecast.predict(changed);
    if (forecast.choose(prediction) !== now) return { feature, to, prediction };
  }
  return null;
}

interface Try {
  feature: number;
  value: Cell;
  to: Change['to'];
  cost: number;
}

function possibleChanges(
  trees: readonly TreeModel[],
  cells: readonly Cell[],
  rangeOf: RangeOf,
  endsAt?: EndsAt,
): Try[] {
  const tries = new Map<string, Try>();
  for (const node of trees.flatMap((tree) => tree.nodes)) {
    if (!node?.split || endsAt?.(node)) continue;
    const { feature } = node.split;
    const about = trees[0]!.features[feature]!;
    const found = node.split.route
      ? categoryTries(about, feature, cells[feature])
      : [thresholdTry(about, feature, cells[feature], toNumber(node.split.threshold), rangeOf(feature))];
    for (const one of found) if (one) tries.set(`${feature} ${String(one.value)}`, one);
  }
  return [...tries.values()];
}

/** Another category is as far as the whole range of a number. */
function categoryTries(about: Feature, feature: number, cell: Cell | undefined): Try[] {
  const others = (about.levels ?? []).filter((level) => level !== cell);
  return others.map((level) => ({ feature, value: level, to: { category: level }, cost: 1 }));
}

/** The nearest value on the other side of a threshold. */
function thresholdTry(
  about: Feature,
  feature: number,
  cell: Cell | undefined,
  threshold: number,
  range: number,
): Try | null {
  if (cell === null || cell === undefined || cell === '' || !Number.isFinite(threshold)) return null;
  const value = numberOf(about, cell);
  const above = value > threshold;
  const next = above ? threshold : threshold + Math.max(Math.abs(threshold), 1) * 1e-9;
  const cost = Math.abs(value - threshold) / (range || 1);
  return { feature, value: next, to: { side: above ? '≤' : '>', threshold }, cost };
}
