/** Predictions for the rows of a file, as a CSV file to download. */
import { useSignal } from '@preact/signals';
import type { Table } from '../../contract';
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import { clipText, showName } from '../../ui/names';
import { formatCount as count } from '../../ui/numbers';
import { download, stemOf, writeCsv } from '../download';
import { FileDrop } from '../FileDrop';
import { engine, setup } from '../state';
import { run } from '../tasks';
import { predictFile, type Predictions } from './predict_file';

const SHOWN = 8;

export function Batch({ table, model }: { table: Table; model: number }) {
  const made = useSignal<Predictions | null>(null);
  const predict = async (file: File) => {
    const core = engine.value;
    if (!core) return;
    made.value = null;
    const found = await run(words.busy.predict, (on) => predictFile(core, file, table, model, setup.value.options, on));
    if (found) made.value = found;
  };
  const seen = made.value;
  return (
    <>
      <h3>{words.use.batch}</h3>
      <p class="lead">{words.use.batchLead}</p>
      <FileDrop label={words.use.drop} onFile={(file) => void predict(file)} />
      {seen && (
        <div class="predicted">
          <p class="acts">
            <button
              class="primary"
              onClick={() =>
                download(
                  `${stemOf(seen.name)}-predictions.csv`,
                  writeCsv([seen.header, ...seen.rows]),
                  'text/csv;charset=utf-8',
                )
              }
            >
              {fillText(words.use.download, { n: count(seen.rows.length) })}
            </button>
          </p>
          <Preview header={seen.header} rows={seen.rows.slice(0, SHOWN)} />
        </div>
      )}
    </>
  );
}

function Preview({ header, rows }: { header: string[]; rows: string[][] }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={words.use.batch}>
      <table class="cells">
        <thead>
          <tr>
            {header.map((name, index) => (
              <th key={index} scope="col">
                {showName(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, at) => (
            <tr key={at}>
              {cells.map((cell, index) => (
                <td key={index}>{cell === '' ? '' : clipText(showName(cell), 40)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
