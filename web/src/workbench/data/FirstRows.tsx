/** The first rows of the file, as text. */
import type { Table } from '../../contract';
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import { TextMark } from '../../ui/marks';
import { clipText, showName } from '../../ui/names';
import { formatCount as count } from '../../ui/numbers';
import { palette } from '../classes';

const SHOWN = 20;
const LONGEST = 40;

export function FirstRows({ table }: { table: Table }) {
  const rows = table.head.slice(0, SHOWN);
  if (rows.length === 0) return null;
  return (
    <>
      <h3>
        {words.data.firstRows} <small>{fillText(words.data.firstOf, { n: rows.length, of: count(table.rows) })}</small>
      </h3>
      <div class="scroll" tabIndex={0} role="region" aria-label={words.data.firstRows}>
        <table class="cells">
          <thead>
            <tr>
              {table.columns.map((column) => (
                <th key={column.name} class={column.role} scope="col">
                  {showName(column.name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, at) => (
              <tr key={at}>
                {table.columns.map((column, index) => (
                  <td key={column.name} class={column.role}>
                    {column.role === 'target' && <ClassMark table={table} name={cells[index] ?? ''} />}
                    {cells[index] === '' ? '' : clipText(showName(cells[index] ?? ''), LONGEST)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function ClassMark({ table, name }: { table: Table; name: string }) {
  const at = table.classes?.indexOf(name.trim()) ?? -1;
  return at < 0 ? null : <TextMark of={at} palette={palette.value} />;
}
