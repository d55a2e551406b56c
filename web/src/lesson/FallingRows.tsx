/** Rows as marks inside the nodes of a tree. A mark moves to its branch when the node is split. */
import { makeScale } from '../ui/axis';
import { Mark } from '../ui/marks';
import { byColor } from '../ui/palette';
import { type Placed, SIZES } from '../tree/layout';
import { isRegression, lesson, palette } from './document';
import { targetRange } from './parts';
import { followed } from './place';
import type { SplitScreen } from './steps';

/** More rows than this are drawn by the nodes themselves: as bars, or as a mean on the scale of the target. */
export const MOST_FALLING = 84;
/** Marks that stand side by side; more take several lines. */
const IN_A_LINE = 28;
const LINE_HEIGHT = 4.4;
const LEFT = 16;
const ROOM = SIZES.cards.width - 36;
const MARK_Y = 41;

interface Share {
  node: number;
  row: number;
  fraction: number;
}

interface FallingRowsProps {
  screen: SplitScreen;
  done: number;
  placed: readonly Placed[];
}

export function FallingRows({ screen, done, placed }: FallingRowsProps) {
  const places = new Map(placed.map((item) => [item.id, item]));
  const shares = sharesAfter(screen, done).filter((share) => places.has(share.node));
  return (
    <g class="falling-rows">
      {placeMarks(shares).map(({ node, row, fraction, x, y, size: whole }) => {
        const place = places.get(node)!;
        const size = whole * Math.sqrt(fraction);
        const left = place.x - SIZES.cards.width / 2;
        return (
          <g
            key={`${row}-${fraction < 1 ? node : ''}`}
            style={{ transform: `translate(${left + x}px, ${place.y + MARK_Y + y}px)` }}
          >
            {followed.value === row && <circle class="ring" r={7} />}
            {isRegression() ? (
              <circle class="ink-dot" r={size} />
            ) : (
              <Mark of={lesson().table.target_values[row]!} palette={palette()} x={0} y={0} r={size} />
            )}
          </g>
        );
      })}
    </g>
  );
}

/** Where every row is after so many splits; a divided row is in several nodes. */
function sharesAfter(screen: SplitScreen, done: number): Share[] {
  const root = lesson().nodes[0]!;
  let shares: Share[] = root.rows.map((row, at) => ({ node: 0, row, fraction: root.fraction[at]! }));
  for (const step of screen.order.slice(0, done)) {
    shares = shares.filter((share) => share.node !== step.node);
    for (const child of step.children) {
      child.rows.forEach((row, at) => shares.push({ node: child.node, row, fraction: child.fraction[at]! }));
    }
  }
  return shares;
}

interface PlacedShare extends Share {
  x: number;
  y: number;
  size: number;
}

/** Marks of a node stand side by side, class by class; numbers stand at their place on the scale of the target. */
function placeMarks(shares: Share[]): PlacedShare[] {
  const targets = lesson().table.target_values;
  if (isRegression()) {
    const scale = makeScale(...targetRange(), LEFT + 2, LEFT + ROOM - 2);
    return shares.map((share) => ({ ...share, x: scale(targets[share.row]!), y: 0, size: 3.6 }));
  }
  const rank = new Map(byColor(palette()).map((index, at) => [index, at]));
  const order = (share: Share) => rank.get(targets[share.row]!)!;
  const nodes = [...new Set(shares.map((share) => share.node))];
  return nodes.flatMap((node) => {
    const inside = shares.filter((share) => share.node === node);
    return placeLines(inside.sort((a, b) => order(a) - order(b) || a.row - b.row));
  });
}

function placeLines(inside: Share[]): PlacedShare[] {
  const lines = Math.ceil(inside.length / IN_A_LINE);
  const columns = Math.min(inside.length, IN_A_LINE);
  const gap = Math.min(11, ROOM / Math.max(columns - 1, 1));
  return inside.map((share, at) => ({
    ...share,
    x: LEFT + 4 + gap * (at % IN_A_LINE),
    y: (Math.floor(at / IN_A_LINE) - (lines - 1) / 2) * LINE_HEIGHT,
    size: Math.min(4, gap * 0.42),
  }));
}
