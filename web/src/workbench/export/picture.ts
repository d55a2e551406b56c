/** The tree as a picture in a file of its own: SVG with its own colors, black on white, readable anywhere. */
import { hierarchy, tree as layout, type HierarchyPointNode } from 'd3-hierarchy';
import { nodeBranch, questionLabel } from '../../tree/labels';
import { predictedClass, type ModelNode, type TreeModel } from '../../tree/model';
import { clipText, showName } from '../../ui/names';
import { formatCount } from '../../ui/numbers';
import { byColor } from '../../ui/palette';
import { predictionText } from './tree';

const COLORS = ['#0b6bb0', '#d9730d', '#00805e', '#b04a8f', '#2f8fc4', '#8a6a00', '#6b4fc0', '#6c7278'];
const TINTS = ['#e6f1f9', '#fdefe0', '#e0f3ec', '#f8e8f3', '#e2f3fa', '#f6f0d8', '#eeeafa', '#edeeee'];
const CARD = { width: 152, height: 62 };
const STEP = { x: 172, y: 128 };
const MARGIN = 16;
const LABEL =
  'font-size="13" font-weight="600" text-anchor="middle" fill="#434a51" stroke="#fff" stroke-width="5" paint-order="stroke"';
const FONT = 'font-family="Inter, system-ui, sans-serif"';

type Placed = HierarchyPointNode<ModelNode>;

export function pictureText(tree: TreeModel): string {
  const root = hierarchy(tree.nodes[0]!, (node) => node.children.map((id) => tree.nodes[id]!));
  const placed = layout<ModelNode>()
    .nodeSize([STEP.x, STEP.y])
    .separation(() => 1)(root);
  const all = placed.descendants();
  const left = Math.min(...all.map((node) => node.x)) - CARD.width / 2 - MARGIN;
  const right = Math.max(...all.map((node) => node.x)) + CARD.width / 2 + MARGIN;
  const height = (placed.height + 1) * STEP.y - (STEP.y - CARD.height) + 2 * MARGIN;
  const total = tree.nodes[0]!.weight || 1;
  const edges = placed.links().map(({ source, target }) => edge(source, target, tree, total));
  const cards = all.map((node) => card(tree, node));
  const width = right - left;
  const size = `width="${width}" height="${height}"`;
  const box = `viewBox="${left} ${-MARGIN} ${width} ${height}"`;
  const paper = `<rect x="${left}" y="${-MARGIN}" ${size} fill="#fff"/>\n`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" ${box} ${size} ${FONT}>\n` +
    `${paper}${edges.join('')}${cards.join('')}</svg>\n`
  );
}

function edge(from: Placed, to: Placed, tree: TreeModel, total: number): string {
  const top = from.y + CARD.height;
  const middle = (top + to.y) / 2;
  const width = Math.max(1.5, 12 * Math.sqrt(to.data.weight / total)).toFixed(1);
  const path = `M${from.x} ${top}C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y}`;
  const label = escapeXml(clipText(nodeBranch(tree, to.data.id), 24));
  return (
    `<path d="${path}" fill="none" stroke="#d3d3cb" stroke-width="${width}"/>\n` +
    `<text x="${to.x}" y="${to.y - 8}" ${LABEL}>${label}</text>\n`
  );
}

function card(tree: TreeModel, { x, y, data: node }: Placed): string {
  const at = x - CARD.width / 2;
  const leaf = node.children.length === 0;
  const color = tree.classes ? (tree.palette[predictedClass(node)] ?? 7) : 7;
  const name = leaf ? clipText(showName(predictionText(tree, node)), 18) : questionLabel(tree, node.split!, 16);
  const stripe =
    leaf && tree.classes ? `<rect x="${at}" y="${y}" width="7" height="${CARD.height}" fill="${COLORS[color]}"/>` : '';
  const fill = leaf && tree.classes ? TINTS[color] : '#fff';
  const size = `width="${CARD.width}" height="${CARD.height}"`;
  return (
    `<g><rect x="${at}" y="${y}" ${size} rx="7" fill="${fill}" stroke="#c9c9c1"/>${stripe}` +
    `<text x="${at + 15}" y="${y + 22}" font-size="15" font-weight="600" fill="#15181b">${escapeXml(name)}</text>` +
    `${tree.classes ? bar(tree, node, at + 15, y + 30) : ''}` +
    `<text x="${at + 15}" y="${y + 53}" font-size="12" fill="#434a51">${escapeXml(counts(tree, node))}</text></g>\n`
  );
}

function bar(tree: TreeModel, node: ModelNode, x: number, y: number): string {
  const total = node.value.reduce((sum, weight) => sum + weight, 0);
  const width = CARD.width - 30;
  let at = x;
  return byColor(tree.palette)
    .filter((index) => node.value[index]! > 0)
    .map((index) => {
      const part = (width * node.value[index]!) / total;
      const color = COLORS[tree.palette[index] ?? 7];
      const piece = `<rect x="${at.toFixed(2)}" y="${y}" width="${part.toFixed(2)}" height="8" fill="${color}"/>`;
      at += part;
      return piece;
    })
    .join('');
}

function counts(tree: TreeModel, node: ModelNode): string {
  if (!tree.classes) return `${formatCount(node.rows)} rows`;
  const parts = tree.classes.map((name, at) => [node.value[at]!, name] as const).filter(([weight]) => weight > 0);
  return clipText(parts.map(([weight, name]) => `${formatCount(weight)} ${showName(name)}`).join(' · '), 24);
}

export function escapeXml(text: string): string {
  return text
    .replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '□');
}
