/** One tree for all views, whether it came in a document or is being grown. */
import type { Delta, Feature, Num, SplitRule, Surrogates, TreeDoc, TreeNode, TreeState } from '../contract';
import { type Palette, largestOf, makePalette, sumOf } from '../ui/palette';

/** In place of a child: the row stays in this node. */
export const STAYS = 65534;
/** In place of a child: the row goes to all children, in proportion to their weights. */
export const DIVIDED = 65535;

export interface ModelNode extends TreeNode {
  /** What the node predicts where that is not what `value` says: smoothed probabilities, nodes without rows. */
  output?: readonly number[];
  /** Splits that are tried, one after the other, where the node's own has no value. */
  surrogates?: readonly SurrogateRule[];
}

/** A split that stands in for that of a node. */
export interface SurrogateRule {
  feature: number;
  /** Numbers up to the threshold go to the child `below`, the others to the other one. */
  threshold: number;
  below: number;
  /** For each category the child; null: the feature is numeric. */
  route: readonly number[] | null;
}

export interface TreeModel {
  features: readonly Feature[];
  target: string;
  /** Null: the target is a number. */
  classes: readonly string[] | null;
  criterion: 'entropy' | 'gini' | 'variance';
  /** By id; the places of nodes that were removed are empty. Node 0 is the root, children come after their parent. */
  nodes: readonly (ModelNode | undefined)[];
  palette: Palette;
  /** The ends of the scale that means are drawn on; for numbers only. */
  range: readonly [number, number] | null;
}

/** The class that a node predicts, as a position. */
export function predictedClass(node: ModelNode): number {
  return largestOf(node.output ?? node.value);
}

/** What a node predicts for each class, or the one number that it predicts. */
export function predictionOf(node: ModelNode, classes: readonly string[] | null): readonly number[] {
  if (node.output) return node.output;
  if (!classes) return node.value;
  const total = sumOf(node.value);
  return node.value.map((weight) => (total > 0 ? weight / total : 0));
}

export function toNumber(x: Num | null | undefined): number {
  return x === 'inf' ? Infinity : x === '-inf' ? -Infinity : (x ?? NaN);
}

/** The nodes from the root to this one. */
export function pathTo(model: TreeModel, id: number): number[] {
  const path: number[] = [];
  for (let node = model.nodes[id]; node; node = model.nodes[node.parent]) path.unshift(node.id);
  return path;
}

/** Takes a tree that grows. */
export function modelOfState(state: TreeState): TreeModel {
  return finishModel(state, placeById([], state.nodes));
}

/** The same tree after an action. */
export function applyDelta(model: TreeModel, delta: Delta): TreeModel {
  const nodes = placeById(model.nodes, delta.changed);
  for (const id of delta.removed) nodes[id] = undefined;
  while (nodes.length > 0 && !nodes[nodes.length - 1]) nodes.pop();
  return finishModel(model, nodes);
}

function placeById(old: TreeModel['nodes'], changed: readonly TreeNode[]): (ModelNode | undefined)[] {
  const nodes = old.slice();
  for (const node of changed) nodes[node.id] = node;
  return nodes;
}

type Heading = Pick<TreeModel, 'features' | 'target' | 'classes' | 'criterion'>;

function finishModel(heading: Heading, given: TreeModel['nodes']): TreeModel {
  const { features, target, classes, criterion } = heading;
  const nodes = fillEmptyNodes(given, classes);
  const palette = classes ? makePalette(nodes[0]?.value ?? []) : [];
  return { features, target, classes, criterion, nodes, palette, range: classes ? null : rangeOf(nodes) };
}

/** A node without rows predicts what its parent predicts. Parents come first. */
function fillEmptyNodes(nodes: TreeModel['nodes'], classes: TreeModel['classes']): TreeModel['nodes'] {
  const isEmpty = (node: ModelNode | undefined) => node && node.rows === 0 && node.parent >= 0 && !node.output;
  if (!nodes.some((node) => isEmpty(node) && sumOf(node!.value) === 0)) return nodes;
  const filled = nodes.slice();
  for (const node of nodes) {
    const parent = node && filled[node.parent];
    if (node && parent && isEmpty(node) && sumOf(node.value) === 0) {
      filled[node.id] = { ...node, output: predictionOf(parent, classes) };
    }
  }
  return filled;
}

