/** All nodes at once, on a canvas: width is rows, color the prediction, strength its share. */
import { useEffect, useRef } from 'preact/hooks';
import { fillText, t } from '../texts';
import { formatCount } from '../ui/numbers';
import { COLORS } from '../ui/palette';
import { themeChanges } from '../ui/theme';
import { type ModelNode, type TreeModel, predictedClass } from './model';
import type { TreeView } from './view';

interface Strips {
  /** For each node where it begins and ends, from left to right. */
  ends: Float32Array;
  levels: number;
}

/** Children share the width of their parent by their rows. */
function layStrips(model: TreeModel, width: number): Strips {
  const ends = new Float32Array(model.nodes.length * 2);
  ends[1] = width;
  let levels = 1;
  for (const node of model.nodes) {
    if (!node) continue;
    if (node.rows > 0) levels = Math.max(levels, node.depth + 1);
    let at = ends[2 * node.id]!;
    const whole = ends[2 * node.id + 1]! - at;
    const total = node.children.reduce((sum, id) => sum + model.nodes[id]!.rows, 0) || 1;
    for (const id of node.children) {
      ends[2 * id] = at;
      at += (whole * model.nodes[id]!.rows) / total;
      ends[2 * id + 1] = at;
    }
  }
  return { ends, levels };
}

/** How sure a node is, 0 to 1; for numbers, where its mean is between the smallest and the largest. */
function strengthOf(model: TreeModel, node: ModelNode): number {
  if (!model.classes) {
    const [low, high] = model.range ?? [0, 1];
    return (node.value[0]! - low) / (high - low || 1);
  }
  const share = node.weight > 0 ? node.value[predictedClass(node)]! / node.weight : 0;
  return Math.max(0, (share - 0.5) * 2);
}

/** All strips, drawn once for a tree; a canvas that is not in the page. */
interface Base extends Strips {
  image: HTMLCanvasElement;
  tall: number;
}

function drawBase(view: TreeView, shown: HTMLCanvasElement): Base {
  const model = view.model.value;
  const { clientWidth: width, clientHeight: height } = shown;
  const strips = layStrips(model, width);
  const tall = height / strips.levels;
  const image = document.createElement('canvas');
  const scale = devicePixelRatio || 1;
  image.width = Math.max(1, width * scale);
  image.height = Math.max(1, height * scale);
  const pen = image.getContext('2d');
  if (!pen) return { ...strips, image, tall };
  pen.scale(scale, scale);
  const style = getComputedStyle(shown);
  const colors = Array.from({ length: COLORS }, (_, i) => style.getPropertyValue(`--c${i}`).trim());
  const ink = style.getPropertyValue('--ink2').trim();
  const hidden = new Uint8Array(model.nodes.length);
  for (const node of model.nodes) {
    if (!node) continue;
    const parent = model.nodes[node.parent];
    if (parent && (hidden[parent.id] || view.isLeaf(parent))) hidden[node.id] = 1;
    const left = strips.ends[2 * node.id]!;
    const wide = strips.ends[2 * node.id + 1]! - left;
    if (wide < 0.15) continue;
    pen.globalAlpha = hidden[node.id] ? 0.13 : 0.28 + 0.72 * strengthOf(model, node);
    pen.fillStyle = model.classes ? colors[model.palette[predictedClass(node)] ?? COLORS - 1]! : ink;
    pen.fillRect(left, node.depth * tall, Math.max(0.3, wide - (wide > 3 ? 0.6 : 0)), tall - (tall > 3 ? 0.6 : 0));
  }
  return { ...strips, image, tall };
}

/** The strips, and a frame around the selected node. */
function showBase(view: TreeView, shown: HTMLCanvasElement, base: Base): void {
  const { image, ends, tall } = base;
  if (shown.width !== image.width) shown.width = image.width;
  if (shown.height !== image.height) shown.height = image.height;
  const pen = shown.getContext('2d');
  const node = view.node(view.selected.value);
  if (!pen) return;
  const scale = devicePixelRatio || 1;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, image.width, image.height);
  pen.drawImage(image, 0, 0);
  if (!node) return;
  pen.scale(scale, scale);
  const left = ends[2 * node.id]!;
  const wide = Math.max(3, ends[2 * node.id + 1]! - left);
  pen.lineWidth = 2;
  pen.strokeStyle = getComputedStyle(shown).getPropertyValue('--ink').trim();
  pen.strokeRect(left + 1, node.depth * tall + 1, wide - 2, Math.max(4, tall - 2));
}

/** The deepest drawn node at a place. */
function nodeAt(view: TreeView, { ends }: Strips, x: number, depth: number): number {
  let node = view.node(0);
  while (node && node.depth < depth && !view.isLeaf(node)) {
    const next: number | undefined = node.children.find((id) => ends[2 * id]! <= x && x < ends[2 * id + 1]!);
    if (next === undefined) break;
    node = view.node(next);
  }
  return node?.id ?? 0;
}

export function Icicle({ view }: { view: TreeView }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const base = useRef<Base | null>(null);
  const model = view.model.value;
  useEffect(() => {
    const draw = () => {
      if (!canvas.current) return;
      base.current = drawBase(view, canvas.current);
      showBase(view, canvas.current, base.current);
    };
    draw();
    const observer = new ResizeObserver(draw);
    observer.observe(canvas.current!);
    return () => observer.disconnect();
  }, [model, view.alpha.value, themeChanges.value]);
  useEffect(() => {
    if (canvas.current && base.current) showBase(view, canvas.current, base.current);
  }, [view.selected.value]);
  const goTo = (event: MouseEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    const depth = Math.floor(((event.clientY - box.top) / box.height) * (base.current?.levels ?? 1));
    if (base.current) view.goTo(nodeAt(view, base.current, event.clientX - box.left, depth));
  };
  const n = formatCount(view.counts.value.nodes);
  return (
    <figure class="icicle">
      <canvas ref={canvas} onClick={goTo} role="img" aria-label={fillText(t.tree.icicleLabel, { n })} />
      <figcaption>
        {fillText(model.classes ? t.tree.icicle : t.tree.icicleNumber, { n: formatCount(model.nodes.length) })}
      </figcaption>
    </figure>
  );
}
