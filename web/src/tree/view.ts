/** What a reader sees of a tree: which node is selected, what is opened, how far it is pruned. */
import { type ReadonlySignal, batch, computed, signal } from '@preact/signals';
import type { Candidate } from '../contract';
import { expandLargest, shownChildren } from './expand';
import { type ModelNode, type TreeModel, pathTo, predictedClass } from './model';

/** More nodes than this are not readable in one picture. */
export const MOST_DRAWN = 120;
/** Nodes of a large tree that are drawn at first. */
export const FIRST_DRAWN = 26;

export interface TreeCounts {
  nodes: number;
  leaves: number;
  depth: number;
  /** Training weight that the leaves do not predict; sum of squares for numbers. */
  errors: number;
}

export class TreeView {
  readonly selected = signal(0);
  /** Nodes that a row goes through, or the path to the selected node. */
  readonly path = signal<ReadonlySet<number>>(new Set([0]));
  /** Opened and closed by the reader; the others are opened as long as there is room. */
  readonly opened = signal<ReadonlySet<number>>(new Set());
  readonly closed = signal<ReadonlySet<number>>(new Set());
  /** Nodes whose many children are all drawn. */
  readonly widened = signal<ReadonlySet<number>>(new Set());
  /** So many nodes are opened without being asked for, those with most rows first. */
  readonly limit = signal(MOST_DRAWN);
  /** A pruned tree: nodes whose `link` is at most this are leaves. Negative: not pruned. */
  readonly alpha = signal(-1);
  readonly link = signal<readonly number[] | null>(null);
  /** The split of the selected node that is drawn, dashed, before it is taken. */
  readonly preview = signal<Candidate | null>(null);
  /** Counts requests to fit the picture into its window. */
  readonly fits = signal(0);

  readonly counts = computed(() => countNodes(this));
  /** Nodes of each subtree, as pruned. */
  readonly sizes = computed(() => subtreeSizes(this));
  /** The nodes whose children are in the picture, and those whose children are in the outline. */
  readonly expanded = computed(() => expandLargest(this, Math.min(this.limit.value, MOST_DRAWN), MOST_DRAWN));
  readonly outlined = computed(() => expandLargest(this, this.limit.value, Infinity));

  constructor(readonly model: ReadonlySignal<TreeModel>) {}

  node(id: number): ModelNode | undefined {
    return this.model.value.nodes[id];
  }

  /** Whether the tree, as pruned, ends here. */
  isLeaf(node: ModelNode): boolean {
    if (node.children.length === 0) return true;
    const alpha = this.alpha.value;
    return alpha >= 0 && (this.link.value?.[node.id] ?? Infinity) <= alpha;
  }

  select(id: number): void {
    batch(() => {
      this.selected.value = id;
      this.path.value = new Set(pathTo(this.model.value, id));
    });
  }

  /** Opens a node that is closed, and closes one that is open, where `shown` are the open ones that the reader sees. */
  toggle(id: number, shown: ReadonlySet<number> = this.expanded.value): void {
    const open = !shown.has(id);
    batch(() => {
      this.opened.value = withMember(this.opened.value, id, open);
      this.closed.value = withMember(this.closed.value, id, !open);
    });
  }

  widen(id: number): void {
    this.widened.value = withMember(this.widened.value, id, true);
  }

  /** Closes everything but the path to this node, and selects it. */
  goTo(id: number): void {
    const path = pathTo(this.model.value, id);
    const isFolded = (parent: number, place: number) =>
      !shownChildren(this, this.node(parent)!).includes(path[place + 1]!);
    batch(() => {
      this.widened.value = new Set();
      this.widened.value = new Set(path.slice(0, -1).filter(isFolded));
      this.opened.value = new Set(path.slice(0, -1).reverse());
      this.closed.value = new Set();
      this.limit.value = 0;
      this.select(id);
      this.fits.value++;
    });
  }

  /** Opens so many nodes, those with most rows first. */
  openLargest(limit: number): void {
    batch(() => {
      this.opened.value = new Set();
      this.closed.value = new Set();
      this.widened.value = new Set();
      this.limit.value = limit;
      this.fits.value++;
    });
  }
}

/** The set with or without the member; a new member is the last. */
function withMember(set: ReadonlySet<number>, id: number, member: boolean): ReadonlySet<number> {
  const next = new Set(set);
  next.delete(id);
  if (member) next.add(id);
  return next;
}

function countNodes(view: TreeView): TreeCounts {
  const model = view.model.value;
  const counts = { nodes: 0, leaves: 0, depth: 0, errors: 0 };
  const stack = model.nodes[0] ? [0] : [];
  while (stack.length > 0) {
    const node = model.nodes[stack.pop()!]!;
    counts.nodes++;
    counts.depth = Math.max(counts.depth, node.depth);
    if (!view.isLeaf(node)) {
      for (const child of node.children) stack.push(child);
      continue;
    }
    counts.leaves++;
    if (!model.classes) counts.errors += node.weight * node.impurity;
    else if (node.rows > 0) counts.errors += node.weight - node.value[predictedClass(node)]!;
  }
  return counts;
}

function subtreeSizes(view: TreeView): Uint32Array {
  const { nodes } = view.model.value;
  const sizes = new Uint32Array(nodes.length).fill(1);
  for (let id = nodes.length - 1; id > 0; id--) {
    const parent = nodes[nodes[id]?.parent ?? -1];
    if (parent && !view.isLeaf(parent)) sizes[parent.id]! += sizes[id]!;
  }
  return sizes;
}
