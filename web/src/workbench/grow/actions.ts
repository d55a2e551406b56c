/** What can be done to the tree. Each action is one step of the engine, and can be taken back. */
import { batch } from '@preact/signals';
import type { Action, Delta, Spec } from '../../contract';
import { fillText, t } from '../../texts';
import { predictionLabel } from '../../tree/Card';
import { featureName, nodeCondition } from '../../tree/labels';
import { applyDelta } from '../../tree/model';
import { announce } from '../../ui/live';
import { formatCount } from '../../ui/numbers';
import { completeWork } from '../../work/Thresholds';
import { engine, grown, place } from '../state';
import { run } from '../tasks';
import * as s from './state';

/** Counts the trees that were asked for: an answer that comes after the next question is not shown. */
let newest = 0;

/** Starts a tree anew: a single node. */
export async function startTree(spec: Spec): Promise<boolean> {
  const core = engine.peek();
  if (!core) return false;
  const mine = ++newest;
  const state = await run(t.grow.busy.start, () => core.start(spec));
  if (!state || mine !== newest) return false;
  batch(() => {
    s.resetTree(state);
    grown.value = state;
  });
  return true;
}

/** Actions wait for those before them: each is decided on the tree that the one before left. */
let turn: Promise<unknown> = Promise.resolve();
let waiting = 0;
/** A key that is held down must not fill the queue. */
const MOST_WAITING = 3;

function inTurn<Result>(action: () => Promise<Result>): Promise<Result | undefined> {
  if (waiting >= MOST_WAITING) return Promise.resolve(undefined);
  waiting++;
  const mine = turn.then(action).finally(() => waiting--);
  turn = mine.catch(() => undefined);
  return mine;
}

/** Takes actions one after the other, as one step of the history. Returns whether all were done. */
async function act(actions: readonly Action[]): Promise<boolean> {
  const taken: Action[] = [];
  for (const action of actions) {
    if (!(await stepTree(action))) break;
    taken.push(action);
  }
  if (taken.length > 0) {
    batch(() => {
      s.done.value = [...s.done.value, taken];
      s.undone.value = [];
    });
  }
  return taken.length === actions.length;
}

async function stepTree(action: Action): Promise<boolean> {
  const core = engine.peek();
  const tree = s.heading.peek();
  if (!core || !tree) return false;
  const mine = newest;
  const delta = await run(t.grow.busy.grow, () => core.step(tree.id, action));
  if (!delta || mine !== newest) return false;
  batch(() => showDelta(delta));
  return true;
}

function showDelta(delta: Delta): void {
  const works = new Map(s.works.peek());
  for (const { id } of delta.changed) works.delete(id);
  for (const id of delta.removed) works.delete(id);
  s.works.value = works;
  const wasLarge = s.isLarge.peek();
  s.model.value = applyDelta(s.model.peek(), delta);
  if (s.isLarge.value !== wasLarge) s.changeForm(s.isLarge.value);
  s.pointed.value = null;
  s.threshold.value = null;
  // The curve was that of another tree.
  s.view.link.value = null;
  s.view.alpha.value = -1;
  if (place.peek().level !== null) place.value = { ...place.peek(), level: null };
  if (!s.view.node(s.view.selected.peek())) s.view.select(0);
  else s.view.select(s.view.selected.peek());
  s.view.fits.value++;
  const state = s.heading.peek()!;
  const nodes = s.model.value.nodes.filter((node) => node !== undefined);
  s.heading.value = { ...state, rev: delta.rev };
  grown.value = { ...state, rev: delta.rev, nodes };
}

/** Splits the next open node, breadth first, as the algorithm does. */
export async function growOne(): Promise<void> {
  await inTurn(async () => {
    const next = s.openNodes.peek()[0];
    if (next !== undefined && (await act([{ action: 'split', node: next }]))) selectNode(next);
  });
}

export async function growAll(): Promise<void> {
  if (await inTurn(() => act([{ action: 'grow' }]))) announceSize();
}

/** Takes a candidate: the choice of the algorithm, or another one by hand. */
export async function takeCandidate(node: number, place: number, best: number | null): Promise<boolean> {
  const candidate = s.works.peek().get(node)?.candidates[place];
  if (!candidate) return false;
  if (place === best) return takeSplit({ action: 'split', node });
  const { feature, threshold } = candidate.split;
  const cut = typeof threshold === 'number' ? { threshold } : {};
  return takeSplit({ action: 'split_on', node, feature, ...cut });
}

