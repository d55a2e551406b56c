/** The files that the Export screen writes: what each needs, and how it is made. */
import type { NodeWork } from '../../contract';
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import type { TreeModel } from '../../tree/model';
import { stemOf, writeCsv } from '../download';
import { LEARNERS } from '../learner/learners';
import { engine, isNumeric, setup, table } from '../state';
import { run } from '../tasks';
import { choice, fitted, grownModel, modelId } from '../use/models';
import { asGrown, fitCommand, isByHand, pythonCode, withTask } from './commands';
import { latexText } from './latex';
import { pictureText } from './picture';
import { rulesText } from './rules';
import { sqlText } from './sql';
import { staticPage } from './static_page';
import { exportedTree } from './tree';
import { worksheetText } from './worksheet';

interface MadeFile {
  name: string;
  content: string | Uint8Array;
  type?: string;
}

export interface ExportFile {
  key: keyof typeof words.export.kinds;
  /** Why it cannot be written now; null where it can. */
  obstacle: () => string | null;
  make: () => Promise<MadeFile | undefined>;
}

/** More nodes than this make a sheet that nobody works through. */
const MOST_WORKED = 12;
const BLOCK = 5000;

export const FILES: ExportFile[] = [
  { key: 'model', obstacle: noModel, make: modelFile },
  { key: 'json', obstacle: noTree, make: () => ofTree('.json', jsonText) },
  { key: 'rules', obstacle: noTree, make: () => ofTree('-rules.txt', rulesText) },
  { key: 'sql', obstacle: noTree, make: () => ofTree('.sql', (tree) => sqlText(tree, stem())) },
  { key: 'picture', obstacle: noTree, make: () => ofTree('.svg', pictureText, 'image/svg+xml') },
  { key: 'page', obstacle: noTree, make: () => ofTree('-tree.html', pageText, 'text/html') },
  {
    key: 'latex',
    obstacle: noWork,
    make: () => withWork('.tex', (tree, work) => latexText(tree, title(), work, byRatio())),
  },
  {
    key: 'sheet',
    obstacle: noWork,
    make: () =>
      withWork(
        '-worksheet.html',
        (tree, work) => worksheetText(tree, table.value!, work, byRatio(), false),
        'text/html',
      ),
  },
  {
    key: 'answers',
    obstacle: noWork,
    make: () =>
      withWork('-answers.html', (tree, work) => worksheetText(tree, table.value!, work, byRatio(), true), 'text/html'),
  },
  { key: 'table', obstacle: () => null, make: tableFile },
];

function noModel(): string | null {
  return modelId.value === null ? words.export.notTrained : null;
}

function noTree(): string | null {
  return noModel() ?? (exportedTree() === null ? words.export.oneTreeOnly : null);
}

/** The calculation of a node is known of a tree that was grown here. */
function noWork(): string | null {
  return choice.value === 'grown' && grownModel.value !== null ? null : words.export.growFirst;
}

function byRatio(): boolean {
  return grownModel.value?.chooses_by === 'gain_ratio';
}

function stem(): string {
  return stemOf(setup.value.source?.name ?? 'table');
}

function title(): string {
  return fillText(words.export.treeTitle, {
    target: table.value?.target ?? '',
    name: LEARNERS[setup.value.algorithm].name,
  });
}

async function modelFile(): Promise<MadeFile | undefined> {
  const core = engine.value;
  const id = modelId.value;
  if (!core || id === null) return undefined;
  const content = await run(words.busy.export, () => core.model_file(id));
  return content && { name: `${stem()}.tree`, content, type: 'application/octet-stream' };
}

async function ofTree(end: string, write: (tree: TreeModel) => string, type?: string): Promise<MadeFile | undefined> {
  const tree = exportedTree();
  return tree ? { name: `${stem()}${end}`, content: write(tree), type } : undefined;
}

/** The tree as the page knows it, in the names of its interface, without any rounding. */
function jsonText(tree: TreeModel): string {
  const { features, target, classes, criterion, nodes } = tree;
  const spec = choice.value === 'grown' ? grownModel.value?.spec : fitted.value?.spec;
  const learner = spec && { algorithm: spec.algorithm, params: spec.params };
  const known = nodes.filter((node) => node !== undefined);
  return `${JSON.stringify({ learner, target, classes, criterion, features, nodes: known }, null, 1)}\n`;
}

function pageText(tree: TreeModel): string {
  const task = isNumeric.value ? 'regression' : 'classification';
  const state = choice.value === 'grown' ? grownModel.value : null;
  const asked = withTask(setup.value, table.value!);
  const command =
    state && isByHand(state)
      ? pythonCode(setup.value, task, state)
      : fitCommand(state ? asGrown(asked, state) : asked, task);
  return staticPage(tree, table.value!, title(), command);
}

async function withWork(
  end: string,
  write: (tree: TreeModel, work: NodeWork[]) => string,
  type?: string,
): Promise<MadeFile | undefined> {
  const core = engine.value;
  const tree = exportedTree();
  const state = grownModel.value;
  if (!core || !tree || !state) return undefined;
  const nodes = state.nodes.filter((node) => node.children.length > 0).slice(0, MOST_WORKED);
  const work = await run(words.busy.export, async (on) => {
    const found: NodeWork[] = [];
    for (const node of nodes) {
      found.push(await core.work(state.id, node.id));
      on(found.length, nodes.length);
    }
    return found;
  });
  return work && { name: `${stem()}${end}`, content: write(tree, work), type };
}

/** The table as the engine read it: the same rows, comma-separated. */
async function tableFile(): Promise<MadeFile | undefined> {
  const core = engine.value;
  const open = table.value;
  if (!core || !open) return undefined;
  const rows = await run(words.busy.export, async (on) => {
    const all: string[][] = [open.columns.map((column) => column.name)];
    for (let from = 0; from < open.rows; from += BLOCK) {
      all.push(...(await core.rows(open.id, from, BLOCK)));
      on(Math.min(from + BLOCK, open.rows), open.rows);
    }
    return all;
  });
  return rows && { name: `${stem()}.csv`, content: writeCsv(rows), type: 'text/csv;charset=utf-8' };
}
