/** Impurities of what the reader sets with a slider; everything else is in the document. */
import { sumOf } from '../ui/palette';

export type Criterion = 'entropy' | 'gini' | 'variance';
export type LogBase = '2' | 'e' | '10';

const LOG: Record<LogBase, (value: number) => number> = { '2': Math.log2, e: Math.log, '10': Math.log10 };

/** −p log p, or p squared. */
export function classTerm(share: number, criterion: Criterion, base: LogBase): number {
  if (criterion === 'gini') return share * share;
  return share > 0 ? -share * LOG[base](share) : 0;
}

/** Entropy or Gini index of class weights. */
export function classImpurity(weights: readonly number[], criterion: Criterion, base: LogBase): number {
  const total = sumOf(weights);
  if (!(total > 0)) return 0;
  const terms = sumOf(weights.map((weight) => classTerm(weight / total, criterion, base)));
  return criterion === 'gini' ? 1 - terms : Math.max(0, terms);
}

/** Mean squared deviation from the mean. */
export function variance(values: readonly number[], weights: readonly number[]): number {
  return squaredError(values, weights, meanOf(values, weights));
}

export function meanOf(values: readonly number[], weights: readonly number[]): number {
  return sumOf(values.map((value, at) => value * weights[at]!)) / (sumOf(weights) || 1);
}

/** Mean squared error of one prediction for all values. */
export function squaredError(values: readonly number[], weights: readonly number[], prediction: number): number {
  return sumOf(values.map((value, at) => weights[at]! * (value - prediction) ** 2)) / (sumOf(weights) || 1);
}

/** Weights with the share of one class changed; the others keep their proportions. */
export function withShare(weights: readonly number[], index: number, share: number): number[] {
  const total = sumOf(weights) || 1;
  const others = total - weights[index]!;
  const empty = others <= 1e-12 ? weights.length - 1 : 0;
  return weights.map((weight, at) => {
    if (at === index) return share;
    return empty ? (1 - share) / empty : ((1 - share) * weight) / others;
  });
}
