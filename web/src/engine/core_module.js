/**
 * The core as WebAssembly: one call with its arguments as JSON and a file as bytes, one answer.
 *
 * Plain JavaScript, so that the tests run in Node.js what the worker of a page runs.
 */

/** Kinds of an answer, as the module numbers them. */
const DOCUMENT = 0;
const FAILURE = 1;

export class CoreModule {
  /**
   * @param {WebAssembly.Module} module
   * @param {(done: number, of: number) => void} tell is called while long work goes on
   */
  constructor(module, tell) {
    const instance = new WebAssembly.Instance(module, { env: { tell, now: () => performance.now() } });
    /** @type {any} */
    this.exports = instance.exports;
  }

  /**
   * Answers a call. A trap of the module is thrown: after it the module must not be used again.
   *
   * @param {object} request the name of the call and its arguments
   * @param {Uint8Array} [file]
   * @returns {{ document: unknown } | { failure: import('../contract').Failure } | { bytes: Uint8Array }}
   */
  call(request, file) {
    const text = new TextEncoder().encode(JSON.stringify(request));
    const given = this.write(text);
    const content = file === undefined ? 0 : this.write(file);
    if (given === null || content === null) {
      return { failure: { slug: 'memory', message: 'there is not enough memory for this file in a page' } };
    }
    const kind = this.run(given, text.length, content, file?.length ?? 0);
    const answer = this.answer();
    if (kind !== DOCUMENT && kind !== FAILURE) {
      return { bytes: answer.slice() };
    }
    const value = JSON.parse(new TextDecoder().decode(answer));
    return kind === FAILURE ? { failure: value } : { document: value };
  }

  /**
   * Runs a call; where the module stops, the error has its last words.
   *
   * @param {number[]} given
   * @returns {number}
   */
  run(...given) {
    try {
      return this.exports.call(...given);
    } catch (error) {
      throw new Error(`${new TextDecoder().decode(this.answer())} (${error})`, { cause: error });
    }
  }

  /** @returns {Uint8Array} */
  answer() {
    return new Uint8Array(this.exports.memory.buffer, this.exports.answer_start(), this.exports.answer_length());
  }

  /**
   * Copies bytes into the module's memory and returns where they are; null where there is no room.
   *
   * @param {Uint8Array} bytes
   * @returns {number | null}
   */
  write(bytes) {
    const start = this.exports.alloc(bytes.length);
    if (start === 0) {
      return null;
    }
    new Uint8Array(this.exports.memory.buffer, start, bytes.length).set(bytes);
    return start;
  }
}
