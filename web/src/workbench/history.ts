/** Undo of decisions: each change of the setup keeps the one before it. */
import { signal } from '@preact/signals';
import type { Setup } from './state';

interface Step {
  /** What was done, for the button that takes it back. */
  words: string;
  before: Setup;
}

const LONGEST = 100;
export const past = signal<Step[]>([]);

export function remember(words: string, before: Setup): void {
  past.value = [...past.value, { words, before }].slice(-LONGEST);
}

/** Take the last step off; the caller goes back to its setup. */
export function takeLast(): Step | undefined {
  const last = past.value.at(-1);
  past.value = past.value.slice(0, -1);
  return last;
}
