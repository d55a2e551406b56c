/**
 * Delimited text to cells, for rows that are only passed on to a model: the engine reads what the cells mean. Quotes
 * follow RFC 4180; blanks around cells are removed as in training tables.
 */
import { EngineError } from '../../contract';
import { words } from '../../texts/workbench';

export interface TextRows {
  header: string[];
  rows: string[][];
}

const SEPARATORS = [',', ';', '\t', '|'];

export function readText(bytes: Uint8Array, delimiter: string | undefined, hasHeader: boolean): TextRows {
  const text = decode(bytes);
  const separator = delimiter ?? mostFrequent(text.slice(0, text.search(/[\r\n]|$/)));
  const rows = separator === 'whitespace' ? splitWords(text) : splitCells(text, separator);
  const width = rows[0]?.length ?? 0;
  if (width === 0) throw new EngineError({ slug: 'data.empty', message: words.use.empty });
  const header = hasHeader ? rows.shift()! : rows[0]!.map((_, index) => `c${index + 1}`);
  return { header, rows: rows.map((row) => fit(row, width)) };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new EngineError({ slug: 'data.encoding', message: words.use.encoding });
  }
}

function mostFrequent(line: string): string {
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!;
}

function splitWords(text: string): string[][] {
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/[ \t]+/));
}

function splitCells(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const quoted = text[at] === '"';
    const end = quoted ? closingQuote(text, at) : at;
    const stop = nextBreak(text, end, separator);
    row.push(quoted ? text.slice(at + 1, end).replaceAll('""', '"') : text.slice(at, stop).trim());
    at = stop + 1;
    if (text[stop] !== separator) {
      if (row.length > 1 || row[0] !== '') rows.push(row);
      row = [];
      if (text[stop] === '\r' && text[stop + 1] === '\n') at += 1;
    } else if (at >= text.length) row.push('');
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

/** The position of the quote that ends a cell; the end of the text where none does. */
function closingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at < 0 ? text.length : at;
}

function nextBreak(text: string, from: number, separator: string): number {
  let at = from;
  while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at += 1;
  return at;
}

function fit(row: string[], width: number): string[] {
  return row.length === width ? row : Array.from({ length: width }, (_, index) => row[index] ?? '');
}
