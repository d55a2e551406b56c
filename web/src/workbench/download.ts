/** Files that the page hands out, text for the clipboard, and CSV. */
import { announce } from '../ui/live';
import { words } from '../texts/workbench';

export function download(name: string, content: string | Uint8Array, type = 'text/plain;charset=utf-8'): void {
  const address = URL.createObjectURL(new Blob([content as BlobPart], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = safeName(name);
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the address after this function has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  announce(words.downloaded);
}

/** The name of a file without what some systems do not allow in one. */
export function safeName(name: string): string {
  const plain = name
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"/\\|?*]/g, '_')
    .slice(0, 120);
  return /^\.*$/.test(plain) ? `table${plain}` : plain;
}

/** The name of a table's file without its extension. */
export function stemOf(name: string): string {
  return name.replace(/::/g, '-').replace(/\.(csv|tsv|tab|txt|data)$/i, '') || 'table';
}

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text); // a page of a file may have no clipboard of its own
  }
  announce(words.copied);
}

function copyBySelection(text: string): void {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'vh';
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** Rows as CSV: a cell with a comma, a quote or a line break is quoted. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(quoteCell).join(',')}\n`).join('');
}

function quoteCell(cell: string): string {
  return /[",\n\r]/.test(cell) || cell !== cell.trim() ? `"${cell.replaceAll('"', '""')}"` : cell;
}
