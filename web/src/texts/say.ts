/**
 * Sentences with blanks. `{n}` is filled with a value; `{n?row|rows}` is the first word where n is 1, else the second.
 * A value may be an element of the page (a class with its mark), so a sentence is a list of parts.
 */
import type { ComponentChildren } from 'preact';

export type Values = Record<string, ComponentChildren>;

const BLANK = /\{(\w+)(?:\?([^|{}]*)\|([^{}]*))?\}/g;

/** A sentence with its blanks filled, as parts to render. */
export function fillParts(sentence: string, values: Values = {}): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const found of sentence.matchAll(BLANK)) {
    parts.push(sentence.slice(end, found.index));
    parts.push(fillBlank(values[found[1]!], found[2], found[3]));
    end = found.index + found[0].length;
  }
  parts.push(sentence.slice(end));
  return parts.filter((part) => part !== '');
}

function fillBlank(value: ComponentChildren, one?: string, many?: string): ComponentChildren {
  if (many === undefined) return value ?? '';
  return String(value) === '1' ? one : many;
}

/** A sentence with its blanks filled with text and numbers. */
export function fillText(sentence: string, values: Record<string, string | number> = {}): string {
  return fillParts(sentence, values).join('');
}
