/** The state of the Grow screen: the tree that grows, what was done to it, and what is looked at. */
import { computed, signal } from '@preact/signals';
import type { Action, Candidate, NodeWork, TreeState } from '../../contract';
import { type ModelNode, type TreeModel, modelOfState, toNumber } from '../../tree/model';
import { FIRST_DRAWN, MOST_DRAWN, TreeView } from '../../tree/view';
import { bestCandidate, columnOrder } from '../../work/ranking';
import { cutAt, moveCut } from '../../work/Thresholds';
import { mode } from '../state';

export type DockTab = 'work' | 'rows' | 'case' | 'prune';

/** A larger tree is drawn as a list, with an overview. */
const LARGE = 60;

const NO_TREE: TreeModel = {
  features: [],
  target: '',
  classes: null,
  criterion: 'entropy',
  nodes: [],
  palette: [],
  range: null,
};

/** What is true of the whole tree; its nodes are in `model`. Null until one has started. */
export const heading = signal<TreeState | null>(null);
export const model = signal<TreeModel>(NO_TREE);
export const view = new TreeView(model);

/** The calculation of nodes, as far as it was asked for. */
export const works = signal<ReadonlyMap<number, NodeWork>>(new Map());

/** Each entry is what one press of Undo takes back, and one of Redo does again. */
export const done = signal<readonly (readonly Action[])[]>([]);
export const undone = signal<readonly (readonly Action[])[]>([]);

/** The tree before the last Start over, so that this can be taken back too. */
interface Kept {
  heading: TreeState;
  model: TreeModel;
  done: readonly (readonly Action[])[];
}
export const kept = signal<Kept | null>(null);
export const canUndo = computed(() => done.value.length > 0 || kept.value !== null);

/** The candidate that the user looks at, as a position; null: the one that the screen proposes. */
export const pointed = signal<number | null>(null);
/** The threshold of that candidate, where it was moved by hand. */
export const threshold = signal<number | null>(null);

/** On a phone the calculation is one of the tabs, and the first. */
const phone = matchMedia('(max-width: 820px)');
const isPhone = signal(phone.matches);
phone.addEventListener('change', () => (isPhone.value = phone.matches));
const chosenTab = signal<DockTab>('work');
export const tab = computed<DockTab>(() => (chosenTab.value === 'work' && !isPhone.value ? 'rows' : chosenTab.value));
export function chooseTab(next: DockTab): void {
  chosenTab.value = next;
}

export const outline = signal(false);

/** A lesson shows the parts of a node one after the other; see lesson.ts. */
export const reveal = signal(0);

export function resetTree(state: TreeState, shown: TreeModel = modelOfState(state), history: Kept['done'] = []): void {
  heading.value = state;
  model.value = shown;
  works.value = new Map();
  done.value = history;
  undone.value = [];
  kept.value = null;
  pointed.value = null;
  threshold.value = null;
  reveal.value = 0;
  view.link.value = null;
  view.alpha.value = -1;
  view.select(0);
  view.openLargest(MOST_DRAWN);
}

export const choosesBy = computed(() => heading.value?.chooses_by ?? 'gain');
export const isLarge = computed(() => view.counts.value.nodes > LARGE);

/** A large tree begins with its top levels; on a phone it is read as an outline. */
export function changeForm(large: boolean): void {
  view.openLargest(large ? FIRST_DRAWN : MOST_DRAWN);
  if (isPhone.peek()) outline.value = large;
}

/** Nodes that can still be split, breadth first as a lecture goes. */
export const openNodes = computed(() => {
  const open = model.value.nodes.filter((node): node is ModelNode => node?.state === 'open');
  return open.sort((a, b) => a.depth - b.depth || a.id - b.id).map((node) => node.id);
});

export const selectedNode = computed(() => view.node(view.selected.value));
export const selectedWork = computed(() => {
  const work = works.value.get(view.selected.value);
  return work ? withTakenThreshold(work, selectedNode.value) : null;
});

/** The candidate that was taken has the threshold with which it was taken. */
function withTakenThreshold(work: NodeWork, node: ModelNode | undefined): NodeWork {
  const taken = node?.split;
  if (taken?.threshold === undefined) return work;
  const candidates = work.candidates.map((candidate) => {
    if (candidate.split.feature !== taken.feature || candidate.split.threshold === taken.threshold) return candidate;
    const cut = cutAt(candidate, toNumber(taken.threshold));
    return cut ? moveCut(candidate, cut) : candidate;
  });
  return { ...work, candidates };
}

/** The candidate under discussion: pointed at, come to in a lesson, taken, or the best. */
export const looked = computed<number | null>(() => {
  const work = selectedWork.value;
  const node = selectedNode.value;
  if (!work || !node || work.candidates.length === 0) return null;
  if (pointed.value !== null && work.candidates[pointed.value]) return pointed.value;
  if (node.state === 'split') {
    const taken = work.candidates.findIndex((candidate) => candidate.split.feature === node.split?.feature);
    if (taken >= 0) return taken;
  }
  if (node.state === 'open' && mode.value === 'quiz') return columnOrder(work)[0]!;
  const best = bestCandidate(work, choosesBy.value);
  if (node.state === 'open' && mode.value === 'lesson') {
    return reveal.value < 2 ? null : (columnOrder(work)[reveal.value - 2] ?? best);
  }
  return best ?? columnOrder(work)[0]!;
});

/** The same with its threshold where the user moved it. */
export const lookedCandidate = computed<Candidate | null>(() => {
  const candidate = looked.value === null ? undefined : selectedWork.value?.candidates[looked.value];
  if (!candidate) return null;
  const cut = threshold.value === null ? undefined : cutAt(candidate, threshold.value);
  return cut ? moveCut(candidate, cut) : candidate;
});

/** What is drawn, dashed, under the selected node. A quiz shows nothing: its numbers are the question. */
export const previewed = computed<Candidate | null>(() => {
  const candidate = lookedCandidate.value;
  const shows = selectedNode.value?.state === 'open' && mode.value !== 'quiz';
  return shows && candidate && candidate.children.length > 0 ? candidate : null;
});
