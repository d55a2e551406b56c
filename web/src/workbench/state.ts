/**
 * The state of the workbench: the table, how it is read, the learner with its parameters, and where the user is.
 * Screens read these signals; `actions.ts` and the Grow screen change them.
 */
import { computed, effect, signal } from '@preact/signals';
import type { Algorithm, Engine, Failure, OpenOptions, Spec, Table, TreeState } from '../contract';
import { DEFAULT_ALGORITHM, type Params } from './learner/learners';

export type Screen = 'data' | 'grow' | 'compare' | 'use' | 'export';
export type Mode = 'explore' | 'lesson' | 'quiz';
export const SCREENS: Screen[] = ['data', 'grow', 'compare', 'use', 'export'];
export const MODES: Mode[] = ['explore', 'lesson', 'quiz'];

/** A table that can be opened: its text, as it was in the file. */
export interface Source {
  name: string;
  bytes: Uint8Array;
  /** Tables of the package are known by name, so that commands need no file. */
  builtIn: boolean;
  /** How it is opened at first. */
  options: OpenOptions;
  /** A table that the server read from a file: its number there; `bytes` is empty. */
  held?: number;
}

/** What the user decided; every change of it can be undone. */
export interface Setup {
  source: Source | null;
  options: OpenOptions;
  algorithm: Algorithm;
  /** What differs from the defaults, by learner. */
  params: Partial<Record<Algorithm, Params>>;
}

export const engine = signal<Engine | null>(null);
/** The engine, once it has been compiled: a table may be chosen before that. */
export function whenReady(): Promise<Engine> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (engine.value) resolve(engine.value);
    });
    void Promise.resolve().then(() => engine.peek() && stop());
  });
}

export const sources = signal<Source[]>([]);
/** What each built-in table is about. */
export const titles = signal<Record<string, string>>({});
export const setup = signal<Setup>({ source: null, options: {}, algorithm: 'c45', params: {} });
/** The table as the engine reads it with the setup; null while there is none. */
export const table = signal<Table | null>(null);

export const screen = signal<Screen>('data');
export const mode = signal<Mode>('explore');

/** A place in the Grow screen, for links: kept by that screen, read by it once a tree has started. */
export interface Place {
  step: number | null;
  node: number | null;
  level: number | null;
}
export const place = signal<Place>({ step: null, node: null, level: null });

/** The tree of the Grow screen with its present nodes, for the Use and Export screens; kept by the Grow screen. */
export const grown = signal<TreeState | null>(null);

export const failure = signal<Failure | null>(null);

export const target = computed(() => (table.value && table.value.target !== '' ? table.value.target : null));
/** The learner of the setup with its parameters; null until a target is chosen. */
export const spec = computed<Spec | null>(() => {
  const open = table.value;
  const { algorithm, params } = setup.value;
  return open && target.value !== null ? { table: open.id, algorithm, params: params[algorithm] ?? {} } : null;
});
export const isNumeric = computed(() => target.value !== null && table.value?.classes === null);

/** The learner that a table begins with. */
export function defaultAlgorithm(opened: Table | null): Algorithm {
  return opened && opened.target !== '' && opened.classes === null
    ? DEFAULT_ALGORITHM.regression
    : DEFAULT_ALGORITHM.classification;
}
