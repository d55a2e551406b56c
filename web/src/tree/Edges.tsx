/** The lines between nodes; their width says how many rows go there. */
import { type Form, type Placed, edgePath, edgeWidth } from './layout';
import type { TreeView } from './view';

interface EdgesProps {
  view: TreeView;
  placed: readonly Placed[];
  near: readonly Placed[];
  form: Form;
}

export function Edges({ view, placed, near, form }: EdgesProps) {
  const seen = new Set(near.map((item) => item.key));
  const total = view.node(0)?.rows ?? 1;
  const path = view.path.value;
  const drawn = placed.filter((item) => item.parent && (seen.has(item.key) || seen.has(item.parent.key)));
  return (
    <g class="edges">
      {drawn.map((item) => {
        const ghost = item.kind === 'ghost';
        const on = item.kind === 'node' && path.has(item.id) && path.has(item.parent!.id);
        return (
          <path
            key={item.key}
            d={edgePath(item.parent!, item, form)}
            class={ghost ? 'edge maybe' : on ? 'edge on' : 'edge'}
            stroke-width={ghost ? 2 : edgeWidth(rowsOf(view, item), total, form)}
          />
        );
      })}
    </g>
  );
}

function rowsOf(view: TreeView, item: Placed): number {
  if (item.more) return item.more.reduce((sum, id) => sum + (view.node(id)?.rows ?? 0), 0);
  return view.node(item.id)?.rows ?? 0;
}
