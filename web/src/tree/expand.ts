/** Which nodes show their children: what the reader opened, then the largest, as long as there is room. */
import type { ModelNode } from './model';
import type { TreeView } from './view';

/** A node with more children than this shows the largest, and how many more there are. */
const WIDE_FAN = 7;
const SHOWN_OF_FAN = 5;

/** The children that are drawn, in their order. */
export function shownChildren(view: TreeView, node: ModelNode): readonly number[] {
  if (node.children.length <= WIDE_FAN || view.widened.value.has(node.id)) return node.children;
  const rows = (id: number) => view.node(id)?.rows ?? 0;
  const largest = node.children.slice().sort((a, b) => rows(b) - rows(a) || a - b);
  return largest.slice(0, SHOWN_OF_FAN).sort((a, b) => a - b);
}

/**
 * `automatic`: so many nodes may be drawn that the reader did not ask for; `most`: so many in all. What the reader
 * opened comes first, the node that was opened last before all others.
 */
export function expandLargest(view: TreeView, automatic: number, most: number): ReadonlySet<number> {
  const expanded = new Set<number>();
  let drawn = 1;
  const expand = (node: ModelNode, room: number): boolean => {
    const children = shownChildren(view, node);
    const added = children.length + Number(children.length < node.children.length);
    if (drawn + added > room && drawn > 1) return false;
    expanded.add(node.id);
    drawn += added;
    return true;
  };
  const waiting = new Queue();
  for (const node of askedNodes(view)) expand(node, most);
  const enqueue = (id: number) => {
    const node = view.node(id);
    if (!node || view.isLeaf(node) || view.closed.value.has(id)) return;
    if (expanded.has(id)) shownChildren(view, node).forEach(enqueue);
    else waiting.insert(node);
  };
  enqueue(0);
  for (let node = waiting.takeLargest(); node && automatic > 0; node = waiting.takeLargest()) {
    if (expand(node, automatic)) shownChildren(view, node).forEach(enqueue);
  }
  return expanded;
}

/** The nodes that the reader opened and that can be seen, each after its parent. */
function askedNodes(view: TreeView): ModelNode[] {
  const opened = view.opened.value;
  const nodes: ModelNode[] = [];
  for (const id of [...opened].reverse()) {
    const node = view.node(id);
    if (node && !view.isLeaf(node)) nodes.push(node);
  }
  return nodes;
}

/** Nodes by rows; the largest is taken first, of equal ones the first. */
class Queue {
  private readonly nodes: ModelNode[] = [];

  insert(node: ModelNode): void {
    let low = 0;
    let high = this.nodes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.nodes[middle]!;
      if (other.rows < node.rows || (other.rows === node.rows && other.id > node.id)) low = middle + 1;
      else high = middle;
    }
    this.nodes.splice(low, 0, node);
  }

  takeLargest(): ModelNode | undefined {
    return this.nodes.pop();
  }
}
