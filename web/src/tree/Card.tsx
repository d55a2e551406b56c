/** A node of a small tree: its question or prediction, its rows as marks, its counts. */
import type { Group } from '../contract';
import { fillText, t } from '../texts';
import { Bar, Mark } from '../ui/marks';
import { fitText, measureText } from '../ui/measure';
import { showName } from '../ui/names';
import { formatCount, formatFixed, formatMean } from '../ui/numbers';
import { byColor, colorClass, sumOf } from '../ui/palette';
import { ValueScale } from '../ui/scale';
import { featureName } from './labels';
import { SIZES } from './layout';
import { type ModelNode, type TreeModel, predictedClass } from './model';
import type { TreeView } from './view';

/** Up to so many rows each row is a mark. */
const MOST_MARKS = 28;
const { width: WIDTH, height: HEIGHT } = SIZES.cards;
const LEFT = -WIDTH / 2 + 16;
const INSIDE = WIDTH - 28;

/** What a node predicts: a class, or a number. */
export function predictionLabel(model: TreeModel, node: ModelNode): string {
  return model.classes ? showName(model.classes[predictedClass(node)]!) : formatMean(node.value[0]!);
}

/** The style of a leaf: the color of its class; a number has none. */
export function leafClass(model: TreeModel, node: ModelNode): string {
  return model.classes ? `leaf ${colorClass(model.palette, predictedClass(node))}` : 'leaf number';
}

function RowMarks({
  model,
  group,
  x,
  y,
  width,
}: {
  model: TreeModel;
  group: Group;
  x: number;
  y: number;
  width: number;
}) {
  if (!model.classes) {
    const range = model.range ?? [0, 1];
    return (
      <ValueScale
        mean={group.value[0]!}
        variance={group.impurity}
        range={range}
        x={x}
        y={y}
        width={width}
        height={10}
      />
    );
  }
  const total = sumOf(group.value);
  if (group.rows > MOST_MARKS || Math.abs(total - group.rows) > 1e-6) {
    return <Bar value={group.value} palette={model.palette} x={x} y={y + 1} width={width} height={8} />;
  }
  const gap = Math.min(11, width / Math.max(group.rows - 1, 1));
  const marks = byColor(model.palette).flatMap((index) =>
    new Array<number>(Math.round(group.value[index]!)).fill(index),
  );
  return (
    <g>
      {marks.map((index, place) => (
        <Mark of={index} palette={model.palette} x={x + 4 + gap * place} y={y + 5} r={Math.min(4, gap * 0.42)} />
      ))}
    </g>
  );
}

/** The counts of as many classes as there is room for. */
function countsIn(model: TreeModel, group: Group, room: number): string {
  const parts = countsLabel(model, group).split(' · ');
  for (let shown = parts.length; shown > 0; shown--) {
    const text = parts.slice(0, shown).join(' · ') + (shown < parts.length ? ' …' : '');
    if (measureText(text, 12.5) <= room) return text;
  }
  return fitText(parts[0] ?? '', room, 12.5);
}

/** "9 Yes · 5 No", or "14 rows · sd 2.3". */
export function countsLabel(model: TreeModel, group: Group): string {
  if (!model.classes) {
    const rows = fillText(t.tree.rows, { n: formatCount(group.rows) });
    return `${rows} · sd ${formatMean(Math.sqrt(Math.max(group.impurity, 0)))}`;
  }
  return byColor(model.palette)
    .filter((index) => group.value[index]! > 0)
    .slice(0, 3)
    .map((index) => `${formatCount(group.value[index]!)} ${showName(model.classes![index]!)}`)
    .join(' · ');
}

/** What a node asks, or what it predicts, as far as there is room. */
export function nodeName(view: TreeView, node: ModelNode, room: number, size: number): string {
  const model = view.model.value;
  const fit = (text: string, width: number) => fitText(text, width, size, 640);
  if (node.state === 'open') return fit(t.tree.open, room);
  if (view.isLeaf(node)) return fit(predictionLabel(model, node), room);
  return `${fit(featureName(model, node.split!.feature), room - size * 0.6)}?`;
}

export function Card({ view, node }: { view: TreeView; node: ModelNode }) {
  const model = view.model.value;
  const open = node.state === 'open';
  const leaf = view.isLeaf(node) && !open;
  const id = `${node.by_hand ? '✎ ' : ''}#${node.id}`;
  const room = INSIDE - measureText(id, 12.5) - 6;
  const classes = ['card', leaf && leafClass(model, node), open && 'open', view.selected.value === node.id && 'on'];
  return (
    <g class={classes.filter(Boolean).join(' ')}>
      <rect class="box" x={-WIDTH / 2} y={0} width={WIDTH} height={HEIGHT} rx={8} />
      {leaf && <path class="stripe" d={`M${-WIDTH / 2 + 8} 0h-1a7 7 0 0 0-7 7v${HEIGHT - 14}a7 7 0 0 0 7 7h1z`} />}
      <text class="name" x={LEFT} y={25}>
        {nodeName(view, node, room, 16)}
      </text>
      <text class="id" x={WIDTH / 2 - 12} y={24} text-anchor="end">
        {id}
      </text>
      {node.rows > 0 && <RowMarks model={model} group={node} x={LEFT} y={36} width={WIDTH - 36} />}
      <text class="count" x={LEFT} y={62}>
        {node.rows > 0 ? countsIn(model, node, INSIDE) : t.tree.noRowsMajority}
      </text>
    </g>
  );
}

/** A branch that a split would make. */
export function GhostCard({ model, group }: { model: TreeModel; group: Group }) {
  const impurity = model.criterion === 'variance' ? formatMean(group.impurity) : formatFixed(group.impurity);
  return (
    <g class="card ghost">
      <rect class="box" x={-WIDTH / 2} y={0} width={WIDTH} height={HEIGHT} rx={8} />
      <text class="name" x={LEFT} y={25}>
        {t.impurity[model.criterion]} {group.weight > 0 ? impurity : '·'}
      </text>
      {group.rows > 0 && <RowMarks model={model} group={group} x={LEFT} y={36} width={WIDTH - 36} />}
      <text class="count" x={LEFT} y={62}>
        {group.rows > 0 ? countsIn(model, group, INSIDE) : t.tree.noRows}
      </text>
    </g>
  );
}
