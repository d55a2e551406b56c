/** Screen 1: the table, its target colored by class. */
import { lesson } from '../document';
import { GroupBar } from '../parts';
import { RowsTable } from '../RowsTable';
import { say } from '../settings';
import type { TableScreen as Steps } from '../steps';

export function TableScreen({ screen }: { screen: Steps }) {
  const rows = lesson().table.rows.map((_, row) => row);
  return (
    <>
      <GroupBar group={screen.group} list />
      <p class="hint">{say('table.hint')}</p>
      <RowsTable rows={rows} />
      <p class="note keys">{say('keys')}</p>
    </>
  );
}
