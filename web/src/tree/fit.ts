/** The place and scale at which a picture fits into its window. */
import type { Box, Form } from './layout';

const HEAD = 4;

export interface FitOptions {
  form: Form;
  /** Space for a caption below. */
  below: number;
  /** Show everything, however small; otherwise text stays readable and the root is in view. */
  whole: boolean;
  root: { x: number; y: number };
  largest: number;
}

export function fitBox(
  box: Box,
  width: number,
  height: number,
  options: FitOptions,
): { x: number; y: number; scale: number } {
  const { form, below, whole, root } = options;
  const list = form === 'list';
  const pad = width < 500 ? 12 : 28;
  const roomX = width - 2 * pad;
  const roomY = height - pad - HEAD - below;
  let scale = Math.min(roomX / (box.right - box.left), roomY / (box.bottom - box.top), options.largest);
  if (!whole) scale = Math.max(scale, list ? 0.78 : 0.6);
  const fitsX = (box.right - box.left) * scale <= roomX + 1;
  const fitsY = (box.bottom - box.top) * scale <= roomY + 1;
  const startX = list ? pad - box.left * scale : width / 2 - root.x * scale;
  const middleY = list
    ? (height + HEAD - (box.top + box.bottom) * scale) / 2
    : HEAD + Math.max(0, (roomY - (box.bottom - box.top) * scale) / 3) + 8 - box.top * scale;
  const startY = list ? height / 2 - root.y * scale : HEAD + 8 - box.top * scale;
  return { x: fitsX ? (width - (box.left + box.right) * scale) / 2 : startX, y: fitsY ? middleY : startY, scale };
}
