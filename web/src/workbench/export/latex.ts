/** The tree as LaTeX for the package `forest`, and the calculation of its splits. */
import type { Candidate, NodeWork } from '../../contract';
import { branchLabel, splitLabel } from '../../tree/labels';
import type { ModelNode, TreeModel } from '../../tree/model';
import { formatCount, formatFixed } from '../../ui/numbers';
import { nodesOf, predictionText } from './tree';

const SPECIAL: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '≤': '$\\leq$',
  '>': '$>$',
  '<': '$<$',
  '−': '$-$',
  '∞': '$\\infty$',
};

/** Text as LaTeX prints it, whatever characters it holds. */
export function tex(text: string): string {
  return Array.from(text, (letter) => SPECIAL[letter] ?? letter).join('');
}

/** A document that compiles with lualatex or xelatex. */
export function latexText(tree: TreeModel, title: string, work: NodeWork[], byRatio: boolean): string {
  const packages = ['amsmath', 'booktabs', 'forest', 'fontspec'].map((name) => `\\usepackage{${name}}`).join('\n');
  const pages = work.map((each) => calculation(tree, each, byRatio)).join('\n');
  const head = `\\documentclass{article}\n${packages}\n\\begin{document}\n\\section*{${tex(title)}}\n`;
  return `${head}${forest(tree)}\n${pages}\\end{document}\n`;
}

function forest(tree: TreeModel): string {
  const settings = 'for tree={align=center, inner sep=2pt, s sep=14pt, l sep=26pt}';
  return `\\begin{forest} ${settings}\n${branch(tree, tree.nodes[0]!, '', '')}\n\\end{forest}\n`;
}

function branch(tree: TreeModel, node: ModelNode, label: string, indent: string): string {
  const split = node.split && node.children.length > 0 ? node.split : null;
  const name = split ? `${tex(splitLabel(tree, split))}?` : `\\textbf{${tex(predictionText(tree, node))}}`;
  const rows = `\\footnotesize ${formatCount(node.rows)} rows`;
  const edge = label
    ? `, edge label={node[midway, fill=white, inner sep=1pt, font=\\footnotesize]{${tex(label)}}}`
    : '';
  const children = split
    ? node.children.map((id, child) =>
        branch(tree, tree.nodes[id]!, branchLabel(tree.features[split.feature]!, split, child), `${indent}  `),
      )
    : [];
  return `${indent}[{${name} \\\\ ${rows}}${edge}${children.map((text) => `\n${text}`).join('')}]`;
}

function calculation(tree: TreeModel, work: NodeWork, byRatio: boolean): string {
  const node = nodesOf(tree).find((each) => each.id === work.node);
  if (!node) return '';
  const counts = (tree.classes ?? [])
    .map((name, at) => `${formatCount(work.group.value[at]!)} ${tex(name)}`)
    .join(', ');
  const rowCount = `${formatCount(work.group.rows)} rows${counts ? ` (${counts})` : ''}`;
  const heading = `\\subsection*{Node ${work.node}: ${rowCount}}`;
  const impurity = tree.classes
    ? `${impurityTex(tree, work.group.value)} = ${formatFixed(work.group.impurity)}`
    : `s^2 = ${formatFixed(work.group.impurity)}`;
  const rows = work.candidates.map((candidate) => candidateRow(tree, candidate, byRatio)).join('');
  const head = ['split', 'left after it', 'gain', ...(byRatio ? ['gain ratio'] : [])];
  const top = `\\begin{tabular}{l${'r'.repeat(head.length - 1)}}\n\\toprule\n${head.join(' & ')} \\\\\n\\midrule\n`;
  const table = `${top}${rows}\\bottomrule\n\\end{tabular}`;
  return `${heading}\n\\[ ${impurity} \\]\n${table}\n`;
}

function candidateRow(tree: TreeModel, candidate: Candidate, byRatio: boolean): string {
  const name = tex(splitLabel(tree, candidate.split));
  const shown = candidate.verdict === 'chosen' ? `\\textbf{${name}}` : name;
  const figures = [candidate.remaining, candidate.gain, ...(byRatio ? [candidate.gain_ratio] : [])];
  return `${[shown, ...figures.map((x) => (candidate.admissible ? formatFixed(x) : '--'))].join(' & ')} \\\\\n`;
}

/** The sum behind entropy or Gini index, term by term. */
function impurityTex(tree: TreeModel, value: readonly number[]): string {
  const total = formatCount(value.reduce((sum, weight) => sum + weight, 0));
  const parts = value.filter((weight) => weight > 0).map((weight) => `\\frac{${formatCount(weight)}}{${total}}`);
  if (tree.criterion === 'gini') return `1 - ${parts.map((part) => `\\left(${part}\\right)^2`).join(' - ')}`;
  return parts.map((part) => `- ${part} \\log_2 ${part}`).join(' ');
}
