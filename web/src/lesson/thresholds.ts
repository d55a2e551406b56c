/** All places for a threshold in a numeric column, with both sides, from the rows themselves. */
import type { Group } from '../contract';
import { lesson } from './document';
import { classImpurity, meanOf, variance } from './measures';
import type { ThresholdsScreen } from './steps';

export type NumericColumn = ThresholdsScreen['columns'][number];
type Row = NumericColumn['values'][number];

export interface Threshold {
  below: number;
  above: number;
  /** Halfway between the two values. */
  middle: number;
  sides: [Group, Group];
  /** Impurity that remains, and what it is less than the impurity of all rows with a value. */
  remaining: number;
  gain: number;
  /** Whether both sides are large enough. */
  allowed: boolean;
}

/** The rows of a set: its weight, its classes or mean, and its impurity. */
export function measureRows(rows: Row[]): Group {
  const { criterion } = lesson().model;
  const weights = rows.map((row) => row.weight);
  const weight = weights.reduce((sum, one) => sum + one, 0);
  const classes = lesson().table.classes;
  if (classes === null) {
    const targets = rows.map((row) => row.target);
    return { rows: rows.length, weight, value: [meanOf(targets, weights)], impurity: variance(targets, weights) };
  }
  const value = classes.map(() => 0);
  for (const row of rows) value[row.target]! += row.weight;
  return { rows: rows.length, weight, value, impurity: classImpurity(value, criterion, lesson().settings.log_base) };
}

/** One threshold between each two neighboring values, ascending. */
export function listThresholds(column: NumericColumn): Threshold[] {
  const { values } = column;
  const all = measureRows(values);
  const found: Threshold[] = [];
  for (let at = 1; at < values.length; at++) {
    const below = values[at - 1]!.value;
    const above = values[at]!.value;
    if (below === above) continue;
    const sides: [Group, Group] = [measureRows(values.slice(0, at)), measureRows(values.slice(at))];
    const remaining = (sides[0].weight * sides[0].impurity + sides[1].weight * sides[1].impurity) / all.weight;
    const least = Math.min(sides[0].weight, sides[1].weight);
    const allowed = least >= column.least_side - 1e-9;
    found.push({
      below,
      above,
      middle: (below + above) / 2,
      sides,
      remaining,
      gain: all.impurity - remaining,
      allowed,
    });
  }
  return found;
}

/** The position of the threshold with the largest gain among those allowed; the first of equals. */
export function bestThreshold(thresholds: Threshold[]): number {
  let best = -1;
  thresholds.forEach((threshold, at) => {
    if (threshold.allowed && (best < 0 || threshold.gain > thresholds[best]!.gain + 1e-12)) best = at;
  });
  return Math.max(best, 0);
}

/** The position of the threshold nearest to a value. */
export function nearestThreshold(thresholds: Threshold[], value: number): number {
  let best = 0;
  thresholds.forEach((threshold, at) => {
    if (Math.abs(threshold.middle - value) < Math.abs(thresholds[best]!.middle - value)) best = at;
  });
  return best;
}
