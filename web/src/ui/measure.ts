/** The width of text, for drawings that have a fixed one. */
import { clipText } from './names';

const SANS =
  '"Inter Variable", Inter, ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
/** Names repeat: each is measured once. */
const MOST_KEPT = 5000;
const widths = new Map<string, number>();
let pen: CanvasRenderingContext2D | null = null;

/** In pixels, at a size and weight of the page's font. */
export function measureText(text: string, size: number, weight = 400): number {
  const key = `${size} ${weight} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  pen ??= document.createElement('canvas').getContext('2d');
  if (!pen) return text.length * size * 0.55;
  pen.font = `${weight} ${size}px ${SANS}`;
  const { width } = pen.measureText(text);
  if (widths.size >= MOST_KEPT) widths.clear();
  widths.set(key, width);
  return width;
}

/** The text, or as much of it as fits, with "…" at the end. */
export function fitText(text: string, width: number, size: number, weight = 400): string {
  if (measureText(text, size, weight) <= width) return text;
  const letters = Array.from(text);
  let low = 1;
  let high = letters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measureText(clipText(text, middle), size, weight) <= width) low = middle;
    else high = middle - 1;
  }
  return clipText(text, low);
}
