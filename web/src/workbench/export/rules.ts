/** The tree as rules: one line for each leaf, a column that is asked twice in one condition. */
import { formatValue } from '../../tree/labels';
import type { TreeModel } from '../../tree/model';
import { formatCount } from '../../ui/numbers';
import { categoriesOf, correctRows, leavesOf, predictionText, stepsTo, thresholdOf, type Step } from './tree';

export interface Rule {
  conditions: string[];
  prediction: string;
  rows: number;
  correct: number;
}

/** The rules of a tree, those of most rows first. */
export function rulesOf(tree: TreeModel): Rule[] {
  return leavesOf(tree)
    .map((leaf) => ({
      conditions: joinSteps(stepsTo(tree, leaf.id)),
      prediction: predictionText(tree, leaf),
      rows: leaf.rows,
      correct: correctRows(tree, leaf),
    }))
    .sort((one, other) => other.rows - one.rows);
}

export function rulesText(tree: TreeModel): string {
  return rulesOf(tree)
    .map((rule, at) => {
      const condition = rule.conditions.length ? `if ${rule.conditions.join(' and ')} then` : 'always';
      const right = tree.classes ? `, ${formatCount(rule.correct)} correct` : '';
      return `${at + 1}. ${condition} ${tree.target} = ${rule.prediction}   (${formatCount(rule.rows)} rows${right})\n`;
    })
    .join('');
}

/** Steps as conditions: bounds of one number become one condition. */
function joinSteps(steps: Step[]): string[] {
  const byName = new Map<string, Step[]>();
  for (const step of steps) byName.set(step.feature.name, [...(byName.get(step.feature.name) ?? []), step]);
  return [...byName.values()].flatMap((group) =>
    group[0]!.split.route ? group.slice(-1).map(categoryCondition) : numberConditions(group),
  );
}

function categoryCondition(step: Step): string {
  const names = categoriesOf(step);
  if (names.length === 0) return `${step.feature.name} is missing`;
  return names.length === 1 ? `${step.feature.name} = ${names[0]}` : `${step.feature.name} in {${names.join(', ')}}`;
}

function numberConditions(steps: Step[]): string[] {
  const feature = steps[0]!.feature;
  const special = steps.filter((step) => step.child === 2 || thresholdOf(step) === Infinity);
  const bounds = steps.filter((step) => !special.includes(step));
  const upper = Math.min(...bounds.filter((step) => step.child === 0).map(thresholdOf));
  const lower = Math.max(...bounds.filter((step) => step.child === 1).map(thresholdOf));
  const words = special.map((step) => `${feature.name} is ${step.child === 0 ? 'not ' : ''}missing`);
  if (lower > -Infinity && upper < Infinity) {
    return [...words, `${formatValue(feature, lower)} < ${feature.name} ≤ ${formatValue(feature, upper)}`];
  }
  if (lower > -Infinity) words.push(`${feature.name} > ${formatValue(feature, lower)}`);
  if (upper < Infinity) words.push(`${feature.name} ≤ ${formatValue(feature, upper)}`);
  return words;
}
