/** Work of the engine that takes time: what is running, its progress, how to stop it, and what went wrong. */
import { signal } from '@preact/signals';
import { EngineError, type Failure, type Progress } from '../contract';
import { announce } from '../ui/live';
import { engine, failure } from './state';
import { words } from '../texts/workbench';

export interface Task {
  words: string;
  done: number;
  of: number;
}

/** What is running and has taken long enough to be shown. */
export const busy = signal<Task | null>(null);
const SHOW_AFTER = 200;
const SHOW_BACKGROUND_AFTER = 800;
let running = 0;

/**
 * Run work of the engine; a failure is shown, and the result is undefined. What the page does by itself runs in the
 * background: it is shown later, and does not take away the failure of what the user did.
 */
export async function run<Result>(
  what: string,
  work: (on: Progress) => Promise<Result>,
  background = false,
): Promise<Result | undefined> {
  running += 1;
  const task = running;
  const show = () => (busy.value = { words: what, done: 0, of: 0 });
  const timer = setTimeout(show, background ? SHOW_BACKGROUND_AFTER : SHOW_AFTER);
  const on: Progress = (done, of) => {
    if (task === running && busy.value) busy.value = { words: what, done, of };
  };
  try {
    const result = await work(on);
    if (!background) failure.value = null;
    return result;
  } catch (error) {
    report(error);
    return undefined;
  } finally {
    clearTimeout(timer);
    if (task === running) busy.value = null;
  }
}

/** Stop what is running. */
export function stop(): void {
  engine.value?.cancel();
}

function report(error: unknown): void {
  const seen = describeFailure(error);
  if (seen.slug === 'stopped') announce(words.stopped);
  else failure.value = seen;
}

export function describeFailure(error: unknown): Failure {
  if (error instanceof EngineError) return error.failure;
  return {
    slug: 'internal',
    message: error instanceof Error ? error.message : String(error),
    hint: words.internalHint,
  };
}
