/** What computes for this page: the core in it, or the server that it came from, which may have read a table already. */
import { EngineError, type Engine } from '../contract';
import { HttpEngine } from '../engine/http_engine';
import { WasmEngine } from '../engine/wasm_engine';
import type { Source } from './state';

const TOKEN = 'treewright-token';

/**
 * The fragment without the token of the server. The token is kept for this tab, so that the page can be loaded again,
 * and leaves the address, so that it is not copied with a link.
 */
export function takeToken(hash: string): string {
  const fields = new URLSearchParams(hash.slice(1));
  const token = fields.get('token');
  if (token === null) return hash;
  sessionStorage.setItem(TOKEN, token);
  fields.delete('token');
  const rest = fields.size > 0 ? `#${fields}` : '';
  history.replaceState(null, '', location.pathname + rest);
  return rest;
}

export async function startEngine(kind: 'page' | 'server'): Promise<{ core: Engine; held: Source | null }> {
  if (kind === 'page') return { core: await WasmEngine.fromPage(), held: null };
  const token = sessionStorage.getItem(TOKEN);
  if (token === null) {
    const message = 'this page has no token of the server: open the address that treewright workbench printed';
    throw new EngineError({ slug: 'server.token', message });
  }
  const core = new HttpEngine(token);
  const [table] = await core.tables();
  if (!table) return { core, held: null };
  const held = { name: table.name, bytes: new Uint8Array(), builtIn: false, options: { target: table.target }, held: table.id };
  return { core, held };
}
