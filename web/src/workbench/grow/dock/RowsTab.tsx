/** The rows of the selected node. Of a small table all rows are shown, those of other nodes pale. */
import { signal, useSignalEffect } from '@preact/signals';
import type { Cell, NodeRows } from '../../../contract';
import { fillParts, fillText, t } from '../../../texts';
import { TextMark } from '../../../ui/marks';
import { showName } from '../../../ui/names';
import { formatCount, formatFixed, formatNumber } from '../../../ui/numbers';
import { engine, table } from '../../state';
import { run } from '../../tasks';
import * as s from '../state';

/** Rows on a page. */
const PAGE = 40;
/** A table with no more rows is shown whole. */
const SMALL = 60;

interface Shown {
  /** Row of the table, from 0. */
  index: number;
  /** Null: the row is not in the node. */
  fraction: number | null;
  cells: readonly Cell[];
}

interface Loaded {
  tree: number;
  rev: number;
  node: number;
  offset: number;
  total: number;
  rows: Shown[];
}

const loaded = signal<Loaded | null>(null);
let newest = 0;

async function loadRows(node: number, offset: number): Promise<void> {
  const core = engine.peek();
  const tree = s.heading.peek();
  const opened = table.peek();
  if (!core || !tree || !opened) return;
  const mine = ++newest;
  const found = await run(t.grow.busy.rows, () => core.node_rows(tree.id, node, offset, pageOf(opened.rows)), true);
  if (!found) return;
  const rows = inNode(found);
  if (opened.rows <= SMALL) {
    const all = await run(t.grow.busy.rows, () => core.rows(opened.id, 0, SMALL), true);
    const here = new Set(found.index);
    all?.forEach((cells, index) => {
      if (!here.has(index)) rows.push({ index, fraction: null, cells });
    });
  }
  if (mine !== newest) return;
  loaded.value = { tree: tree.id, rev: tree.rev, node, offset, total: found.total, rows };
}

function pageOf(rows: number): number {
  return rows <= SMALL ? SMALL : PAGE;
}

function inNode({ index, fraction, cells }: NodeRows): Shown[] {
  return index.map((row, at) => ({ index: row, fraction: fraction[at]!, cells: cells[at]! }));
}

/** The page that the user turned to; another node begins with its first. */
const turned = signal<{ node: number; offset: number } | null>(null);

/** Loads what is to be seen: the rows of the selected node, as the tree is now. */
function followNode(): void {
  const node = s.view.selected.value;
  const rev = s.heading.value?.rev;
  const offset = turned.value?.node === node ? turned.value.offset : 0;
  const had = loaded.peek();
  if (rev === undefined || !s.model.value.nodes[node]) return;
  if (had && had.node === node && had.rev === rev && had.offset === offset && had.tree === s.heading.peek()?.id) return;
  void loadRows(node, offset);
}

export function RowsTab() {
  useSignalEffect(followNode);
  const found = loaded.value;
  const opened = table.value;
  if (!found || !opened) return null;
  const lead = {
    n: <b>{formatCount(found.total)}</b>,
    all: formatCount(opened.rows),
    node: `#${found.node}`,
  };
  const turn = (offset: number) => (turned.value = { node: found.node, offset });
  return (
    <div class="rows">
      <p class="lead">{fillParts(opened.rows <= SMALL ? t.grow.rows.leadPale : t.grow.rows.lead, lead)}</p>
      <RowsTable rows={found.rows} />
      {found.total > pageOf(opened.rows) && <Pages offset={found.offset} total={found.total} onGo={turn} />}
    </div>
  );
}

function RowsTable({ rows }: { rows: readonly Shown[] }) {
  const opened = table.value!;
  const target = opened.columns.findIndex((column) => column.name === opened.target);
  const columns = opened.columns.map((_, at) => at).filter((at) => at !== target);
  const divided = rows.some((row) => row.fraction !== null && row.fraction < 1);
  const feature = s.selectedNode.value?.split?.feature ?? s.lookedCandidate.value?.split.feature;
  const asked = feature === undefined ? -1 : (s.model.value.features[feature]?.source ?? -1);
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t.grow.rows.row}</th>
          <th scope="col">{showName(opened.target)}</th>
          {divided && <th scope="col">{t.grow.rows.fraction}</th>}
          {columns.map((at) => (
            <th key={at} scope="col" class={at === asked ? 'asked' : ''}>
              {showName(opened.columns[at]!.name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {/* Elements are used again by their place: new ones for every row would take longer than the calculation. */}
        {rows.map((row, place) => (
          <tr key={place} class={row.fraction === null ? 'pale' : ''}>
            <td class="index">{formatCount(row.index + 1)}</td>
            <th scope="row">
              <TargetCell cell={row.cells[target] ?? null} />
            </th>
            {divided && <td>{row.fraction === null ? '' : formatFixed(row.fraction)}</td>}
            {columns.map((at) => (
              <td key={at} class={at === asked ? 'asked' : ''}>
                <CellText cell={row.cells[at] ?? null} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function TargetCell({ cell }: { cell: Cell }) {
  const { classes, palette } = s.model.value;
  const at = classes?.indexOf(String(cell)) ?? -1;
  return (
    <>
      {at >= 0 && <TextMark of={at} palette={palette} />} <CellText cell={cell} />
    </>
  );
}

function CellText({ cell }: { cell: Cell }) {
  if (cell === null || cell === '') return <>·</>;
  return <>{typeof cell === 'number' ? formatNumber(cell) : showName(cell)}</>;
}

function Pages({ offset, total, onGo }: { offset: number; total: number; onGo: (offset: number) => void }) {
  const last = Math.min(offset + PAGE, total);
  return (
    <p class="acts pages">
      <button disabled={offset === 0} onClick={() => onGo(Math.max(0, offset - PAGE))}>
        {t.grow.rows.previous}
      </button>
      <span>
        {fillText(t.grow.rows.range, { from: formatCount(offset + 1), to: formatCount(last), n: formatCount(total) })}
      </span>
      <button disabled={last >= total} onClick={() => onGo(offset + PAGE)}>
        {t.grow.rows.next}
      </button>
    </p>
  );
}
