/** What stands at a place of the picture: a node, a branch that a split would make, or children folded into one. */
import { fillText, t } from '../texts';
import { fitText, measureText } from '../ui/measure';
import { formatCount, formatShort } from '../ui/numbers';
import { Card, GhostCard } from './Card';
import { nodeBranch } from './labels';
import { type Form, type Placed, SIZES } from './layout';
import { Line, SmallBar } from './Line';
import type { ModelNode } from './model';
import type { TreeView } from './view';

interface DrawnNodeProps {
  view: TreeView;
  item: Placed;
  form: Form;
  far: boolean;
  onSelect?: (id: number) => void;
}

export function DrawnNode({ view, item, form, far, onSelect }: DrawnNodeProps) {
  const model = view.model.value;
  const transform = `translate(${item.x} ${item.y})`;
  if (item.ghost) {
    return (
      <g transform={transform}>
        <GhostCard model={model} group={item.ghost.group} />
        <BranchText>{item.ghost.label}</BranchText>
      </g>
    );
  }
  if (item.more) return <Folded view={view} item={item} form={form} />;
  const node = view.node(item.id);
  if (!node) return null;
  const select = () => (onSelect ? onSelect(node.id) : view.select(node.id));
  return (
    <g class="node" data-node={node.id} transform={transform} onClick={select} onDblClick={() => view.toggle(node.id)}>
      {form === 'list' ? <Line view={view} node={node} far={far} /> : <Card view={view} node={node} />}
      {form === 'cards' && item.parent && <BranchText>{nodeBranch(model, node.id)}</BranchText>}
      <Badge view={view} node={node} form={form} />
    </g>
  );
}

function BranchText({ children }: { children: string }) {
  return (
    <g class="branch">
      <text x={0} y={-11} text-anchor="middle">
        {fitText(children, SIZES.cards.across - 14, 13.5, 560)}
      </text>
    </g>
  );
}

/** Opens or closes a subtree: "+1.7k" nodes are hidden below, or "−". */
function Badge({ view, node, form }: { view: TreeView; node: ModelNode; form: Form }) {
  if (view.isLeaf(node)) return null;
  const closed = !view.expanded.value.has(node.id);
  const list = form === 'list';
  if (!closed && (!list || node.parent < 0)) return null;
  const toggle = (event: MouseEvent) => {
    event.stopPropagation();
    view.toggle(node.id);
  };
  const { width, height } = SIZES[form];
  return (
    <g class="badge" transform={list ? `translate(${width} 0)` : `translate(0 ${height})`} onClick={toggle}>
      {closed ? (
        <>
          <rect x={list ? -2 : -24} y={-11} width={48} height={22} rx={11} />
          <text x={list ? 22 : 0} y={4} text-anchor="middle">
            +{formatShort(view.sizes.value[node.id]! - 1)}
          </text>
        </>
      ) : (
        <>
          <circle r={8} />
          <path d="M-3.5 0h7" />
        </>
      )}
    </g>
  );
}

/** The smaller children of a node with very many. */
function Folded({ view, item, form }: { view: TreeView; item: Placed; form: Form }) {
  const model = view.model.value;
  const nodes = item.more!.map((id) => view.node(id)!);
  const list = form === 'list';
  const { width } = SIZES[form];
  const rows = nodes.reduce((sum, node) => sum + node.rows, 0);
  const words = fillText(t.tree.more, { n: nodes.length, rows: formatCount(rows) });
  const hasRoom = list && measureText(words, 12.5) < width - 76;
  const value = (model.classes ?? []).map((_, k) => nodes.reduce((sum, node) => sum + node.value[k]!, 0));
  return (
    <g
      class="card more"
      transform={`translate(${list ? item.x : item.x - width / 2} ${item.y})`}
      onClick={() => view.widen(item.id)}
    >
      <rect class="box" y={list ? -14 : 0} width={width} height={28} rx={14} />
      <text class="count" x={14} y={list ? 4 : 18}>
        {words}
      </text>
      {hasRoom && model.classes && (
        <SmallBar model={model} node={{ value, impurity: 0 }} x={width - 52} y={-3} width={40} />
      )}
    </g>
  );
}
