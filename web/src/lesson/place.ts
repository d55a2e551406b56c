/** Where the reader is: the screen, the node it is about and the step within it, kept in the fragment of the address. */
import { computed, signal } from '@preact/signals';
import type { Sentence } from './steps';

export interface Place {
  screen: string;
  node: number;
  step: number;
}

/** How many steps each screen has for a node; the page fills it before the first drawing. */
export interface Chapter {
  key: string;
  title: Sentence;
  steps: (node: number) => number;
  /** The steps that "Next" goes through; the others are reached by the controls of the screen. */
  walked: (node: number) => number;
}

export const chapters = signal<Chapter[]>([]);
export const place = signal<Place>({ screen: '', node: 0, step: 0 });
/** The position of the row that is followed through the lesson. */
export const followed = signal<number | null>(null);

export const chapterAt = computed(() =>
  Math.max(
    0,
    chapters.value.findIndex((one) => one.key === place.value.screen),
  ),
);
export const walkedSteps = computed(() => chapters.value[chapterAt.value]?.walked(place.value.node) ?? 1);
export const isFirst = computed(() => chapterAt.value === 0 && place.value.step === 0);
export const isLast = computed(
  () => chapterAt.value === chapters.value.length - 1 && place.value.step >= walkedSteps.value - 1,
);

/** One step forward (1) or back (-1); past the last step of a screen comes the next screen. */
export function move(by: 1 | -1): void {
  const step = place.value.step + by;
  if (step >= 0 && step < walkedSteps.value) go({ step });
  else moveChapter(by, by < 0);
}

/** The next or the previous screen, at its first step or, going back, at its last. */
export function moveChapter(by: 1 | -1, atEnd = false): void {
  const next = chapters.value[chapterAt.value + by];
  if (!next) return;
  const step = atEnd ? next.walked(place.value.node) - 1 : 0;
  go({ screen: next.key, step });
}

/** Another place; what is not named stays. A new screen starts at its first step. */
export function go(change: Partial<Place>): void {
  const fresh = change.screen !== undefined && change.screen !== place.value.screen;
  const next = { ...place.value, ...(fresh ? { step: 0 } : {}), ...change };
  place.value = next;
  history.replaceState(null, '', `#${writeFragment(next)}`);
  if (fresh) scrollTo(0, 0);
}

function writeFragment(at: Place): string {
  return `screen=${encodeURIComponent(at.screen)}&node=${at.node}&step=${at.step}`;
}

/** The place that a fragment names, as far as the lesson has it. */
export function readFragment(fragment: string, nodes: ReadonlySet<number>): Place {
  const values = new URLSearchParams(fragment.replace(/^#/, ''));
  const known = chapters.value.find((one) => one.key === values.get('screen')) ?? chapters.value[0];
  const node = readCount(values.get('node'));
  const at = nodes.has(node) ? node : 0;
  const last = (known?.steps(at) ?? 1) - 1;
  return { screen: known?.key ?? '', node: at, step: Math.min(readCount(values.get('step')), last) };
}

function readCount(text: string | null): number {
  const value = Number(text ?? 0);
  return Number.isInteger(value) && value > 0 ? value : 0;
}
