/** Which color, hatch and mark a class has: by its size, the largest first. */

/** For each class the number of its color, 0 to 7; 7 is shared by all that come after. */
export type Palette = readonly number[];

export const COLORS = 8;

export function makePalette(sizes: readonly number[]): Palette {
  const order = sizes.map((size, index) => ({ size, index })).sort((a, b) => b.size - a.size || a.index - b.index);
  const palette = new Array<number>(sizes.length).fill(COLORS - 1);
  order.forEach(({ index }, place) => {
    palette[index] = Math.min(place, COLORS - 1);
  });
  return palette;
}

export function colorClass(palette: Palette, index: number): string {
  return `c${palette[index] ?? COLORS - 1}`;
}

/** The positions of the classes, the largest class of the palette first. */
export function byColor(palette: Palette): number[] {
  return palette.map((_, index) => index).sort((a, b) => palette[a]! - palette[b]! || a - b);
}

/** The first of the largest, as the core decides. */
export function largestOf(values: readonly number[]): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) {
    if (values[i]! > values[best]!) best = i;
  }
  return best;
}

export function sumOf(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
