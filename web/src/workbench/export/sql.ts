/** The tree as a SQL CASE expression in standard SQL: names in double quotes, text in single ones. */
import { DIVIDED, STAYS, type ModelNode, type TreeModel } from '../../tree/model';
import { words } from '../../texts/workbench';
import { categoriesOf, nodesOf, predictionText, thresholdOf, type Step } from './tree';

export function sqlText(tree: TreeModel, table: string): string {
  const divided = nodesOf(tree).some((node) => node.split?.missing === DIVIDED);
  const remark = divided ? `-- ${words.export.sqlDivided}\n` : '';
  const prediction = writeNode(tree, tree.nodes[0]!, '  ');
  return `${remark}SELECT\n  t.*,\n  ${prediction} AS "prediction"\nFROM ${quoteName(table)} AS t;\n`;
}

function writeNode(tree: TreeModel, node: ModelNode, indent: string): string {
  const answer = tree.classes ? quoteText(predictionText(tree, node)) : predictionText(tree, node);
  if (!node.split || node.children.length === 0) return answer;
  const split = node.split;
  const feature = tree.features[split.feature]!;
  const inner = `${indent}  `;
  const lines = node.children.map((id, child) => {
    const condition = writeCondition({ feature, split, child });
    return condition ? `${inner}WHEN ${condition} THEN ${writeNode(tree, tree.nodes[id]!, inner)}\n` : '';
  });
  const goes = split.missing < STAYS ? node.children[split.missing] : undefined;
  const rest = goes === undefined ? answer : writeNode(tree, tree.nodes[goes]!, inner);
  return `CASE\n${lines.join('')}${inner}ELSE ${rest}\n${indent}END`;
}

/** The condition of a branch; empty where only rows without a value take it. */
function writeCondition(step: Step): string {
  const name = `t.${quoteName(step.feature.name)}`;
  if (step.split.route) {
    const names = categoriesOf(step).map(quoteText);
    if (names.length === 0) return '';
    return names.length === 1 ? `${name} = ${names[0]}` : `${name} IN (${names.join(', ')})`;
  }
  const threshold = thresholdOf(step);
  if (step.child === 2) return `${name} IS NULL`;
  if (threshold === Infinity) return `${name} IS ${step.child === 0 ? 'NOT ' : ''}NULL`;
  return `${name} ${step.child === 0 ? '<=' : '>'} ${threshold}`;
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
