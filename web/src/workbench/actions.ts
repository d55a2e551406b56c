/** What the user can decide: the table, how its columns are read, the target, the learner. Each can be undone. */
import { batch, signal } from '@preact/signals';
import type { Algorithm, Engine, OpenOptions, Table } from '../contract';
import { fillText } from '../texts/say';
import { words } from '../texts/workbench';
import { announce } from '../ui/live';
import { sumOf } from '../ui/palette';
import { MAX_BYTES, checkFile } from './file_checks';
import { remember, takeLast } from './history';
import { LEARNERS, PRUNING_PARAMETERS, learnersOf, type Params, type Value } from './learner/learners';
import {
  defaultAlgorithm,
  engine,
  failure,
  grown,
  place,
  setup,
  sources,
  table,
  whenReady,
  type Setup,
  type Source,
} from './state';
import { run } from './tasks';

/** A target that could be classes or numbers: the user is asked. */
export const undecided = signal<string | null>(null);
const AMBIGUOUS = 'fit.ambiguous-task';

/** Open a table; its own options say how it is read at first. */
export async function openSource(source: Source, algorithm?: Algorithm | null): Promise<boolean> {
  const before = setup.value;
  const next: Setup = { ...before, source, options: source.options, algorithm: algorithm ?? before.algorithm };
  const opened = await openTable(next);
  if (!opened) return false;
  const chosen = algorithm && suits(algorithm, opened) ? algorithm : defaultAlgorithm(opened);
  batch(() => {
    if (!sources.value.includes(source)) sources.value = [source, ...sources.value];
    settle(
      {
        ...next,
        algorithm: before.source && suits(before.algorithm, opened) && !algorithm ? before.algorithm : chosen,
      },
      opened,
    );
    if (before.source) remember(fillText(words.undo.open, { name: source.name }), before);
    announce(fillText(words.opened, { name: source.name, rows: opened.rows, columns: opened.columns.length }));
  });
  return true;
}

/** Read a file that the user dropped or chose; its name is a name, not a path. */
export async function openFile(file: File): Promise<boolean> {
  const bytes = await run(words.busy.open, async () => new Uint8Array(await file.arrayBuffer()));
  return bytes ? openSource({ name: file.name, bytes, builtIn: false, options: {} }) : false;
}

/** Change how the file is read; an unknown column, or a target that cannot be one, leaves everything as it was. */
export async function changeOptions(change: Partial<OpenOptions>, what: string): Promise<void> {
  const before = setup.value;
  const options = dropUndefined({ ...before.options, ...change });
  const opened = await openTable({ ...before, options });
  if (!opened) return;
  batch(() => {
    const algorithm = suits(before.algorithm, opened) ? before.algorithm : defaultAlgorithm(opened);
    settle({ ...before, options, algorithm }, opened);
    remember(what, before);
    announce(what);
  });
}

export type ColumnChoice = 'numeric' | 'categorical' | 'ignore' | 'keep' | null;

/** Read a column otherwise, or, with null, by the rules again. */
export function changeColumn(name: string, choice: ColumnChoice): Promise<void> {
  const columns = { ...setup.value.options.columns };
  if (choice === null) delete columns[name];
  else columns[name] = choice;
  return changeOptions({ columns }, fillText(words.undo.column, { name, kind: words.kinds[choice ?? 'auto'] }));
}

export async function chooseTarget(name: string): Promise<void> {
  await changeOptions({ target: name, task: undefined }, fillText(words.undo.target, { name }));
  if (failure.value?.slug !== AMBIGUOUS) return;
  failure.value = null;
  undecided.value = name;
}

export function chooseAlgorithm(algorithm: Algorithm): void {
  const before = setup.value;
  if (before.algorithm === algorithm) return;
  const what = fillText(words.undo.algorithm, { name: LEARNERS[algorithm].name });
  change({ ...before, algorithm }, what);
}

/** Set a parameter of a learner; undefined goes back to its default. */
export function changeParameter(algorithm: Algorithm, name: string, value: Value | undefined): void {
  const before = setup.value;
  const own: Params = { ...before.params[algorithm] };
  if (value === undefined) delete own[name];
  else own[name] = value;
  if (name === 'prune') for (const other of PRUNING_PARAMETERS) delete own[other];
  change({ ...before, params: { ...before.params, [algorithm]: own } }, fillText(words.undo.parameter, { name }));
}

/** Go back to the setup before the last decision. */
export async function undo(): Promise<void> {
  const last = takeLast();
  if (!last) return;
  const reopens = last.before.source !== setup.value.source || last.before.options !== setup.value.options;
  const opened = reopens ? await openTable(last.before) : table.value;
  if (!opened && last.before.source) return;
  settle(last.before, opened ?? null);
  announce(fillText(words.undone, { what: last.words }));
}

function change(next: Setup, what: string): void {
  batch(() => {
    remember(what, setup.value);
    setup.value = next;
    announce(what);
  });
}

/** The table before it is not needed any more: undo opens its text again. */
function settle(next: Setup, opened: Table | null): void {
  const before = table.value;
  if (before && before.id !== opened?.id) void engine.value?.close?.(before.id);
  batch(() => {
    setup.value = next;
    if (before !== opened) grown.value = null;
    table.value = opened;
    undecided.value = null;
    place.value = { step: null, node: null, level: null };
  });
}

function openSourceWith(core: Engine, source: Source, options: OpenOptions): Promise<Table> {
  if (source.held !== undefined && core.reopen) return core.reopen(source.held, options);
  return core.open(source.bytes, source.name, options);
}

async function openTable({ source, options }: Setup): Promise<Table | undefined> {
  if (!source) return undefined;
  return run(words.busy.open, async () => {
    const core = await whenReady();
    // A server has a limit of its own.
    checkFile(source.name, source.bytes, core.reopen ? Infinity : MAX_BYTES);
    if (options.target !== undefined) return withClassSizes(core, await openSourceWith(core, source, options));
    return openSourceWith(core, source, { ...options, task: 'classification' }).then(withoutTarget);
  });
}

/** Numbers that are read as classes have no categories in the table; how many rows each has decides its color. */
async function withClassSizes(core: Engine, opened: Table): Promise<Table> {
  const at = opened.columns.findIndex((column) => column.role === 'target');
  if (!opened.classes || at < 0 || opened.columns[at]!.levels) return opened;
  const { counts, others } = await core.distribution(opened.id, at);
  const bars = others ? [...counts, others] : counts;
  const levels = opened.classes.map((name, code) => ({ name, rows: sumOf(bars.map((bar) => bar[code] ?? 0)) }));
  return { ...opened, columns: opened.columns.map((column, index) => (index === at ? { ...column, levels } : column)) };
}

/** The engine takes the last column for the target where none is named; the user has not chosen it. */
function withoutTarget(opened: Table): Table {
  const columns = opened.columns.map((column) =>
    column.role === 'target' ? { ...column, role: 'feature' as const } : column,
  );
  return { ...opened, target: '', classes: null, columns };
}

function suits(algorithm: Algorithm, opened: Table): boolean {
  if (opened.target === '') return true;
  return learnersOf(opened.classes === null ? 'regression' : 'classification').includes(algorithm);
}

function dropUndefined(options: OpenOptions): OpenOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as OpenOptions;
}
