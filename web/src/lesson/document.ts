/** The lesson that the page shows, and what screens look up in it. */
import { formatValue } from '../tree/labels';
import { childOf } from '../tree/route';
import { formatNumber } from '../ui/numbers';
import { showName } from '../ui/names';
import { makePalette, type Palette } from '../ui/palette';
import { rounded } from '../ui/rounding';
import type { Candidate } from '../contract';
import type { LessonDoc, LessonNode, LessonTexts } from './steps';

let loaded: LessonDoc;
let tables: LessonTexts;
let colors: Palette = [];
let places = new Map<number, LessonNode>();

/** Called once, before the first drawing. */
export function openLesson(lesson: LessonDoc, texts: LessonTexts): void {
  loaded = lesson;
  tables = texts;
  const { classes, target_values: targets } = lesson.table;
  colors = makePalette((classes ?? []).map((_, index) => targets.filter((target) => target === index).length));
  places = new Map(lesson.nodes.map((node) => [node.node, node]));
}

export const lesson = (): LessonDoc => loaded;
export const lessonTexts = (): LessonTexts => tables;
export const palette = (): Palette => colors;

/** A node that the lesson covers; the root where it does not. */
export function nodeOf(id: number): LessonNode {
  return places.get(id) ?? loaded.nodes[0]!;
}

export const coveredNodes = (): ReadonlySet<number> => new Set(places.keys());

export const isRegression = (): boolean => loaded.table.classes === null;
export const featureName = (feature: number): string => showName(loaded.table.features[feature]?.name ?? '');
export const className = (index: number): string => showName(loaded.table.classes?.[index] ?? String(index));
export const targetName = (): string => showName(loaded.table.target);

/** A candidate of a node's work, by its feature. */
export function candidateOf(node: LessonNode, feature: number): Candidate | undefined {
  return node.work?.candidates.find((candidate) => candidate.split.feature === feature);
}

/** The branch of a candidate that a row goes to; a row that is divided or stays has none. */
export function branchOfRow(candidate: Candidate, row: number): number {
  const { features, rows } = loaded.table;
  return childOf(features, { split: candidate.split }, rows[row]!);
}

/** An entropy, a variance, a gain, an error: with the decimals of the lesson, as its formulas print them. */
export function figure(value: number): string {
  return rounded(value, loaded.settings.digits, loaded.settings.rounding === 'truncate');
}

/** What is predicted: the name of a class, or a number. */
export function predictionText(value: number): string {
  return isRegression() ? formatNumber(value, loaded.settings.digits) : className(value);
}

/** A cell of the table as text; null is missing. */
export function cellText(cell: string | number | null, feature: number): string {
  if (cell === null) return '?';
  return typeof cell === 'number' ? valueText(feature, cell) : showName(cell);
}

/** A value of a numeric feature: a number, an ordered category or a date. */
export function valueText(feature: number, value: number): string {
  return formatValue(loaded.table.features[feature]!, value);
}
