/** A page that shows the tree, its rules and how to reproduce it, without any script. */
import type { Table } from '../../contract';
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import type { TreeModel } from '../../tree/model';
import { showName } from '../../ui/names';
import { formatCount } from '../../ui/numbers';
import { htmlPage, paragraph, tableHtml } from './html';
import { pictureText } from './picture';
import { rulesOf } from './rules';
import { correctRows, leavesOf } from './tree';

/** Larger trees are not readable as a picture on one page. */
const MOST_DRAWN = 120;

export function staticPage(tree: TreeModel, table: Table, title: string, command: string): string {
  const nodes = tree.nodes.filter((node) => node !== undefined).length;
  const rules = rulesOf(tree).map((rule, at) => [
    String(at + 1),
    rule.conditions.join(' and '),
    rule.prediction,
    formatCount(rule.rows),
    ...(tree.classes ? [formatCount(rule.correct)] : []),
  ]);
  const head = [
    words.page.number,
    words.page.if,
    words.page.then,
    words.page.rows,
    ...(tree.classes ? [words.page.correct] : []),
  ];
  return htmlPage(title, [
    paragraph(summary(tree, table, nodes)),
    nodes <= MOST_DRAWN ? pictureText(tree) : paragraph(words.page.tooLarge),
    paragraph(words.page.rules, 'h2'),
    tableHtml(
      head,
      rules.map((cells) => cells.map(showName)),
    ),
    paragraph(words.page.reproduce, 'h2'),
    paragraph(command, 'pre'),
  ]);
}

function summary(tree: TreeModel, table: Table, nodes: number): string {
  const leaves = leavesOf(tree);
  const facts = fillText(words.page.facts, {
    name: showName(table.name),
    rows: formatCount(table.rows),
    target: showName(tree.target),
    nodes,
    leaves: leaves.length,
  });
  if (!tree.classes) return facts;
  const correct = leaves.reduce((sum, leaf) => sum + correctRows(tree, leaf), 0);
  const counts = { correct: formatCount(correct), rows: formatCount(tree.nodes[0]!.weight) };
  return `${facts} ${fillText(words.page.training, counts)}`;
}
