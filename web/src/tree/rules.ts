/** The leaves of a tree as rules: the conditions on each column merged, in words and as SQL. */
import type { Feature, SplitRule } from '../contract';
import { showName } from '../ui/names';
import { formatValue } from './labels';
import { type ModelNode, type TreeModel, pathTo, predictedClass, toNumber } from './model';
import type { TreeView } from './view';

/** What the value of one column must be. */
export interface Condition {
  feature: number;
  /** Numbers: above `low`, at most `high`. */
  low: number;
  high: number;
  /** Categories that may pass; null: the column is numeric. */
  codes: readonly number[] | null;
  /** Whether rows without a value take this path. */
  missing: boolean;
  /** Whether only rows without a value take it. */
  onlyMissing: boolean;
}

export interface Rule {
  node: number;
  conditions: Condition[];
  rows: number;
  weight: number;
  /** Classes: the predicted one, the weight of its rows, their fraction and its 95 % interval, and the lift. */
  answer: number;
  correct: number;
  precision: number;
  interval: readonly [number, number];
  lift: number;
  /** Numbers: the mean and the standard deviation. */
  mean: number;
  deviation: number;
}

/** One rule for each leaf of the tree as it is pruned, the most rows first. */
export function listRules(view: TreeView): Rule[] {
  const model = view.model.value;
  const rules: Rule[] = [];
  const stack = model.nodes[0] ? [0] : [];
  while (stack.length > 0) {
    const node = view.node(stack.pop()!)!;
    if (view.isLeaf(node)) rules.push(ruleOf(model, node));
    else stack.push(...node.children);
  }
  return rules.sort((a, b) => b.rows - a.rows || a.node - b.node);
}

function ruleOf(model: TreeModel, node: ModelNode): Rule {
  const answer = model.classes ? predictedClass(node) : 0;
  const correct = model.classes ? node.value[answer]! : 0;
  const root = model.nodes[0]!;
  const share = root.weight > 0 ? root.value[answer]! / root.weight : 0;
  const precision = node.weight > 0 ? correct / node.weight : 0;
  return {
    node: node.id,
    conditions: listConditions(model, node.id),
    rows: node.rows,
    weight: node.weight,
    answer,
    correct,
    precision,
    interval: wilsonInterval(correct, node.weight),
    lift: share > 0 ? precision / share : 0,
    mean: model.classes ? 0 : (node.output?.[0] ?? node.value[0]!),
    deviation: Math.sqrt(Math.max(0, node.impurity)),
  };
}

const Z = 1.959963984540054;

/** Wilson's 95 % interval of a fraction. */
export function wilsonInterval(correct: number, total: number): readonly [number, number] {
  if (!(total > 0)) return [0, 1];
  const share = correct / total;
  const square = (Z * Z) / total;
  const middle = (share + square / 2) / (1 + square);
  const half = (Z / (1 + square)) * Math.sqrt((share * (1 - share)) / total + square / (4 * total));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** The conditions between the root and a node, one for each column, in the order of the splits. */
export function listConditions(model: TreeModel, id: number): Condition[] {
  const found = new Map<number, Condition>();
  const path = pathTo(model, id);
  for (let at = 1; at < path.length; at++) {
    const parent = model.nodes[path[at - 1]!]!;
    narrow(found, model.features, parent.split!, parent.children.indexOf(path[at]!));
  }
  return [...found.values()];
}

function narrow(found: Map<number, Condition>, features: readonly Feature[], split: SplitRule, child: number): void {
  const feature = features[split.feature]!;
  const codes = feature.kind === 'categorical' ? (feature.levels ?? []).map((_, code) => code) : null;
  const start = { feature: split.feature, low: -Infinity, high: Infinity, codes, missing: true, onlyMissing: false };
  const before: Condition = found.get(split.feature) ?? start;
  const next = { ...before, missing: before.missing && split.missing === child };
  const threshold = toNumber(split.threshold);
  if (split.route) {
    next.codes = before.codes!.filter((code) => split.route![code] === child);
    next.onlyMissing = next.codes.length === 0;
  } else if (child === 2 || (threshold === Infinity && child === 1)) next.onlyMissing = true;
  else if (child === 0) next.high = Math.min(before.high, threshold);
  else next.low = Math.max(before.low, threshold);
  found.set(split.feature, next);
}

/** "45 < age ≤ 60", "Outlook = Sunny, Rain", "Wind is missing". */
export function conditionText(model: Pick<TreeModel, 'features'>, condition: Condition, orMissing = ' or missing'): string {
  const feature = model.features[condition.feature]!;
  const name = showName(feature.name);
  if (condition.onlyMissing) return `${name} is missing`;
  const tail = condition.missing && !feature.never_missing && (condition.codes || condition.low > -Infinity || condition.high < Infinity) ? orMissing : '';
  if (condition.codes) return `${name} = ${condition.codes.map((code) => showName(feature.levels![code]!)).join(', ')}${tail}`;
  const { low, high } = condition;
  if (low > -Infinity && high < Infinity) return `${formatValue(feature, low)} < ${name} ≤ ${formatValue(feature, high)}${tail}`;
  if (high < Infinity) return `${name} ≤ ${formatValue(feature, high)}${tail}`;
  return low > -Infinity ? `${name} > ${formatValue(feature, low)}${tail}` : `${name} is not missing`;
}

/** The conditions as the WHERE clause of a query; names and texts are quoted as the standard has it. */
export function whereClause(model: Pick<TreeModel, 'features'>, conditions: readonly Condition[]): string {
  const parts = conditions.map((condition) => sqlCondition(model.features[condition.feature]!, condition));
  return parts.join('\n  AND ') || 'TRUE';
}

function sqlCondition(feature: Feature, condition: Condition): string {
  const column = `"${feature.name.replaceAll('"', '""')}"`;
  if (condition.onlyMissing) return `${column} IS NULL`;
  const tests = condition.codes ? [inList(column, condition.codes.map((code) => feature.levels![code]!))] : bounds(feature, column, condition);
  const whole = tests.length > 0 ? tests.join(' AND ') : `${column} IS NOT NULL`;
  return condition.missing && tests.length > 0 ? `(${whole} OR ${column} IS NULL)` : whole;
}

function bounds(feature: Feature, column: string, { low, high }: Condition): string[] {
  if (feature.ordered) {
    return [inList(column, feature.ordered.filter((_, place) => place > low && place <= high))];
  }
  const literal = (x: number) => (feature.date ? `DATE '${formatValue(feature, x)}'` : String(x));
  const tests: string[] = [];
  if (low > -Infinity) tests.push(`${column} > ${literal(low)}`);
  if (high < Infinity) tests.push(`${column} <= ${literal(high)}`);
  return tests;
}

function inList(column: string, names: readonly string[]): string {
  const texts = names.map((name) => `'${name.replaceAll("'", "''")}'`);
  return texts.length === 1 ? `${column} = ${texts[0]}` : `${column} IN (${texts.join(', ')})`;
}
