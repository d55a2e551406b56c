/** Answers of the quiz: what was typed, and whether it is right. */
import { signal } from '@preact/signals';
import { parseNumber } from '../ui/numbers';
import type { Blank } from './steps';

export type Verdict = 'empty' | 'right' | 'wrong';

/** By the id of the blank: what was typed, or the position of the chosen feature. */
export const answers = signal<ReadonlyMap<string, string>>(new Map());
/** Whether the key is shown; from then on answers do not count. */
export const keyShown = signal(false);

/** Counts new starts, so that fields are empty again. */
export const rounds = signal(0);

export function answer(id: string, text: string): void {
  answers.value = new Map(answers.value).set(id, text);
}

export function startAgain(): void {
  answers.value = new Map();
  keyShown.value = false;
  rounds.value++;
}

const EQUAL = 1e-9;

/** A number within the tolerance, or as rounding at each step gives it; a choice that is among the best. */
export function judge(blank: Blank, typed: string | undefined): Verdict {
  if (typed === undefined || typed.trim() === '') return 'empty';
  if (Array.isArray(blank.expected)) return blank.expected.includes(Number(typed)) ? 'right' : 'wrong';
  const value = parseNumber(typed);
  if (Number.isNaN(value)) return 'wrong';
  const near = Math.abs(value - blank.expected) <= blank.tolerance + EQUAL;
  return near || blank.also.some((other) => Math.abs(value - other) <= EQUAL) ? 'right' : 'wrong';
}

export function countVerdicts(blanks: Blank[]): Record<Verdict, number> {
  const counts = { empty: 0, right: 0, wrong: 0 };
  for (const blank of blanks) counts[judge(blank, answers.value.get(blank.id))]++;
  return counts;
}
