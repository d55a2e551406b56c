/** A printable worksheet: the table, and the calculation of each split with blanks; the key has the results. */
import type { Candidate, NodeWork, Table } from '../../contract';
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import { nodeCondition, splitLabel } from '../../tree/labels';
import type { TreeModel } from '../../tree/model';
import { pathTo } from '../../tree/model';
import { showName } from '../../ui/names';
import { formatCount, formatFixed } from '../../ui/numbers';
import { htmlPage, paragraph, tableHtml } from './html';

/** More rows than this do not fit on a sheet of paper. */
const MOST_ROWS = 60;
const BLANK = '________';

export function worksheetText(tree: TreeModel, table: Table, work: NodeWork[], byRatio: boolean, key: boolean): string {
  const title = fillText(key ? words.sheet.key : words.sheet.title, { name: showName(tree.target) });
  const parts = [
    ...(key ? [] : [paragraph(words.sheet.nameLine)]),
    ...rowsPart(table),
    ...work.flatMap((each, at) => exercise(tree, each, at + 1, byRatio, key)),
  ];
  return htmlPage(title, parts);
}

function rowsPart(table: Table): string[] {
  if (table.rows > MOST_ROWS || table.head.length < table.rows) {
    return [paragraph(fillText(words.sheet.tooManyRows, { name: table.name, n: formatCount(table.rows) }))];
  }
  const used = table.columns
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => column.role !== 'ignored');
  return [
    tableHtml(
      used.map(({ column }) => showName(column.name)),
      table.head.map((row) => used.map(({ index }) => showName(row[index] ?? ''))),
    ),
  ];
}

function exercise(tree: TreeModel, work: NodeWork, number: number, byRatio: boolean, key: boolean): string[] {
  const where =
    pathTo(tree, work.node)
      .slice(1)
      .map((id) => nodeCondition(tree, id))
      .join(words.sheet.and) || words.sheet.allRows;
  const counts = (tree.classes ?? [])
    .map((name, at) => `${formatCount(work.group.value[at]!)} ${showName(name)}`)
    .join(', ');
  const value = (x: number, known = true) => (key ? (known ? formatFixed(x) : '–') : BLANK);
  const measure = words.sheet.measures[tree.criterion];
  const chosen = work.chosen === null ? null : work.candidates[work.chosen];
  const ordered = [...work.candidates].sort((one, other) => one.split.feature - other.split.feature);
  const head = [words.sheet.split, words.sheet.left, words.sheet.gain, ...(byRatio ? [words.sheet.ratio] : [])];
  const row = (candidate: Candidate) => [
    splitLabel(tree, candidate.split),
    value(candidate.remaining, candidate.admissible),
    value(candidate.gain, candidate.admissible),
    ...(byRatio ? [value(candidate.gain_ratio, candidate.admissible)] : []),
  ];
  const answer = key ? (chosen ? splitLabel(tree, chosen.split) : words.sheet.leaf) : BLANK;
  return [
    paragraph(fillText(words.sheet.exercise, { n: number, where, counts }), 'h2'),
    paragraph(`${measure}: ${value(work.group.impurity)}`),
    tableHtml(head, ordered.map(row)),
    paragraph(`${words.sheet.choice}: ${answer}`),
  ];
}
