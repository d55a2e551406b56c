/** A set of numbers on the scale of the target: its mean, and one standard deviation to both sides. */

interface ScaleProps {
  mean: number;
  variance: number;
  /** The ends of the scale, the same for all nodes of a tree. */
  range: readonly [number, number];
  x: number;
  y: number;
  width: number;
  height: number;
}

export function ValueScale({ mean, variance, range, x, y, width, height }: ScaleProps) {
  const [low, high] = range;
  const place = (value: number) => x + (width * (Math.min(Math.max(value, low), high) - low)) / (high - low || 1);
  const deviation = Math.sqrt(Math.max(variance, 0));
  const from = place(mean - deviation);
  return (
    <g class="scale">
      <path class="base" d={`M${x} ${y + height / 2}h${width}`} />
      <rect
        class="spread"
        x={from}
        y={y + height * 0.2}
        width={place(mean + deviation) - from}
        height={height * 0.6}
        rx={1}
      />
      <rect class="mean" x={place(mean) - 1.25} y={y} width={2.5} height={height} rx={1} />
    </g>
  );
}

/** The same, as wide as the text. */
export function WideScale({ mean, variance, range }: Pick<ScaleProps, 'mean' | 'variance' | 'range'>) {
  return (
    <svg class="class-bar" height={14} viewBox="0 0 400 14" preserveAspectRatio="none" aria-hidden="true">
      <ValueScale mean={mean} variance={variance} range={range} x={0} y={0} width={400} height={14} />
    </svg>
  );
}
