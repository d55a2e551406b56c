/**
 * The engine of the pages in Node.js, for tests: each line of the input is a call, each line of the output its answer.
 *
 * Arguments: the packed module. A call may name a file whose bytes go with it; an answer of bytes goes to a file.
 */
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import { CoreModule } from '../../web/src/engine/core_module.js';

const packed = readFileSync(process.argv[2]);
const module = new WebAssembly.Module(gunzipSync(packed));
let told = 0;
const start = () => new CoreModule(module, () => (told += 1));
let core = start();

function answer({ request, file, to, broken }) {
  if (broken) {
    // A request that begins at the end of the memory.
    core.run(0xfffffff0, 100, 0, 0);
  }
  const reply = core.call(request, file === undefined ? undefined : readFileSync(file));
  if ('bytes' in reply) {
    writeFileSync(to, reply.bytes);
    return { document: reply.bytes.length };
  }
  return reply;
}

function answerLine(line) {
  const before = performance.now();
  told = 0;
  let reply;
  try {
    reply = answer(JSON.parse(line));
  } catch (error) {
    core = start();
    reply = { trap: String(error.stack) + String(error.cause?.stack) };
  }
  const seconds = (performance.now() - before) / 1000;
  const memory = core.exports.memory.buffer.byteLength;
  writeSync(1, JSON.stringify({ ...reply, seconds, memory, told }) + '\n');
}

for await (const line of createInterface({ input: process.stdin })) {
  answerLine(line);
}
