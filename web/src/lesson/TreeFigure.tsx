/** A tree that stands still: as wide as the text, or wider and scrolled where its words would be too small. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { TreeDoc } from '../contract';
import { DrawnNode } from '../tree/DrawnNode';
import { Edges } from '../tree/Edges';
import { boxOf, type Form, type Placed, placeNodes } from '../tree/layout';
import { modelOfDoc, type TreeModel } from '../tree/model';
import { TreeView } from '../tree/view';
import { useWidth } from './Chart';
import '../tree/tree.css';

const PAD = 10;
/** Words are not drawn smaller than this. */
const LEAST_SCALE = 0.62;
const LARGEST_SCALE = 1;
/** A tree with more nodes is drawn as a list, from left to right. */
const MOST_CARDS = 26;

/** The view of a tree of the document; the same as long as the tree is the same. */
export function useTreeView(doc: TreeDoc): TreeView {
  return useMemo(() => viewOf(modelOfDoc(doc)), [doc]);
}

export function viewOf(model: TreeModel): TreeView {
  const view = new TreeView(signal(model));
  view.selected.value = -1;
  return view;
}

interface TreeFigureProps {
  view: TreeView;
  /** What the picture shows, in words. */
  label: string;
  onSelect?: (id: number) => void;
  /** Drawn over the tree, in its coordinates. */
  over?: (placed: readonly Placed[]) => ComponentChildren;
  /** The tree whose layout is used, where nodes of it are not drawn yet. */
  places?: TreeView;
  /** Nodes that are not drawn yet. */
  hidden?: (id: number) => boolean;
  class?: string;
}

export function TreeFigure({ view, label, onSelect, over, places, hidden, ...rest }: TreeFigureProps) {
  const frame = useRef<HTMLDivElement>(null);
  const room = useWidth(frame);
  const form: Form = view.model.value.nodes.length > MOST_CARDS ? 'list' : 'cards';
  const all = placeNodes(places ?? view, form, null);
  const placed = hidden ? all.filter((item) => !hidden(item.id)) : all;
  const box = boxOf(all, form);
  const width = box.right - box.left + 2 * PAD;
  const height = box.bottom - box.top + 2 * PAD;
  const scale = Math.max(LEAST_SCALE, Math.min(LARGEST_SCALE, room / width));
  const on = all.find((item) => item.kind === 'node' && item.id === view.selected.value);
  const [middleX, middleY] = on ? [(on.x - box.left) * scale, (on.y - box.top) * scale] : [0, 0];
  // A tree larger than its frame is scrolled to the selected node.
  useEffect(() => {
    const element = frame.current;
    if (element && on) element.scrollTo(middleX - element.clientWidth / 2, middleY - element.clientHeight / 2);
  }, [middleX, middleY]);
  return (
    <div class={`tree-figure scroll ${rest.class ?? ''}`} ref={frame} tabIndex={0} role="region" aria-label={label}>
      <svg
        class={form}
        width={width * scale}
        height={height * scale}
        viewBox={`${box.left - PAD} ${box.top - PAD} ${width} ${height}`}
        role="img"
        aria-label={label}
      >
        <Edges view={view} placed={placed} near={placed} form={form} />
        {placed.map((item) => (
          <DrawnNode
            key={item.key}
            view={view}
            item={item}
            form={form}
            far={false}
            {...(onSelect ? { onSelect } : {})}
          />
        ))}
        {over?.(placed)}
      </svg>
    </div>
  );
}
