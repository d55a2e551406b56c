/** Files that are not delimited text, or too large: refused before they are read, with what to do instead. */
import { EngineError } from '../contract';
import { fillText } from '../texts/say';
import { words } from '../texts/workbench';

/** Largest file that the page reads. */
export const MAX_BYTES = 50_000_000;

/** The first bytes of formats that people have their tables in. */
const OTHERS: [string, string][] = [
  ['PK\u0003\u0004', words.formats.workbook],
  ['\u00d0\u00cf\u0011\u00e0', words.formats.oldWorkbook],
  ['PAR1', words.formats.parquet],
  ['ARROW1', words.formats.arrow],
  ['\u001f\u008b', words.formats.compressed],
  ['SQLite format 3', words.formats.database],
  ['%PDF-', words.formats.pdf],
];

export function checkFile(name: string, bytes: Uint8Array, most: number): void {
  if (bytes.length > most) {
    throw new EngineError({
      slug: 'workbench.too-large',
      message: fillText(words.formats.tooLarge, { name, size: Math.round(bytes.length / 1e6) }),
      hint: words.formats.useServer,
    });
  }
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  const other = OTHERS.find(([signature]) => start.startsWith(signature));
  if (other) {
    throw new EngineError({
      slug: 'data.other-format',
      message: fillText(words.formats.other, { name, format: other[1] }),
      hint: words.formats.useCommand,
    });
  }
}
