/** Every node, for the keyboard and for screen readers: the ARIA tree pattern over a window of rows. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../texts';
import { formatCount } from '../ui/numbers';
import { colorClass } from '../ui/palette';
import { predictionLabel } from './Card';
import { featureName, nodeBranch } from './labels';
import { SmallBar } from './Line';
import { type ModelNode, predictedClass } from './model';
import type { TreeView } from './view';
import './tree.css';

const HEIGHT = 30;
const SPARE = 6;

/** The nodes that are listed, from top to bottom. */
function listNodes(view: TreeView): number[] {
  const listed: number[] = [];
  const stack = view.node(0) ? [0] : [];
  while (stack.length > 0) {
    const node = view.node(stack.pop()!)!;
    listed.push(node.id);
    if (view.isLeaf(node) || !view.outlined.value.has(node.id)) continue;
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
  }
  return listed;
}

interface OutlineProps {
  view: TreeView;
  label: string;
  onSelect?: (id: number) => void;
}

export function Outline({ view, label, onSelect }: OutlineProps) {
  const box = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const [tall, setTall] = useState(600);
  useEffect(() => {
    const observer = new ResizeObserver(() => box.current && setTall(box.current.clientHeight));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  const listed = listNodes(view);
  const from = Math.max(0, Math.floor(scrolled / HEIGHT) - SPARE);
  const shown = listed.slice(from, from + Math.ceil(tall / HEIGHT) + 2 * SPARE);
  const select = (id: number) => (onSelect ? onSelect(id) : view.select(id));
  const goTo = (place: number) => {
    const to = Math.max(0, Math.min(listed.length - 1, place));
    select(listed[to]!);
    scrollInto(box.current!, to * HEIGHT);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!pressKey(view, listed, event.key, goTo)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class="outline"
      ref={box}
      role="tree"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={`outline${view.selected.value}`}
      onKeyDown={onKeyDown}
      onScroll={() => setScrolled(box.current!.scrollTop)}
    >
      <div role="presentation" ref={(element) => setStyle(element, { height: `${listed.length * HEIGHT}px` })}>
        {shown.map((id, place) => (
          <OutlineItem key={id} view={view} node={view.node(id)!} top={(from + place) * HEIGHT} onSelect={select} />
        ))}
      </div>
    </div>
  );
}

function scrollInto(box: HTMLElement, top: number): void {
  if (top < box.scrollTop) box.scrollTop = top;
  if (top + HEIGHT > box.scrollTop + box.clientHeight) box.scrollTop = top + HEIGHT - box.clientHeight;
}

/** The content policy forbids style attributes in markup, not the style of an element. */
function setStyle(element: HTMLElement | null, style: Partial<CSSStyleDeclaration>): void {
  if (element) Object.assign(element.style, style);
}

/** The keys of the tree pattern; false for any other. */
function pressKey(view: TreeView, listed: number[], key: string, goTo: (place: number) => void): boolean {
  const here = Math.max(0, listed.indexOf(view.selected.value));
  const node = view.node(listed[here]!);
  if (!node) return false;
  const isLeaf = view.isLeaf(node);
  const isOpen = view.outlined.value.has(node.id);
  const toggle = (id: number) => view.toggle(id, view.outlined.value);
  if (key === 'ArrowDown') goTo(here + 1);
  else if (key === 'ArrowUp') goTo(here - 1);
  else if (key === 'Home') goTo(0);
  else if (key === 'End') goTo(listed.length - 1);
  else if (key === 'ArrowRight' && !isLeaf && !isOpen) toggle(node.id);
  else if (key === 'ArrowRight') goTo(isLeaf ? here : here + 1);
  else if (key === 'ArrowLeft' && !isLeaf && isOpen) toggle(node.id);
  else if (key === 'ArrowLeft') goTo(node.parent < 0 ? here : listed.indexOf(node.parent));
  else if (key === '*')
    (view.node(node.parent)?.children ?? [0]).filter((id) => !view.outlined.value.has(id)).forEach(toggle);
  else return false;
  return true;
}

interface ItemProps {
  view: TreeView;
  node: ModelNode;
  top: number;
  onSelect: (id: number) => void;
}

function OutlineItem({ view, node, top, onSelect }: ItemProps) {
  const model = view.model.value;
  const isLeaf = view.isLeaf(node);
  const isOpen = !isLeaf && view.outlined.value.has(node.id);
  const siblings = view.node(node.parent)?.children ?? [0];
  const selected = view.selected.value === node.id;
  const indent = 4 + Math.min(node.depth, 14) * (innerWidth < 500 ? 9 : 16);
  const toggle = (event: MouseEvent) => {
    event.stopPropagation();
    if (!isLeaf) view.toggle(node.id, view.outlined.value);
  };
  return (
    <div
      role="treeitem"
      id={`outline${node.id}`}
      class={selected ? 'on' : ''}
      aria-level={node.depth + 1}
      aria-setsize={siblings.length}
      aria-posinset={siblings.indexOf(node.id) + 1}
      aria-expanded={isLeaf ? undefined : isOpen}
      aria-selected={selected}
      ref={(element) => setStyle(element, { top: `${top}px`, paddingLeft: `${indent}px` })}
      onClick={() => onSelect(node.id)}
    >
      <span class="twist" aria-hidden="true" onClick={toggle}>
        {isLeaf ? '' : isOpen ? '▾' : '▸'}
      </span>
      <span class="words">
        {node.parent >= 0 && <span class="cond">{nodeBranch(model, node.id)}: </span>}
        <OutlineName view={view} node={node} />
      </span>
      <svg width="48" height="9" viewBox="0 0 48 9" preserveAspectRatio="none" aria-hidden="true">
        <SmallBar model={model} node={node} x={0} y={1} width={48} />
      </svg>
      <span class="rows-here">{formatCount(node.rows)}</span>
    </div>
  );
}

function OutlineName({ view, node }: { view: TreeView; node: ModelNode }) {
  const model = view.model.value;
  if (node.state === 'open') return <b class="cond">{t.tree.open}</b>;
  if (!view.isLeaf(node)) return <b>{featureName(model, node.split!.feature)}?</b>;
  const color = model.classes ? colorClass(model.palette, predictedClass(node)) : '';
  return <em class={color}>{predictionLabel(model, node)}</em>;
}
