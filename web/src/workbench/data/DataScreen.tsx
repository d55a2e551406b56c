/** The Data screen: open a table, see how each column was read and why, change it, choose what to predict. */
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import { showName } from '../../ui/names';
import { formatCount as count } from '../../ui/numbers';
import { screen, setup, table, target } from '../state';
import { ColumnList } from './ColumnList';
import { FileOptions } from './FileOptions';
import { FirstRows } from './FirstRows';
import { OpenTable } from './OpenTable';
import { TargetChoice } from './TargetChoice';

export function DataScreen() {
  const open = table.value;
  const source = setup.value.source;
  if (!open || !source) {
    return (
      <section class="screen">
        <h2>{words.data.title}</h2>
        <p class="lead">{words.data.lead}</p>
        <OpenTable />
      </section>
    );
  }
  const size = fillText(words.data.size, { rows: count(open.rows), columns: count(open.columns.length) });
  return (
    <section class="screen">
      <h2>
        {showName(source.name)} <small>{size}</small>
      </h2>
      <TargetChoice table={open} />
      {open.notes.map((note) => (
        <p class="note">{showName(note)}</p>
      ))}
      <h3>
        {words.data.columns} <small>{words.data.columnsLead}</small>
      </h3>
      <ColumnList table={open} />
      {target.value !== null && (
        <p class="acts">
          <button class="primary" onClick={() => (screen.value = 'grow')}>
            {words.data.grow}
          </button>
        </p>
      )}
      <FileOptions builtIn={source.builtIn} />
      <FirstRows table={open} />
      <details class="another">
        <summary>{words.data.another}</summary>
        <OpenTable />
      </details>
    </section>
  );
}
