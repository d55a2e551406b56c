/** The way of a row through a tree, exactly as the core goes it: fractions, missing values and unseen categories too. */
import type { Cell, Feature } from '../contract';
import { DIVIDED, type ModelNode, STAYS, type TreeModel, predictionOf, toNumber } from './model';

export interface Routed {
  /** The probability of each class, or the number. */
  prediction: number[];
  /** The nodes where the row, or its parts, end, with their fractions of the row. */
  ends: { node: number; fraction: number }[];
  /** All nodes that the row, or a part of it, comes through; parents before their children. */
  path: number[];
}

/** Whether the tree ends at a node: at a leaf, or earlier where it is pruned. */
export type EndsAt = (node: ModelNode) => boolean;

/** A node, or a split that a node could have. */
type SplitNode = Pick<ModelNode, 'split' | 'surrogates'>;

const atLeaves: EndsAt = (node) => node.children.length === 0;

/** `cells` has a value for each feature; null and empty text are missing. */
export function routeRow(model: TreeModel, cells: readonly Cell[], endsAt: EndsAt = atLeaves): Routed {
  const ends: Routed['ends'] = [];
  const path: number[] = [];
  const parts: [number, number][] = [[0, 1]];
  while (parts.length > 0) {
    const [id, fraction] = parts.pop()!;
    const node = model.nodes[id]!;
    path.push(id);
    const child = node.split && !endsAt(node) ? childOf(model.features, node, cells) : STAYS;
    if (child === STAYS) ends.push({ node: id, fraction });
    else if (child === DIVIDED) parts.push(...divideRow(model, node, fraction));
    else parts.push([node.children[child]!, fraction]);
  }
  return { prediction: addPredictions(model, ends), ends, path: path.sort((a, b) => a - b) };
}

/** The last child first: parts are taken from the end, and their order decides the order of the additions. */
function divideRow(model: TreeModel, node: ModelNode, fraction: number): [number, number][] {
  return node.children
    .map((id) => model.nodes[id]!)
    .filter((child) => child.weight > 0)
    .reverse()
    .map((child) => [child.id, (fraction * child.weight) / node.weight]);
}

function addPredictions(model: TreeModel, ends: Routed['ends']): number[] {
  const first = predictionOf(model.nodes[ends[0]!.node]!, model.classes);
  if (ends.length === 1) return first.slice();
  const sums = first.map(() => 0);
  for (const { node, fraction } of ends) {
    predictionOf(model.nodes[node]!, model.classes).forEach((share, k) => {
      sums[k]! += fraction * share;
    });
  }
  return sums;
}

/** The child that the row goes to, as a position, or one of the two words. */
export function childOf(features: readonly Feature[], node: SplitNode, cells: readonly Cell[]): number {
  const { feature, route, threshold, missing } = node.split!;
  const value = readCell(features[feature]!, cells[feature]);
  if (value === null) return unansweredChild(features, node, cells);
  if (!route) return value > toNumber(threshold) ? 1 : 0;
  if (value === UNSEEN) {
    if (node.surrogates) return unansweredChild(features, node, cells);
    // An unseen category is as good as missing where rows are divided; elsewhere the row stays.
    return missing === DIVIDED ? DIVIDED : STAYS;
  }
  const child = route[value]!;
  return child === STAYS && node.surrogates ? unansweredChild(features, node, cells) : child;
}

/** The child of a row that the node's own split has no answer for: that of the first surrogate that has one. */
function unansweredChild(features: readonly Feature[], node: SplitNode, cells: readonly Cell[]): number {
  for (const { feature, route, threshold, below } of node.surrogates ?? []) {
    const value = readCell(features[feature]!, cells[feature]);
    if (value === null || value === UNSEEN) continue;
    const child = route ? route[value]! : value > threshold ? 1 - below : below;
    if (child !== STAYS) return child;
  }
  return node.split!.missing;
}

/** A category that the tree does not know. No code or day is so small. */
const UNSEEN = -Infinity;

/** The number, or the code of a category; null where it is missing. */
function readCell(feature: Feature, cell: Cell | undefined): number | null {
  if (cell === null || cell === undefined || cell === '') return null;
  if (feature.kind === 'categorical') {
    const code = feature.levels?.indexOf(String(cell)) ?? -1;
    return code < 0 ? UNSEEN : code;
  }
  const value = numberOf(feature, cell);
  return Number.isNaN(value) ? null : value;
}

/** A cell of a numeric feature: a number, the position of an ordered category, or the day of a date. */
export function numberOf(feature: Feature, cell: string | number): number {
  if (typeof cell === 'number') return cell;
  if (feature.ordered) {
    const position = feature.ordered.indexOf(cell);
    return position < 0 ? NaN : position;
  }
  if (feature.date && /^\d{4}-\d{2}-\d{2}/.test(cell)) return Date.parse(`${cell.slice(0, 10)}T00:00:00Z`) / 86_400_000;
  return Number(cell);
}