/** A node that was split in the meantime stays as it is. */
async function takeSplit(action: Extract<Action, { action: 'split' | 'split_on' }>): Promise<boolean> {
  const done = await inTurn(async () => s.view.node(action.node)?.state === 'open' && act([action]));
  return done === true;
}

/** Takes a numeric column with a threshold of the user. */
export async function takeThreshold(node: number, feature: number, threshold: number): Promise<boolean> {
  return takeSplit({ action: 'split_on', node, feature, threshold });
}

export async function makeLeaf(node: number): Promise<void> {
  await inTurn(() => act([{ action: 'leaf', node }]));
}

/** Makes leaves of several nodes, in one step of the history. */
export async function makeLeaves(nodes: readonly number[]): Promise<void> {
  if (await inTurn(() => act(nodes.map((node) => ({ action: 'leaf', node }))))) announceSize();
}

/** The pruning of the learner itself, as `fit` applies it. */
export async function pruneAsLearner(): Promise<void> {
  if (await inTurn(() => act([{ action: 'prune' }]))) announceSize();
}

export async function undo(): Promise<void> {
  await inTurn(async () => {
    const last = s.done.peek().at(-1);
    if (!last) {
      restoreTree();
      return;
    }
    for (const _ of last) if (!(await stepTree({ action: 'undo' }))) return;
    batch(() => {
      s.done.value = s.done.peek().slice(0, -1);
      s.undone.value = [...s.undone.peek(), last];
    });
  });
}

export async function redo(): Promise<void> {
  await inTurn(async () => {
    const next = s.undone.peek().at(-1);
    if (!next) return;
    for (const action of next) if (!(await stepTree(action))) return;
    batch(() => {
      s.undone.value = s.undone.peek().slice(0, -1);
      s.done.value = [...s.done.peek(), next];
    });
  });
}

/** Starts a new tree; the old one is kept until the next. */
export async function startOver(): Promise<void> {
  const tree = s.heading.peek();
  if (!tree) return;
  const old = { heading: tree, model: s.model.peek(), done: s.done.peek() };
  if ((await startTree(tree.spec)) && old.done.length > 0) s.kept.value = old;
}

/** Takes a Start over back. */
function restoreTree(): void {
  const old = s.kept.peek();
  if (!old) return;
  batch(() => {
    s.resetTree(old.heading, old.model, old.done);
    s.changeForm(s.isLarge.value);
    const nodes = old.model.nodes.filter((node) => node !== undefined);
    grown.value = { ...old.heading, nodes };
  });
}

export function selectNode(id: number): void {
  batch(() => {
    s.pointed.value = null;
    s.threshold.value = null;
    s.view.select(id);
  });
  const node = s.view.node(id);
  if (!node) return;
  const model = s.model.peek();
  const open = node.state === 'open' ? t.tree.open : predictionLabel(model, node);
  const what = node.state === 'split' ? `${featureName(model, node.split!.feature)}?` : open;
  announce(fillText(t.grow.said, { id, condition: nodeCondition(model, id), what, n: formatCount(node.rows) }));
}

/** Looks at a candidate: it is drawn in the tree before it is taken. */
export function pointAt(place: number): void {
  batch(() => {
    s.pointed.value = place;
    s.threshold.value = null;
  });
}

/** Asks for the calculation of a node, once. */
export async function loadWork(node: number): Promise<void> {
  const core = engine.peek();
  const tree = s.heading.peek();
  if (!core || !tree || s.works.peek().has(node)) return;
  const rev = tree.rev;
  const mine = newest;
  const work = await run(t.grow.busy.work, () => core.work(tree.id, node), true);
  if (!work || mine !== newest || s.heading.peek()?.rev !== rev) return;
  s.works.value = new Map(s.works.peek()).set(node, completeWork(work));
}

function announceSize(): void {
  const { nodes, leaves } = s.view.counts.peek();
  announce(fillText(t.grow.size, { nodes: formatCount(nodes), leaves: formatCount(leaves) }));
}
