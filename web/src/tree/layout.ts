/** Where the nodes of a picture stand. Cards go from top to bottom, a list from left to right. */
import { type HierarchyPointNode, hierarchy, tree as tidyTree } from 'd3-hierarchy';
import type { Candidate, Group } from '../contract';
import { shownChildren } from './expand';
import { branchLabel } from './labels';
import type { TreeView } from './view';

export type Form = 'cards' | 'list';

/** Size of a node, and the distance from one to the next. */
export const SIZES = {
  cards: { width: 152, height: 72, across: 176, along: 142 },
  list: { width: 186, height: 46, across: 52, along: 234 },
} as const;

/** Branches of a previewed split that are drawn. */
const MOST_PREVIEWED = 6;

interface Item {
  /** Unique in the picture. */
  key: string;
  /** The node, or the parent of what is not a node. */
  id: number;
  kind: 'node' | 'ghost' | 'more';
  /** A branch that a split would make. */
  ghost?: { group: Group; label: string };
  /** Children that are folded into one. */
  more?: readonly number[];
}

export interface Placed extends Item {
  x: number;
  y: number;
  parent: Placed | null;
}

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** `preview` is drawn under the selected node, if that has no children. */
export function placeNodes(view: TreeView, form: Form, preview: Candidate | null): Placed[] {
  if (!view.node(0)) return [];
  const size = SIZES[form];
  const root = hierarchy<Item>({ key: '0', id: 0, kind: 'node' }, (item) => childItems(view, item, preview));
  const separation = form === 'list' ? 1.12 : 1.08;
  const place = tidyTree<Item>().nodeSize([size.across, size.along]);
  const points = place
    .separation((a, b) => (a.parent === b.parent ? 1 : separation))(root)
    .descendants();
  const placed = new Map<HierarchyPointNode<Item>, Placed>();
  for (const point of points) {
    const [x, y] = form === 'list' ? [point.y, point.x] : [point.x, point.y];
    placed.set(point, { ...point.data, x, y, parent: point.parent ? placed.get(point.parent)! : null });
  }
  return [...placed.values()];
}

function childItems(view: TreeView, item: Item, preview: Candidate | null): Item[] | undefined {
  const node = item.kind === 'node' ? view.node(item.id) : undefined;
  if (!node) return undefined;
  if (node.children.length === 0 && preview && node.id === view.selected.value)
    return ghostItems(view, node.id, preview);
  if (view.isLeaf(node) || !view.expanded.value.has(node.id)) return undefined;
  const shown = shownChildren(view, node);
  const items = shown.map((id): Item => ({ key: String(id), id, kind: 'node' }));
  const rest = node.children.filter((id) => !shown.includes(id));
  if (rest.length > 0) items.push({ key: `more${node.id}`, id: node.id, kind: 'more', more: rest });
  return items;
}

function ghostItems(view: TreeView, id: number, { split, children }: Candidate): Item[] {
  const feature = view.model.value.features[split.feature]!;
  return children.slice(0, MOST_PREVIEWED).map((group, child) => ({
    key: `ghost${child}`,
    id,
    kind: 'ghost',
    ghost: { group, label: branchLabel(feature, split, child) },
  }));
}

export function boxOf(placed: readonly Placed[], form: Form): Box {
  const { width, height } = SIZES[form];
  // A badge stands at the right of a row.
  const [left, right, top] = form === 'list' ? [0, width + 40, -height / 2] : [-width / 2, width / 2, 0];
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const { x, y } of placed) {
    box.left = Math.min(box.left, x + left);
    box.right = Math.max(box.right, x + right);
    box.top = Math.min(box.top, y + top);
    box.bottom = Math.max(box.bottom, y + top + height);
  }
  return box;
}

/** Width of an edge: its square is in proportion to the rows. */
export function edgeWidth(rows: number, total: number, form: Form): number {
  return Math.max(1.5, (form === 'list' ? 16 : 14) * Math.sqrt(rows / (total || 1)));
}

export function edgePath(from: Placed, to: Placed, form: Form): string {
  const { width, height } = SIZES[form];
  if (form === 'list') {
    const start = from.x + width;
    return `M${start} ${from.y}C${start + 28} ${from.y} ${to.x - 28} ${to.y} ${to.x} ${to.y}`;
  }
  const start = from.y + height;
  return `M${from.x} ${start}C${from.x} ${start + 40} ${to.x} ${to.y - 52} ${to.x} ${to.y}`;
}
