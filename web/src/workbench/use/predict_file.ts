/** The rows of a file with the predictions of a model; columns are found by name. */
import { EngineError, type Cell, type Engine, type OpenOptions, type Progress, type Table } from '../../contract';
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import { readText } from './read_text';

/** Rows that are predicted at once: between two such blocks the page can stop and show progress. */
const BLOCK = 2000;

export interface Predictions {
  name: string;
  header: string[];
  rows: string[][];
}

export async function predictFile(
  core: Engine,
  file: File,
  table: Table,
  model: number,
  options: OpenOptions,
  on: Progress,
): Promise<Predictions> {
  const text = readText(new Uint8Array(await file.arrayBuffer()), options.delimiter, options.header !== false);
  const places = findColumns(table, text.header);
  const rows: string[][] = [];
  for (let from = 0; from < text.rows.length; from += BLOCK) {
    const block = text.rows.slice(from, from + BLOCK);
    const cells = block.map((row) => places.map((at): Cell => (at < 0 ? null : (row[at] ?? null))));
    const found = await core.predict(model, cells);
    found.forEach((prediction, index) => {
      const shares = prediction.probabilities?.map((share) => String(share)) ?? [];
      rows.push([...block[index]!, String(prediction.prediction), ...shares]);
    });
    on(Math.min(from + BLOCK, text.rows.length), text.rows.length);
  }
  const shares = (table.classes ?? []).map((name) => unused(`probability ${name}`, text.header));
  return { name: file.name, header: [...text.header, unused('prediction', text.header), ...shares], rows };
}

/** For each column of the table its place in the file; -1 for columns that the model does not read. */
function findColumns(table: Table, header: string[]): number[] {
  const missing = table.columns.filter((column) => column.role === 'feature' && !header.includes(column.name));
  if (missing.length > 0) {
    const names = missing
      .slice(0, 10)
      .map((column) => `"${column.name}"`)
      .join(', ');
    throw new EngineError({
      slug: 'data.columns',
      message: fillText(words.use.lacks, { n: missing.length, names }),
      hint: fillText(words.use.has, { names: header.slice(0, 20).join(', ') }),
    });
  }
  return table.columns.map((column) => (column.role === 'feature' ? header.indexOf(column.name) : -1));
}

function unused(name: string, header: string[]): string {
  return header.includes(name) ? unused(`${name} of the model`, header) : name;
}