/** Wide enough for all means, and for one standard deviation around that of the root. */
function rangeOf(nodes: TreeModel['nodes']): [number, number] {
  const root = nodes[0];
  const spread = Math.sqrt(Math.max(root?.impurity ?? 0, 0));
  let low = (root?.value[0] ?? 0) - spread;
  let high = (root?.value[0] ?? 0) + spread;
  for (const node of nodes) {
    if (!node || node.rows === 0) continue;
    low = Math.min(low, node.value[0]!);
    high = Math.max(high, node.value[0]!);
  }
  return [low, high];
}

/** Takes a finished tree from a document. */
export function modelOfDoc(doc: TreeDoc): TreeModel {
  const nodes = doc.tree.count.map((_, id) => nodeOfDoc(doc, id));
  for (const parent of nodes) {
    for (const id of parent.children) {
      nodes[id]!.parent = parent.id;
      nodes[id]!.depth = parent.depth + 1;
    }
  }
  return finishModel(doc, nodes);
}

function nodeOfDoc(doc: TreeDoc, id: number): ModelNode {
  const { tree, classes } = doc;
  const width = classes?.length ?? 1;
  const value = tree.value.slice(id * width, (id + 1) * width);
  const weight = tree.weight?.[id] ?? sumOf(value);
  const first = tree.first_child[id]!;
  const children = Array.from({ length: tree.n_children[id]! }, (_, child) => first + child);
  const output = tree.outputs?.[id];
  return {
    id,
    parent: -1,
    children,
    depth: 0,
    rows: tree.count[id]!,
    weight,
    value,
    impurity: tree.cost ? (weight > 0 ? tree.cost[id]! / weight : 0) : impurityOf(doc.criterion, value),
    gain: tree.gain?.[id] ?? 0,
    split: children.length > 0 ? splitOfDoc(doc, id) : null,
    state: children.length > 0 ? 'split' : 'leaf',
    by_hand: false,
    ...(output && { output }),
    ...(tree.surrogates && { surrogates: surrogatesOfDoc(doc, tree.surrogates, id) }),
  };
}

/** Entropy in bits, or the Gini index, from the weights of the classes. */
function impurityOf(criterion: TreeDoc['criterion'], value: readonly number[]): number {
  const total = sumOf(value);
  const shares = value.filter((weight) => weight > 0).map((weight) => weight / total);
  if (criterion === 'gini') return shares.length > 1 ? 1 - sumOf(shares.map((share) => share * share)) : 0;
  return shares.length > 1 ? -sumOf(shares.map((share) => share * Math.log2(share))) : 0;
}

function surrogatesOfDoc({ features }: TreeDoc, all: Surrogates, id: number): SurrogateRule[] {
  const rules: SurrogateRule[] = [];
  for (let at = all.start[id]!; at < (all.start[id + 1] ?? all.feature.length); at++) {
    const feature = all.feature[at]!;
    const start = all.route_start[at]!;
    const levels = features[feature]!.kind === 'categorical' ? (features[feature]!.levels?.length ?? 0) : -1;
    const route = levels < 0 ? null : all.route.slice(start, start + levels);
    rules.push({ feature, threshold: toNumber(all.threshold[at]), below: all.below[at]!, route });
  }
  return rules;
}

function splitOfDoc({ tree, features }: TreeDoc, id: number): SplitRule {
  const feature = tree.feature[id]!;
  const missing = tree.missing[id]!;
  const about = features[feature]!;
  if (about.kind === 'numeric') return { feature, threshold: tree.threshold[id]!, missing };
  const start = tree.route_start[id]!;
  return { feature, route: tree.route.slice(start, start + (about.levels?.length ?? 0)), missing };
}
