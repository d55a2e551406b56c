/**
 * The core in a worker of the page.
 *
 * Calls are answered one after the other. What is running can be stopped only by ending its worker: another one is
 * started at the next call, and what the page still needs is done again in it (files are read, trees are grown). So are
 * the calls after a defect of the module, without the call that found it.
 */
import { EngineError } from '../contract';
import type {
  Action, Cell, Comparison, Curve, Delta, Distribution, Engine, Fitted, NodeRows, NodeWork, OpenOptions, Prediction, Progress, Spec,
  Table, TreeState,
} from '../contract';
import { readEmbeddedBytes } from '../embedded';
import type { CallRequest, FromWorker } from './messages';
import EngineWorker from './worker?worker&inline';

/** A call that changed what the core holds: made again in a new worker. */
interface Remembered {
  /** The table, tree or model that it belongs to. */
  owner: number;
  request: CallRequest;
  file?: Uint8Array;
}

type Reply = Exclude<FromWorker, { progress: unknown }>;

/** Calls whose result the core keeps, or changes. */
const CHANGING = new Set(['open', 'start', 'step', 'fit']);

export class WasmEngine implements Engine {
  private worker: Worker | null = null;
  private lastMessage = 0;
  private lastId = 0;
  private remembered: Remembered[] = [];
  private queue: Promise<unknown> = Promise.resolve();
  /** Ends the wait for the running call. */
  private stopRunning: (() => void) | null = null;

  constructor(private readonly module: WebAssembly.Module) {}

  /** The engine that is embedded in the page. */
  static async fromPage(name = 'engine'): Promise<WasmEngine> {
    const bytes = await readEmbeddedBytes(name);
    if (bytes === null) {
      throw new EngineError({ slug: 'internal', message: 'this page was made without its engine' });
    }
    return new WasmEngine(await WebAssembly.compile(bytes));
  }

  open(bytes: Uint8Array, name: string, options: OpenOptions): Promise<Table> {
    return this.create({ call: 'open', name, options }, bytes);
  }

  rows(table: number, offset: number, limit: number): Promise<string[][]> {
    return this.ask({ call: 'rows', table, offset, limit });
  }

  distribution(table: number, column: number): Promise<Distribution> {
    return this.ask({ call: 'distribution', table, column });
  }

  start(spec: Spec): Promise<TreeState> {
    return this.create({ call: 'start', spec });
  }

  step(tree: number, action: Action): Promise<Delta> {
    return this.ask({ call: 'step', tree, action });
  }

  work(tree: number, node: number): Promise<NodeWork> {
    return this.ask({ call: 'work', tree, node });
  }

  node_rows(tree: number, node: number, offset: number, limit: number): Promise<NodeRows> {
    return this.ask({ call: 'node_rows', tree, node, offset, limit });
  }

  curve(tree: number, folds: number, on: Progress): Promise<Curve> {
    return this.ask({ call: 'curve', tree, folds }, on);
  }

  fit(spec: Spec, on: Progress): Promise<Fitted> {
    return this.create({ call: 'fit', spec }, undefined, on);
  }

  predict(model: number, rows: Cell[][]): Promise<Prediction[]> {
    return this.ask({ call: 'predict', model, rows });
  }

  compare(specs: Spec[], folds: number, on: Progress): Promise<Comparison> {
    return this.ask({ call: 'compare', specs, folds }, on);
  }

  model_file(model: number): Promise<Uint8Array> {
    return this.ask({ call: 'model_file', model });
  }

  close(id: number): Promise<void> {
    this.remembered = this.remembered.filter((call) => call.owner !== id && call.request['as'] !== id);
    return this.worker === null ? Promise.resolve() : this.ask({ call: 'close', id });
  }

  cancel(): void {
    this.stopRunning?.();
  }

  /** A call whose result is kept in the core under a new number. */
  private create<T>(request: CallRequest, file?: Uint8Array, on?: Progress): Promise<T> {
    this.lastId += 1;
    return this.ask({ ...request, as: this.lastId }, on, file);
  }

  /** A call, after all calls before it. */
  private ask<T>(request: CallRequest, on?: Progress, file?: Uint8Array): Promise<T> {
    const asked = this.queue.then(() => this.run(request, on, file));
    this.queue = asked.catch(() => undefined);
    return asked as Promise<T>;
  }

  private async run(request: CallRequest, on?: Progress, file?: Uint8Array): Promise<unknown> {
    await this.restore();
    const reply = await this.send(request, file, on);
    if (CHANGING.has(request.call)) {
      this.remember(request, file);
    }
    return reply;
  }

  private remember(request: CallRequest, file?: Uint8Array): void {
    const owner = (request['spec'] as Spec | undefined)?.table ?? (request['tree'] as number | undefined) ?? 0;
    this.remembered.push(file === undefined ? { owner, request } : { owner, request, file });
  }

  /** Starts a worker where there is none, and does again what the page still needs. */
  private async restore(): Promise<void> {
    if (this.worker !== null) {
      return;
    }
    this.worker = new EngineWorker();
    await this.exchange(this.worker, { module: this.module });
    for (const { request, file } of this.remembered) {
      await this.send(request, file);
    }
  }

  /** Sends a call to the worker and waits for its answer. */
  private async send(request: CallRequest, file?: Uint8Array, on?: Progress): Promise<unknown> {
    const worker = this.worker;
    if (worker === null) {
      throw new EngineError({ slug: 'stopped', message: 'the work was stopped' });
    }
    const reply = await this.exchange(worker, file === undefined ? { request } : { request, file }, on);
    if ('failure' in reply) {
      throw new EngineError(reply.failure);
    }
    if ('trap' in reply) {
      this.end();
      const hint = 'the page goes on without it; please report what you did';
      throw new EngineError({ slug: 'internal', message: `a defect of treewright: ${reply.trap}`, hint });
    }
    return 'bytes' in reply ? reply.bytes : reply.document;
  }

  private exchange(worker: Worker, content: object, on?: Progress): Promise<Reply> {
    this.lastMessage += 1;
    const id = this.lastMessage;
    return new Promise((resolve, reject) => {
      this.stopRunning = () => {
        this.stopRunning = null;
        this.end();
        reject(new EngineError({ slug: 'stopped', message: 'the work was stopped' }));
      };
      worker.onmessage = (event: MessageEvent<FromWorker>) => {
        const reply = event.data;
        if ('progress' in reply) {
          on?.(reply.progress.done, reply.progress.of);
        } else if (reply.id === id) {
          this.stopRunning = null;
          resolve(reply);
        }
      };
      worker.postMessage({ id, ...content });
    });
  }

  /** Ends the worker; the next call starts another. */
  private end(): void {
    this.worker?.terminate();
    this.worker = null;
  }
}
