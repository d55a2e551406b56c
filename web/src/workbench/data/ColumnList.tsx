/** The columns of the file: how each was read and why, with its values; each can be read otherwise. */
import type { SourceColumn, Table } from '../../contract';
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import { showName } from '../../ui/names';
import { formatCount as count } from '../../ui/numbers';
import { changeColumn, type ColumnChoice } from '../actions';
import { setup } from '../state';
import { ColumnPicture } from './ColumnPicture';

/** More columns than this have no picture each: nobody looks at them all. */
const MOST_PICTURES = 60;

export function ColumnList({ table }: { table: Table }) {
  return (
    <ul class="columns">
      {table.columns.map((column, index) => (
        <li key={column.name} class={`column ${column.role}`}>
          <div class="who">
            <b>{showName(column.name)}</b>
            <span>{column.role === 'target' ? words.data.isTarget : facts(column)}</span>
          </div>
          {column.role === 'target' ? <span class="how" /> : <KindChoice column={column} />}
          {index < MOST_PICTURES ? <ColumnPicture table={table} index={index} /> : <span class="picture" />}
          {column.note !== '' && <p class="why">{showName(column.note)}</p>}
        </li>
      ))}
    </ul>
  );
}

function KindChoice({ column }: { column: SourceColumn }) {
  const decided = setup.value.options.columns?.[column.name] ?? null;
  const found = column.role === 'ignored' ? words.kinds.ignored : words.kinds[column.kind];
  const keeps = decided === 'keep' || (column.role === 'ignored' && decided === null);
  const choices: Exclude<ColumnChoice, null>[] = [
    'numeric',
    'categorical',
    ...(keeps ? (['keep'] as const) : []),
    'ignore',
  ];
  return (
    <span class="how">
      <select
        aria-label={fillText(words.data.readAs, { name: showName(column.name) })}
        value={decided ?? ''}
        onChange={(event) => void changeColumn(column.name, (event.currentTarget.value || null) as ColumnChoice)}
      >
        <option value="">{decided === null ? found : words.kinds.auto}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {words.kinds[choice]}
            {decided === choice ? words.data.yours : ''}
          </option>
        ))}
      </select>
    </span>
  );
}

/** Its values in a few words: how many different ones, and what is missing. */
function facts(column: SourceColumn): string {
  const parts = [fillText(words.data.distinct, { n: count(column.distinct) })];
  if (column.missing > 0) parts.push(fillText(words.data.missing, { n: count(column.missing) }));
  return parts.join(' · ');
}
