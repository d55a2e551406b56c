/** The commands and the Python code that reproduce what the page shows, exactly. */
import type { Algorithm, OpenOptions, Table, TreeNode, TreeState } from '../../contract';
import { toNumber } from '../../tree/model';
import { LEARNERS, PRUNING_PARAMETERS, parametersOf, type Params, type Task, type Value } from '../learner/learners';
import type { Setup } from '../state';

/** A word of the command line, quoted where a shell would read it otherwise. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** Text as Python writes it. */
export function quotePython(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, (letter) =>
    /[\u00a1-\ud7ff]/.test(letter) ? letter : escapeUnit(letter),
  );
}

/** Half of a character beyond 16 bits is no text in Python, so whole characters are written as they are. */
function escapeUnit(letter: string): string {
  return /[\ud800-\udfff]/.test(letter) ? letter : `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Whether only its steps give this tree again: some were the user's own, or it is not finished. */
export function isByHand(tree: TreeState): boolean {
  return tree.nodes.some((node) => node.by_hand || node.state === 'open');
}

/** The setup that trains a tree as it was grown: without pruning, unless the tree was pruned. */
export function asGrown(setup: Setup, tree: TreeState): Setup {
  const { algorithm, params } = setup;
  const prunes = LEARNERS[algorithm].parameters.some(({ name }) => name === 'prune');
  if (!prunes || tree.nodes.some((node) => node.reason === 'pruned')) return setup;
  const own: Params = Object.fromEntries(
    Object.entries(params[algorithm] ?? {}).filter(([name]) => !PRUNING.includes(name)),
  );
  const standard = LEARNERS[algorithm].parameters.find(({ name }) => name === 'prune')?.standard;
  if (standard !== 'none') own['prune'] = null;
  return { ...setup, params: { ...params, [algorithm]: own } };
}

/** The setup with its task named: a command stops where numbers could be classes. */
export function withTask(setup: Setup, table: Table): Setup {
  const numeric = table.columns.some((column) => column.role === 'target' && column.kind === 'numeric');
  const task: Task = table.classes === null ? 'regression' : 'classification';
  return numeric ? { ...setup, options: { ...setup.options, task } } : setup;
}

/** What has no effect without pruning. */
const PRUNING = ['prune', ...PRUNING_PARAMETERS];

export function fitCommand(setup: Setup, task: Task, output?: string): string {
  const { source, algorithm } = setup;
  if (!source) return '';
  const words = ['treewright', 'fit', quoteWord(source.name), ...tableWords(setup), '-a', algorithm];
  words.push(...paramWords(algorithm, setup.params[algorithm] ?? {}, task));
  words.push(...taskWords(setup.options));
  if (output) words.push('-o', quoteWord(output));
  return words.join(' ');
}

export function compareCommand(setup: Setup, algorithms: Algorithm[], folds: number): string {
  if (!setup.source) return '';
  const words = [
    'treewright',
    'compare',
    quoteWord(setup.source.name),
    ...tableWords(setup),
    ...taskWords(setup.options),
  ];
  return [...words, '-a', ...algorithms, '--cv', String(folds)].join(' ');
}

function taskWords({ task }: OpenOptions): string[] {
  return task ? ['--task', task === 'regression' ? 'regress' : 'classify'] : [];
}

/** Options about the table that differ from what the command would do by itself. */
function tableWords({ source, options }: Setup): string[] {
  const own = source?.builtIn ? source.options : {};
  const words: string[] = [];
  if (options.target !== undefined && options.target !== own.target) words.push('--target', quoteWord(options.target));
  if (!source?.builtIn) words.push(...fileWords(options));
  for (const [kind, names] of Object.entries(byKind(options, own))) {
    // A name that looks like an option must be the first after its flag.
    names.forEach((name, at) => words.push(...(at && !name.startsWith('-') ? [] : [`--${kind}`]), quoteWord(name)));
  }
  return words;
}

function fileWords(options: OpenOptions): string[] {
  const words: string[] = [];
  if (options.delimiter !== undefined)
    words.push('--delimiter', options.delimiter === '\t' ? "$'\\t'" : quoteWord(options.delimiter));
  if (options.header === false) words.push('--no-header');
  if (options.comment !== undefined) words.push('--comment', quoteWord(options.comment));
  if (options.decimal === ',') words.push('--decimal', ',');
  if (options.thousands !== undefined) words.push('--thousands', quoteWord(options.thousands));
  const missing = (options.missing ?? []).filter((word) => word !== '');
  if (missing.length) words.push('--missing', ...missing.map(quoteWord));
  if (options.ragged) words.push('--ragged', options.ragged);
  return words;
}

/** The columns that are read as the user decided, by how. */
function byKind(options: OpenOptions, own: OpenOptions): Record<string, string[]> {
  const kinds: Record<string, string[]> = {};
  for (const [name, kind] of Object.entries(options.columns ?? {})) {
    if (own.columns?.[name] !== kind) (kinds[kind] ??= []).push(name);
  }
  // A built-in table leaves a column out by itself.
  for (const name of Object.keys(own.columns ?? {}))
    if (!(name in (options.columns ?? {}))) (kinds['keep'] ??= []).push(name);
  return kinds;
}

function paramWords(algorithm: Algorithm, params: Params, task: Task): string[] {
  const words = parametersOf(algorithm, task).flatMap((parameter) => {
    const value = params[parameter.name];
    return value === undefined ? [] : [`--${parameter.option}`, optionValue(parameter.name, value)];
  });
  // The command prunes a tree of numbers where nothing is said about it; the page grows it fully, as the class does.
  if (algorithm === 'cart' && task === 'regression' && params['prune'] === undefined) words.push('--prune', 'none');
  return words;
}

function optionValue(name: string, value: Value): string {
  if (value === null) return name === 'max_features' ? '1.0' : 'none';
  if (name === 'weights' && value === 'uniform') return 'equal';
  return quoteWord(String(value).replaceAll('_', '-'));
}

/** Python code that trains the same model; a tree that was grown by hand step by step. */
export function pythonCode(setup: Setup, task: Task, byHand: TreeState | null): string {
  const { source, algorithm, params } = setup;
  if (!source) return '';
  const name = LEARNERS[algorithm][task === 'regression' ? 'regressor' : 'classifier'] ?? '';
  const given = Object.entries(params[algorithm] ?? {}).map(([key, value]) => `${key}=${pythonValue(value)}`);
  const made = `tw.${name}(${given.join(', ')})`;
  const end = byHand ? growingCode(made, byHand) : [`model = ${made}.fit(X, y)`, 'print(tw.show(model))'];
  return ['import treewright as tw', '', ...readingCode(setup), ...end, ''].join('\n');
}

function readingCode({ source, options }: Setup): string[] {
  if (source!.builtIn && sameColumns(options, source!.options)) {
    return [`X, y = tw.datasets.${source!.name.replaceAll('-', '_')}()`];
  }
  const kinds = Object.entries(byKind(options, {})).map(
    ([kind, names]) => `${kind}=[${names.map(quotePython).join(', ')}]`,
  );
  const file = source!.builtIn ? `${source!.name}.csv` : source!.name;
  const reading = [quotePython(file), ...fileArguments(options), ...kinds];
  const target = quotePython(options.target ?? '');
  return [
    `rows = tw.inspect(${reading.join(', ')})`,
    'used = [report.name for report in rows.reports if not report.ignored]',
    `X = rows.table.select([name for name in used if name != ${target}])`,
    `y = rows.table.column(${target})`,
  ];
}

function sameColumns(options: OpenOptions, own: OpenOptions): boolean {
  return options.target === own.target && JSON.stringify(options.columns ?? {}) === JSON.stringify(own.columns ?? {});
}

function fileArguments(options: OpenOptions): string[] {
  const words: string[] = [];
  for (const name of ['delimiter', 'comment', 'decimal', 'thousands', 'ragged'] as const) {
    if (options[name] !== undefined) words.push(`${name}=${quotePython(options[name])}`);
  }
  if (options.header === false) words.push('header=False');
  if (options.missing) words.push(`missing=[${options.missing.map(quotePython).join(', ')}]`);
  return words;
}

function pythonValue(value: Value): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'number' ? String(value) : quotePython(value);
}

/** The steps of a tree in the order in which they were taken: children are numbered as they come. */
function growingCode(made: string, tree: TreeState): string[] {
  const splits = tree.nodes
    .filter((node) => node.children.length > 0)
    .sort((one, other) => one.children[0]! - other.children[0]!);
  const byId = new Map(tree.nodes.map((node) => [node.id, node]));
  const steps: string[] = [];
  let last = 0;
  for (const node of splits) {
    steps.push(`growing.${splitCall(node, tree)}`);
    if (node.by_hand) last = steps.length;
    for (const id of node.children) {
      const child = byId.get(id);
      if (child?.state !== 'leaf' || !child.by_hand) continue;
      steps.push(`growing.leaf(${id})`);
      last = steps.length;
    }
  }
  const open = tree.nodes.some((node) => node.state === 'open');
  // What follows the last decision of the user is what the algorithm does by itself.
  const shown = open ? steps : [...steps.slice(0, last), 'growing.grow()'];
  return [`growing = tw.Growing(${made}, X, y)`, ...shown, 'model = growing.model()', 'print(tw.show(model))'];
}

function splitCall(node: TreeNode, tree: TreeState): string {
  if (!node.by_hand || !node.split) return `split(${node.id})`;
  const name = quotePython(tree.features[node.split.feature]!.name);
  const threshold = toNumber(node.split.threshold);
  return Number.isFinite(threshold) ? `split_on(${node.id}, ${name}, ${threshold})` : `split_on(${node.id}, ${name})`;
}
