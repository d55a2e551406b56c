/** Rows of the table. A click on a row follows it through the whole lesson. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { makeScale } from '../ui/axis';
import { formatNumber } from '../ui/numbers';
import { cellText, featureName, isRegression, lesson, targetName } from './document';
import { Outcome, TableBox, targetRange } from './parts';
import { followed } from './place';
import { say } from './settings';

const SHOWN = 60;

interface RowsTableProps {
  rows: number[];
  /** The column that is discussed. */
  asked?: number;
  /** One more column, with its heading: shares, weights, draws. */
  extra?: { heading: string; cell: (row: number) => ComponentChildren };
  /** Rows that are shown pale. */
  pale?: (row: number) => boolean;
}

export function RowsTable({ rows, asked, extra, pale }: RowsTableProps) {
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, SHOWN);
  return (
    <>
      <TableBox label={say('rows of the table')}>
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">{say('row')}</th>
              <th scope="col" class="target">
                <bdi>{targetName()}</bdi>
              </th>
              {extra && <th scope="col">{extra.heading}</th>}
              {lesson().table.features.map(({ kind }, feature) => (
                <th scope="col" class={`${feature === asked ? 'asked' : ''} ${kind === 'numeric' ? 'number' : ''}`}>
                  <bdi>{featureName(feature)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row key={row} row={row} asked={asked} extra={extra?.cell} pale={pale?.(row) ?? false} />
            ))}
          </tbody>
        </table>
      </TableBox>
      {rows.length > shown.length && (
        <button onClick={() => setAll(true)}>{say('show all rows', { rows: rows.length })}</button>
      )}
    </>
  );
}

interface RowProps {
  row: number;
  asked: number | undefined;
  extra: ((row: number) => ComponentChildren) | undefined;
  pale: boolean;
}

function Row({ row, asked, extra, pale }: RowProps) {
  const { rows, target_values: targets, features } = lesson().table;
  const chosen = followed.value === row;
  return (
    <tr class={`${chosen ? 'followed' : ''} ${pale ? 'pale' : ''}`} onClick={() => follow(row)}>
      <th scope="row">
        <button
          aria-pressed={chosen}
          aria-label={say('follow row', { row: row + 1 })}
          onClick={(event) => {
            event.stopPropagation();
            follow(row);
          }}
        >
          {row + 1}
        </button>
      </th>
      <td class="target">
        <TargetCell value={targets[row]!} />
      </td>
      {extra && <td>{extra(row)}</td>}
      {features.map((feature, at) => (
        <td class={`${at === asked ? 'asked' : ''} ${feature.kind === 'numeric' ? 'number' : ''}`}>
          <Cell cell={rows[row]![at] ?? null} feature={at} />
        </td>
      ))}
    </tr>
  );
}

const follow = (row: number): void => {
  followed.value = followed.value === row ? null : row;
};

function Cell({ cell, feature }: { cell: string | number | null; feature: number }) {
  if (cell !== null) return <bdi>{cellText(cell, feature)}</bdi>;
  return (
    <span class="missing" title={say('missing')}>
      <span aria-hidden="true">?</span>
      <span class="vh">{say('missing')}</span>
    </span>
  );
}

/** A class with its mark, or a number with its place on the scale of the target. */
function TargetCell({ value }: { value: number }) {
  if (!isRegression()) return <Outcome value={value} />;
  const at = makeScale(...targetRange(), 2, 58)(value);
  return (
    <span class="outcome">
      <svg width="60" height="10" aria-hidden="true">
        <path class="base-line" d="M2 5H58" />
        <circle class="ink-dot" cx={at} cy={5} r={3.5} />
      </svg>
      {formatNumber(value)}
    </span>
  );
}

/** The row that is followed, in one line under the screens. */
export function FollowedRow() {
  const row = followed.value;
  if (row === null) return null;
  const { rows, target_values: targets, features } = lesson().table;
  return (
    <aside class="followed-row" aria-label={say('followed row')}>
      <b>{say('following row', { row: row + 1 })}</b>
      <ul>
        {features.map((_, feature) => (
          <li>
            <span>
              <bdi>{featureName(feature)}</bdi>
            </span>{' '}
            <Cell cell={rows[row]![feature] ?? null} feature={feature} />
          </li>
        ))}
        <li>
          <span>
            <bdi>{targetName()}</bdi>
          </span>{' '}
          <Outcome value={targets[row]!} />
        </li>
      </ul>
      <button onClick={() => (followed.value = null)}>{say('stop following')}</button>
    </aside>
  );
}
