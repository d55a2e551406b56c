/**
 * What the errors of folds say: a mean with its interval, and whether chance explains a difference. The folds share
 * training rows, so variances are corrected as Nadeau and Bengio propose; the command line does the same.
 */
import { chanceOf, quantile } from './student';

export interface Summary {
  mean: number;
  low: number;
  high: number;
}

export function summarize(errors: readonly number[]): Summary {
  const n = errors.length;
  const mean = meanOf(errors);
  if (n < 2) return { mean, low: mean, high: mean };
  const half = quantile(0.05, n - 1) * deviation(errors) * Math.sqrt(1 / n + 1 / (n - 1));
  return { mean, low: Math.max(0, mean - half), high: mean + half };
}

/** The probability of such a difference by chance; null where it cannot be told. */
export function compareFolds(one: readonly number[], other: readonly number[]): number | null {
  const differences = one.map((error, fold) => error - (other[fold] ?? 0));
  const n = differences.length;
  const mean = meanOf(differences);
  const spread = deviation(differences);
  if (n < 2 || (spread === 0 && mean === 0)) return n < 2 ? null : 1;
  if (spread === 0) return 0;
  return chanceOf(mean / (spread * Math.sqrt(1 / n + 1 / (n - 1))), n - 1);
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
}

function deviation(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(values.length - 1, 1));
}
