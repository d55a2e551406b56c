/** The vote of the k nearest rows, for a k that the reader sets. */
import { isRegression, lesson } from './document';
import type { NeighborsSteps } from './steps';

type Neighbor = NeighborsSteps['rows'][number];

export interface Vote {
  used: { neighbor: Neighbor; weight: number; share: number }[];
  /** For each class the sum of weights and its share of all. */
  classes: { weight: number; share: number }[];
  /** The class, or the weighted mean. */
  prediction: number;
  /** The distance of the k-th row; rows that are as far away and not used. */
  distance: number;
  left_out: Neighbor[];
}

/** Rows at distance 0 decide alone where nearer rows weigh more. */
function weightOf(distance: number, how: NeighborsSteps['weights'], someAtZero: boolean): number {
  if (how === 'equal') return 1;
  if (someAtZero) return distance === 0 ? 1 : 0;
  return how === 'distance' ? 1 / distance : 1 / distance ** 2;
}

export function countVotes(steps: NeighborsSteps, k: number): Vote {
  const nearest = steps.rows.slice(0, k);
  const someAtZero = nearest.some((neighbor) => neighbor.distance === 0);
  const weights = nearest.map((neighbor) => weightOf(neighbor.distance, steps.weights, someAtZero));
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const classes = (lesson().table.classes ?? []).map((_, index) => {
    const weight = nearest.reduce((sum, neighbor, at) => sum + (neighbor.target === index ? weights[at]! : 0), 0);
    return { weight, share: weight / total };
  });
  const distance = nearest[nearest.length - 1]?.distance ?? 0;
  const mean = nearest.reduce((sum, neighbor, at) => sum + neighbor.target * weights[at]!, 0) / total;
  return {
    used: nearest.map((neighbor, at) => ({ neighbor, weight: weights[at]!, share: weights[at]! / total })),
    classes,
    prediction: isRegression() ? mean : firstLargest(classes.map((one) => one.weight)),
    distance,
    left_out: steps.rows
      .slice(k)
      .filter((neighbor) => Math.abs(neighbor.distance - distance) <= 1e-12 * (1 + distance)),
  };
}

/** Sums of equal weights may differ in the last digits. */
function firstLargest(values: number[]): number {
  let best = 0;
  values.forEach((value, at) => {
    if (value > values[best]! * (1 + 1e-12)) best = at;
  });
  return best;
}
