/** A node of a large tree, in two lines: how it is reached, and its question or prediction. */
import { fillText, t } from '../texts';
import { Bar } from '../ui/marks';
import { fitText, measureText } from '../ui/measure';
import { formatCount } from '../ui/numbers';
import { ValueScale } from '../ui/scale';
import { countsLabel, leafClass, nodeName } from './Card';
import { nodeBranch, nodeCondition } from './labels';
import { SIZES } from './layout';
import type { ModelNode, TreeModel } from './model';
import type { TreeView } from './view';

const { width: WIDTH, height: HEIGHT } = SIZES.list;

/** The classes of a node as a small bar, or its mean on the scale of the target. */
export function SmallBar({
  model,
  node,
  x,
  y,
  width,
}: {
  model: TreeModel;
  node: Pick<ModelNode, 'value' | 'impurity'>;
  x: number;
  y: number;
  width: number;
}) {
  if (model.classes) return <Bar value={node.value} palette={model.palette} x={x} y={y} width={width} height={7} />;
  const range = model.range ?? [0, 1];
  return (
    <ValueScale mean={node.value[0]!} variance={node.impurity} range={range} x={x} y={y - 1} width={width} height={9} />
  );
}

export function Line({ view, node, far }: { view: TreeView; node: ModelNode; far: boolean }) {
  const model = view.model.value;
  const open = node.state === 'open';
  const leaf = view.isLeaf(node) && !open;
  const sign = `${node.by_hand ? '✎ ' : ''}${leaf ? '→ ' : ''}`;
  const rows = formatCount(node.rows);
  const condition = node.parent < 0 ? t.tree.allRows : nodeBranch(model, node.id);
  const classes = [
    'card',
    'line',
    leaf && leafClass(model, node),
    open && 'open',
    view.selected.value === node.id && 'on',
  ];
  const title = fillText(t.tree.nodeTitle, {
    id: node.id,
    condition: nodeCondition(model, node.id),
    n: rows,
    counts: countsLabel(model, node),
  });
  return (
    <g class={classes.filter(Boolean).join(' ')}>
      <rect class="box" x={0} y={-HEIGHT / 2} width={WIDTH} height={HEIGHT} rx={7} />
      {leaf && <path class="stripe" d={`M7 ${-HEIGHT / 2}h-1a6 6 0 0 0-6 6v${HEIGHT - 12}a6 6 0 0 0 6 6h1z`} />}
      {!far && (
        <text class="cond" x={14} y={-5}>
          {fitText(condition, WIDTH - 34 - measureText(rows, 12.5), 12.5)}
        </text>
      )}
      <text class="name" x={14} y={13}>
        {sign}
        {nodeName(view, node, WIDTH - 72 - measureText(sign, 14.5, 640), 14.5)}
      </text>
      {!far && (
        <text class="count" x={WIDTH - 12} y={-5} text-anchor="end">
          {rows}
        </text>
      )}
      <SmallBar model={model} node={node} x={WIDTH - 52} y={5} width={40} />
      <title>{title}</title>
    </g>
  );
}
