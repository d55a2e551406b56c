/** The tree that is exported, as leaves with their conditions. */
import type { Feature, SplitRule } from '../../contract';
import {
  modelOfDoc,
  modelOfState,
  pathTo,
  predictedClass,
  toNumber,
  type ModelNode,
  type TreeModel,
} from '../../tree/model';
import { sumOf } from '../../ui/palette';
import { fitted, grownModel, choice } from '../use/models';

/** The tree of the Grow screen, or that of the trained learner; null for ensembles and neighbors. */
export function exportedTree(): TreeModel | null {
  if (choice.value === 'grown' && grownModel.value) return modelOfState(grownModel.value);
  const trees = fitted.value?.trees;
  return trees && fitted.value?.n_trees === 1 && trees[0] ? modelOfDoc(trees[0]) : null;
}

export function nodesOf(tree: TreeModel): ModelNode[] {
  return tree.nodes.filter((node): node is ModelNode => node !== undefined);
}

export function leavesOf(tree: TreeModel): ModelNode[] {
  return nodesOf(tree).filter((node) => node.children.length === 0);
}

/** The class that a node predicts, or the number. */
export function predictionText(tree: TreeModel, node: ModelNode): string {
  if (tree.classes) return tree.classes[predictedClass(node)] ?? '';
  return String((node.output ?? node.value)[0] ?? 0);
}

/** The weight of the rows of a leaf that it predicts correctly. */
export function correctRows(tree: TreeModel, node: ModelNode): number {
  return tree.classes ? (node.value[predictedClass(node)] ?? 0) : sumOf([node.weight]);
}

export interface Step {
  feature: Feature;
  split: SplitRule;
  child: number;
}

/** The branches from the root to a node. */
export function stepsTo(tree: TreeModel, id: number): Step[] {
  const path = pathTo(tree, id);
  return path.slice(1).map((to, at) => {
    const parent = tree.nodes[path[at]!]!;
    const split = parent.split!;
    return { feature: tree.features[split.feature]!, split, child: parent.children.indexOf(to) };
  });
}

/** The categories that go to a child. */
export function categoriesOf({ feature, split, child }: Step): string[] {
  return (feature.levels ?? []).filter((_, code) => split.route?.[code] === child);
}

export function thresholdOf({ split }: Step): number {
  return toNumber(split.threshold);
}
