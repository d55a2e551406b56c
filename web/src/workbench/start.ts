/** What Python put into the page: built-in tables, perhaps a table of the user, and how to begin. */
import type { OpenOptions } from '../contract';
import { readEmbedded, readEmbeddedBytes } from '../embedded';
import type { Mode, Source } from './state';

interface BuiltIn {
  name: string;
  title: string;
  csv: string;
  target: string;
  columns: OpenOptions['columns'];
  levels: Record<string, string[]>;
  rows: number;
}

/** Written by `_web/workbench.py`. */
interface StartDocument {
  version: string;
  built_in: BuiltIn[];
  table: string | null;
  options: OpenOptions;
  /** Whether the table is in the page, under the name "table". */
  embedded: boolean;
  target: string | null;
  algorithm: 'id3' | 'c45' | 'cart' | null;
  mode: Mode;
  /** What computes: the core in the page, or the server that the page came from. */
  engine: 'page' | 'server';
}

export interface Start {
  version: string;
  sources: Source[];
  titles: Record<string, string>;
  first: Source | null;
  algorithm: StartDocument['algorithm'];
  mode: Mode;
  engine: StartDocument['engine'];
}

export async function readStart(): Promise<Start> {
  const found = await readEmbedded<StartDocument>('workbench');
  if (!found)
    return { version: '', sources: [], titles: {}, first: null, algorithm: null, mode: 'explore', engine: 'page' };
  const sources = found.built_in.map(builtInSource);
  let first = sources.find((source) => source.name === found.table) ?? null;
  if (found.embedded && found.table !== null) {
    first = {
      name: found.table,
      bytes: (await readEmbeddedBytes('table')) ?? new Uint8Array(),
      builtIn: false,
      options: found.options,
    };
    sources.unshift(first);
  }
  if (first && found.target !== null) first.options = { ...first.options, target: found.target };
  const titles = Object.fromEntries(found.built_in.map((table) => [table.name, table.title]));
  return {
    version: found.version,
    sources,
    titles,
    first,
    algorithm: found.algorithm,
    mode: found.mode,
    engine: found.engine,
  };
}

function builtInSource(table: BuiltIn): Source {
  const options = { target: table.target, delimiter: ',', columns: table.columns ?? {}, levels: table.levels };
  return { name: table.name, bytes: new TextEncoder().encode(table.csv), builtIn: true, options };
}
