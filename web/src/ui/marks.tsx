/** Classes as marks and bars. Color and shape, or color and hatch, say the same thing twice. */
import { formatCount, formatPercent } from './numbers';
import { showName } from './names';
import { type Palette, byColor, colorClass, sumOf } from './palette';

interface MarkProps {
  /** The position of the class. */
  of: number;
  palette: Palette;
  x: number;
  y: number;
  r?: number;
}

/** The outlines of marks 2 to 7, around 0 with radius 1. */
const OUTLINES = [
  [
    [0, -1],
    [1, 0.8],
    [-1, 0.8],
  ],
  [
    [0, -1],
    [1, 0],
    [0, 1],
    [-1, 0],
  ],
  [
    [-1, -0.8],
    [1, -0.8],
    [0, 1],
  ],
  [
    [-0.35, -1],
    [0.35, -1],
    [0.35, -0.35],
    [1, -0.35],
    [1, 0.35],
    [0.35, 0.35],
    [0.35, 1],
    [-0.35, 1],
    [-0.35, 0.35],
    [-1, 0.35],
    [-1, -0.35],
    [-0.35, -0.35],
  ],
  [
    [0, -1],
    [0.87, -0.5],
    [0.87, 0.5],
    [0, 1],
    [-0.87, 0.5],
    [-0.87, -0.5],
  ],
  [
    [-1, -0.45],
    [1, -0.45],
    [1, 0.45],
    [-1, 0.45],
  ],
] as const;

/** One row of a class. */
export function Mark({ of, palette, x, y, r = 4 }: MarkProps) {
  const color = palette[of] ?? 7;
  const name = `mark ${colorClass(palette, of)}`;
  if (color === 0) return <circle class={name} cx={x} cy={y} r={r} />;
  if (color === 1) {
    const side = 2 * r - 0.8;
    return <rect class={name} x={x - side / 2} y={y - side / 2} width={side} height={side} rx={1} />;
  }
  const corners = OUTLINES[color - 2]!.map(([dx, dy]) => `${(x + dx * r).toFixed(2)} ${(y + dy * r).toFixed(2)}`);
  return <path class={name} d={`M${corners.join('L')}Z`} />;
}

/** A mark on its own, in a line of text. */
export function TextMark({ of, palette, size = 11 }: { of: number; palette: Palette; size?: number }) {
  return (
    <svg width={size} height={size} aria-hidden="true">
      <Mark of={of} palette={palette} x={size / 2} y={size / 2} r={size / 2 - 1} />
    </svg>
  );
}

interface BarProps {
  value: readonly number[];
  palette: Palette;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The weights of the classes as parts of a bar, inside a drawing. */
export function Bar({ value, palette, x, y, width, height }: BarProps) {
  const total = sumOf(value) || 1;
  let at = x;
  const parts = byColor(palette)
    .filter((index) => value[index]! > 0)
    .map((index) => {
      const part = { index, at, width: (width * value[index]!) / total };
      at += part.width;
      return part;
    });
  return (
    <g>
      {parts.map((part) => (
        <rect class={`fill ${colorClass(palette, part.index)}`} x={part.at} y={y} width={part.width} height={height} />
      ))}
    </g>
  );
}

/** The same, as wide as the text. */
export function WideBar({
  value,
  palette,
  height = 12,
}: {
  value: readonly number[];
  palette: Palette;
  height?: number;
}) {
  return (
    <svg class="class-bar" height={height} viewBox={`0 0 400 ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <Bar value={value} palette={palette} x={0} y={0} width={400} height={height} />
    </svg>
  );
}

interface ClassListProps {
  value: readonly number[];
  classes: readonly string[];
  palette: Palette;
  /** The others are one entry. */
  limit?: number;
}

/** Each class with its mark, its weight and its percentage. */
export function ClassList({ value, classes, palette, limit = 6 }: ClassListProps) {
  const total = sumOf(value);
  const order = byColor(palette);
  const shown = order.slice(0, order.length > limit ? limit - 1 : limit);
  const others = sumOf(order.slice(shown.length).map((index) => value[index]!));
  return (
    <ul class="class-list">
      {shown.map((index) => (
        <li key={index}>
          <TextMark of={index} palette={palette} />
          <b>{formatCount(value[index]!)}</b> {showName(classes[index]!)}{' '}
          <span>{formatPercent(value[index]!, total)}</span>
        </li>
      ))}
      {shown.length < order.length && (
        <li>
          <b>{formatCount(others)}</b> +{order.length - shown.length} <span>{formatPercent(others, total)}</span>
        </li>
      )}
    </ul>
  );
}

/** Every class but the first has a texture of its own: blue and green are one color to some readers. */
const TEXTURES = [
  { color: 1, size: 5, angle: 45, dots: false },
  { color: 2, size: 5, angle: 0, dots: true },
  { color: 3, size: 5, angle: -45, dots: false },
  { color: 4, size: 4, angle: 90, dots: false },
  { color: 5, size: 8, angle: 45, dots: false },
  { color: 6, size: 7, angle: 45, dots: true },
  { color: 7, size: 8, angle: -45, dots: false },
];

/** The textures of the classes; render it once on a page, and never take it away: bars refer to it. */
export function Hatches() {
  return (
    <svg class="vh" width="0" height="0" aria-hidden="true">
      <defs>
        {TEXTURES.map(({ color, size, angle, dots }) => (
          <pattern
            id={`hatch${color}`}
            width={size}
            height={size}
            patternUnits="userSpaceOnUse"
            patternTransform={`rotate(${angle})`}
          >
            <rect width={size} height={size} class={`pattern c${color}`} />
            {dots ? (
              <circle cx={size / 2} cy={size / 2} r={1.1} class="hatch" />
            ) : (
              <rect width="1.6" height={size} class="hatch" />
            )}
          </pattern>
        ))}
      </defs>
    </svg>
  );
}
