/** Screen 8: the finished tree, and the path of one row through it. */
import { useEffect } from 'preact/hooks';
import { formatPercent } from '../../ui/numbers';
import { cellText, featureName, lesson } from '../document';
import { Outcome } from '../parts';
import { followed } from '../place';
import { say } from '../settings';
import type { PathScreen as Steps } from '../steps';
import { TreeFigure, useTreeView } from '../TreeFigure';

export function PathScreen({ screen }: { screen: Steps }) {
  const row = followed.value ?? screen.row;
  const path = screen.paths[row]!;
  const view = useTreeView(lesson().tree);
  useEffect(() => {
    view.path.value = new Set(path.nodes);
  }, [view, row]);
  return (
    <>
      <RowPicker row={row} rows={screen.paths.length} />
      <div class="halves wide-left">
        <TreeFigure view={view} label={say('path.tree')} />
        <section class="card-block" aria-live="polite">
          <h3>{say('following row', { row: row + 1 })}</h3>
          <PathWords row={row} path={path} />
        </section>
      </div>
    </>
  );
}

function RowPicker({ row, rows }: { row: number; rows: number }) {
  return (
    <label class="picker">
      <span>{say('row')}</span>
      <select value={row} onChange={(event) => (followed.value = Number(event.currentTarget.value))}>
        {Array.from({ length: rows }, (_, at) => (
          <option value={at}>{at + 1}</option>
        ))}
      </select>
    </label>
  );
}

/** What the row answers at each node, and where it ends. */
function PathWords({ row, path }: { row: number; path: Steps['paths'][number] }) {
  const { tree } = lesson().tree;
  const asked = path.nodes.filter((node) => tree.n_children[node]! > 0).map((node) => tree.feature[node]!);
  const cells = lesson().table.rows[row]!;
  return (
    <ol class="path-words">
      {asked.map((feature) => (
        <li>
          <bdi>{featureName(feature)}</bdi>?{' '}
          <b>{cells[feature] === null ? say('missing') : <bdi>{cellText(cells[feature]!, feature)}</bdi>}</b>
        </li>
      ))}
      <li>
        {path.leaves.length > 1
          ? say('path.divided', { leaves: path.leaves.length })
          : say('path.leaf', { node: path.leaves[0]?.node ?? 0 })}
      </li>
      {path.leaves.length > 1 &&
        path.leaves.map((leaf) => (
          <li class="part">
            #{leaf.node}: {formatPercent(leaf.fraction, 1)}
          </li>
        ))}
      <li>
        {say('predicts')} <Outcome value={path.prediction} />
        {path.correct !== null && <span> · {say(path.correct ? 'path.correct' : 'path.wrong')}</span>}
      </li>
    </ol>
  );
}
