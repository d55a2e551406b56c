/** The prediction of a model of one tree or many, as the core combines them. */
import type { Cell, Combine } from '../contract';
import { largestOf, sumOf } from '../ui/palette';
import type { TreeModel } from './model';
import { type EndsAt, routeRow } from './route';

/** The probabilities of the classes, or one number. */
export function predictRow(
  trees: readonly TreeModel[],
  combine: Combine,
  cells: readonly Cell[],
  endsAt?: EndsAt,
): number[] {
  const said = trees.map((tree) => routeRow(tree, cells, endsAt).prediction);
  return applyLink(combine, addTrees(combine, said));
}

/** The sums before the link. The order of the additions is that of the trees. */
function addTrees(combine: Combine, said: readonly number[][]): number[] {
  const scale = (tree: number) => combine.scales[tree] ?? 1;
  if (combine.how === 'median') return [weightedMedian(said.map(([value], tree) => [value!, scale(tree)]))];
  const sums = combine.base.length > 0 ? combine.base.slice() : said[0]!.map(() => 0);
  said.forEach((values, tree) => {
    const target = combine.targets[tree];
    if (combine.how === 'vote') sums[largestOf(values)]! += scale(tree);
    else if (target !== undefined) sums[target]! += scale(tree) * values[0]!;
    else values.forEach((value, k) => (sums[k]! += scale(tree) * value));
  });
  if (combine.how === 'mean' && said.length > 1) return sums.map((sum) => sum / said.length);
  if (combine.how !== 'vote') return sums;
  const total = sumOf(said.map((_, tree) => scale(tree)));
  return sums.map((votes) => (votes - (total - votes) / (sums.length - 1)) / total);
}

/** The first value, in their order, that half of the weight has reached. */
function weightedMedian(values: [number, number][]): number {
  const sorted = values.slice().sort((a, b) => a[0] - b[0]);
  const total = sumOf(sorted.map(([, weight]) => weight));
  let reached = 0;
  for (const [value, weight] of sorted) {
    reached += weight;
    if (reached >= 0.5 * total) return value;
  }
  return 0;
}

function applyLink({ how, link }: Combine, sums: number[]): number[] {
  if (link === 'exp') return sums.map(Math.exp);
  if (link === 'logistic') {
    const share = 1 / (1 + Math.exp(-sums[0]!));
    return [1 - share, share];
  }
  if (link === 'identity') return sums;
  const divisor = how === 'vote' ? sums.length - 1 : 1;
  const top = Math.max(...sums);
  const parts = sums.map((sum) => Math.exp((sum - top) / divisor));
  const total = sumOf(parts);
  return parts.map((part) => part / total);
}

/** The predicted class: the most probable one, or the one of least expected cost; the first of equals. */
export function chooseClass(shares: readonly number[], costs?: readonly (readonly number[])[]): number {
  if (!costs) return largestOf(shares);
  const expected = shares.map((_, answer) => sumOf(shares.map((share, truth) => share * costs[truth]![answer]!)));
  const least = Math.min(...expected) * (1 + 1e-12);
  return expected.findIndex((cost) => cost <= least);
}
