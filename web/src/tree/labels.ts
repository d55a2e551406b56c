/** Splits and branches in words: "Outlook?", "Sunny", "≤ 75", "missing". */
import type { Feature, Num, SplitRule } from '../contract';
import { t } from '../texts';
import { clipText, showName } from '../ui/names';
import { formatNumber } from '../ui/numbers';
import { type TreeModel, toNumber } from './model';

const MANY_CATEGORIES = 3;
const DAY = 24 * 60 * 60 * 1000;

export function featureName(model: Pick<TreeModel, 'features'>, feature: number): string {
  return showName(model.features[feature]?.name ?? '?');
}

/** A value of a numeric feature: a number, an ordered category, or a date. */
export function formatValue(feature: Feature, value: Num): string {
  const number = toNumber(value);
  if (feature.ordered) return showName(feature.ordered[Math.floor(number)] ?? formatNumber(value));
  if (feature.date && Number.isFinite(number)) return formatDate(number);
  // Without decimals of its own: 12 digits are enough to tell neighboring values apart, and hide errors of floats.
  return feature.decimals === undefined
    ? formatNumber(Number(number.toPrecision(12)))
    : formatNumber(value, feature.decimals);
}

function formatDate(days: number): string {
  const time = new Date(days * DAY);
  return Number.isNaN(time.getTime()) ? formatNumber(days) : time.toISOString().slice(0, 10);
}

/** The branch to a child, without the column: "Sunny", "> 75", "A, B +4", "missing". */
export function branchLabel(feature: Feature, split: SplitRule, child: number): string {
  if (split.route) return categoryLabel(feature, split.route, child);
  const threshold = toNumber(split.threshold);
  if (child === 2 || (threshold === Infinity && child === 1)) return t.tree.missing;
  if (threshold === Infinity) return t.tree.known;
  return `${child === 0 ? '≤' : '>'} ${formatValue(feature, split.threshold!)}`;
}

function categoryLabel(feature: Feature, route: readonly number[], child: number): string {
  const names = (feature.levels ?? []).filter((_, code) => route[code] === child).map(showName);
  if (names.length === 0) return t.tree.missing;
  if (names.length <= MANY_CATEGORIES) return names.join(', ');
  return `${names.slice(0, 2).join(', ')} +${names.length - 2}`;
}

/** The branch with its column: "Outlook = Sunny", "Humidity ≤ 75", "Wind is missing". */
export function branchCondition(model: TreeModel, split: SplitRule, child: number): string {
  const feature = model.features[split.feature]!;
  const label = branchLabel(feature, split, child);
  const name = showName(feature.name);
  if (label === t.tree.missing) return `${name} ${t.tree.isMissing}`;
  if (label === t.tree.known) return `${name} ${t.tree.isKnown}`;
  return split.route ? `${name} = ${label}` : `${name} ${label}`;
}

/** How a node is reached from its parent, in short; empty for the root. */
export function nodeBranch(model: TreeModel, id: number): string {
  const way = wayTo(model, id);
  return way ? branchLabel(model.features[way.split.feature]!, way.split, way.child) : '';
}

/** How a node is reached from its parent, with the column; "all rows" for the root. */
export function nodeCondition(model: TreeModel, id: number): string {
  const way = wayTo(model, id);
  return way ? branchCondition(model, way.split, way.child) : t.tree.allRows;
}

function wayTo(model: TreeModel, id: number): { split: SplitRule; child: number } | null {
  const parent = model.nodes[model.nodes[id]?.parent ?? -1];
  return parent?.split ? { split: parent.split, child: parent.children.indexOf(id) } : null;
}

/** What a split tests, for tables: "Outlook", "Humidity ≤ 75". */
export function splitLabel(model: TreeModel, split: SplitRule): string {
  const name = featureName(model, split.feature);
  return split.route ? name : `${name} ${branchLabel(model.features[split.feature]!, split, 0)}`;
}

/** The question of a node, cut to a length: "Outlook?". */
export function questionLabel(model: TreeModel, split: SplitRule, length: number): string {
  return `${clipText(featureName(model, split.feature), length)}?`;
}
