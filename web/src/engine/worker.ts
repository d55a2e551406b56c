/** The core in a worker: the page stays free while it computes. One message is one call; the answers come in order. */
import { CoreModule } from './core_module.js';
import type { FromWorker, ToWorker } from './messages';

let core: CoreModule | null = null;

function post(message: FromWorker, transfer: Transferable[] = []): void {
  (self as unknown as Worker).postMessage(message, transfer);
}

function answer({ id, request, file }: Extract<ToWorker, { request: object }>): void {
  if (core === null) {
    throw new Error('the engine has not been started');
  }
  const reply = core.call(request, file);
  if ('bytes' in reply) {
    post({ id, bytes: reply.bytes }, [reply.bytes.buffer]);
  } else {
    post({ id, ...reply });
  }
}

self.onmessage = (event: MessageEvent<ToWorker>): void => {
  const message = event.data;
  const { id } = message;
  try {
    if ('module' in message) {
      core = new CoreModule(message.module, (done, of) => post({ progress: { done, of } }));
      post({ id, document: null });
    } else {
      answer(message);
    }
  } catch (error) {
    // The module's memory may be in any state now: the page starts another worker.
    core = null;
    post({ id, trap: String(error) });
  }
};
