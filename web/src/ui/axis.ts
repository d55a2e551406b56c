/** Positions of numbers in a picture. */

/** A function that takes numbers between `low` and `high` to positions between `start` and `end`. */
export function makeScale(low: number, high: number, start: number, end: number): (value: number) => number {
  const width = high - low || 1;
  return (value) => start + ((value - low) / width) * (end - start);
}

/** About `count` round numbers (1, 2 or 5 times a power of ten apart) between `low` and `high`. */
export function roundTicks(low: number, high: number, count = 5): number[] {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => size >= rough * 0.999) ?? 10 * power;
  const ticks: number[] = [];
  // Whole multiples, so that no error of addition is drawn (0.30000000000000004).
  for (let times = Math.ceil(low / step - 1e-9); times * step <= high + step * 1e-9; times++) {
    ticks.push(Number((times * step).toPrecision(12)));
  }
  return ticks;
}

/** The path of a line through points. */
export function linePath(points: (readonly [number, number])[]): string {
  return points.map(([x, y], at) => `${at ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}
