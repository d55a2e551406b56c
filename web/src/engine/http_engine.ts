/** The local server behind the same methods as the core in the page, for tables that are too large for a page. */
import {
  type Action,
  type Cell,
  type Comparison,
  type Curve,
  type Delta,
  type Distribution,
  type Engine,
  EngineError,
  type Failure,
  type Fitted,
  type NodeRows,
  type NodeWork,
  type OpenOptions,
  type Prediction,
  type Progress,
  type Spec,
  type Table,
  type TreeState,
} from '../contract';

/** A line of a long answer: progress, or the end. */
type Line<T> = { done: number; of: number } | { result: T } | { failure: Failure };
type Headers = Record<string, string>;
type Body = string | Uint8Array;

export class HttpEngine implements Engine {
  /** The revision of each tree that this page has seen: another page may have changed it. */
  private readonly revisions = new Map<number, number>();

  constructor(private readonly token: string) {}

  /** The tables that the server has open, the newest first. */
  tables(): Promise<Table[]> {
    return this.send('GET', 'tables');
  }

  open(bytes: Uint8Array, name: string, options: OpenOptions): Promise<Table> {
    const query = new URLSearchParams({ name, options: JSON.stringify(options) });
    return this.send('POST', `tables?${query}`, bytes, { 'content-type': 'text/csv' });
  }

  /** Reads a table again with other options; its bytes are not sent again. */
  reopen(table: number, options: OpenOptions): Promise<Table> {
    return this.send('PATCH', `tables/${table}`, JSON.stringify(options));
  }

  rows(table: number, offset: number, limit: number): Promise<string[][]> {
    return this.send('GET', `tables/${table}/rows?offset=${offset}&limit=${limit}`);
  }

  distribution(table: number, column: number): Promise<Distribution> {
    return this.send('GET', `tables/${table}/columns/${column}/distribution`);
  }

  async start(spec: Spec): Promise<TreeState> {
    const state = await this.send<TreeState>('POST', 'trees', JSON.stringify(spec));
    this.revisions.set(state.id, state.rev);
    return state;
  }

  async step(tree: number, action: Action): Promise<Delta> {
    const seen = { 'if-match': String(this.revisions.get(tree) ?? 0) };
    const delta = await this.send<Delta>('POST', `trees/${tree}/step`, JSON.stringify(action), seen);
    this.revisions.set(tree, delta.rev);
    return delta;
  }

  work(tree: number, node: number): Promise<NodeWork> {
    return this.send('GET', `trees/${tree}/nodes/${node}/work`);
  }

  node_rows(tree: number, node: number, offset: number, limit: number): Promise<NodeRows> {
    return this.send('GET', `trees/${tree}/nodes/${node}/rows?offset=${offset}&limit=${limit}`);
  }

  curve(tree: number, folds: number, on: Progress): Promise<Curve> {
    return this.follow(`trees/${tree}/curve`, { folds }, on);
  }

  fit(spec: Spec, on: Progress): Promise<Fitted> {
    return this.follow('models', spec, on);
  }

  predict(model: number, rows: Cell[][]): Promise<Prediction[]> {
    return this.send('POST', `models/${model}/predict`, JSON.stringify({ rows }));
  }

  compare(specs: Spec[], folds: number, on: Progress): Promise<Comparison> {
    return this.follow('compare', { specs, folds }, on);
  }

  async model_file(model: number): Promise<Uint8Array> {
    const answer = await this.request('GET', `models/${model}/file`);
    return new Uint8Array(await answer.arrayBuffer());
  }

  cancel(): void {
    void this.send('POST', 'cancel').catch(() => undefined);
  }

  private async send<T>(method: string, path: string, body?: Body, headers: Headers = {}): Promise<T> {
    const answer = await this.request(method, path, body, headers);
    return (await answer.json()) as T;
  }

  /** Sends a request; an answer that is an error is thrown with its slug, message and hint. */
  private async request(method: string, path: string, body?: Body, headers: Headers = {}): Promise<Response> {
    const content: Headers = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    let answer: Response;
    try {
      answer = await fetch(`/api/${path}`, {
        method,
        body: body as BodyInit | undefined,
        credentials: 'omit',
        cache: 'no-store',
        headers: { authorization: `Bearer ${this.token}`, ...content, ...headers },
      });
    } catch {
      throw new EngineError({ slug: 'server.gone', message: 'the server does not answer: it may have been stopped' });
    }
    if (!answer.ok) throw new EngineError((await answer.json()) as Failure);
    return answer;
  }

  /** Sends a request whose answer comes line by line: progress first, the result at last. */
  private async follow<T>(path: string, body: object, on: Progress): Promise<T> {
    const answer = await this.request('POST', path, JSON.stringify(body));
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + (value ?? '')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const told = JSON.parse(line) as Line<T>;
        if ('result' in told) return told.result;
        if ('failure' in told) throw new EngineError(told.failure);
        on(told.done, told.of);
      }
      if (done) throw new EngineError({ slug: 'server.gone', message: 'the server stopped before it was done' });
    }
  }
}
