/** Messages between the page and the worker that holds the core. */
import type { Failure } from '../contract';

/** A call of the core; its result is remembered in the core under the number `as`, where it has one. */
export type CallRequest = { call: string; as?: number } & Record<string, unknown>;

export type ToWorker =
  | { id: number; module: WebAssembly.Module }
  | { id: number; request: CallRequest; file?: Uint8Array };

export type FromWorker =
  | { progress: { done: number; of: number } }
  | { id: number; document: unknown }
  | { id: number; bytes: Uint8Array }
  | { id: number; failure: Failure }
  /** The module stopped in the middle of a call, which is a defect of it. */
  | { id: number; trap: string };
