/** The distribution of a column: numbers as a histogram, categories as bars, both by class. */
import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { Distribution, SourceColumn, Table } from '../../contract';
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import { showName } from '../../ui/names';
import { formatCount as count, formatMean as significant } from '../../ui/numbers';
import { byColor, colorClass, sumOf, type Palette } from '../../ui/palette';
import { palette } from '../classes';
import { engine } from '../state';

const WIDTH = 200;
const HEIGHT = 44;
const GAP = 1;
/** Categories that are named below the bars. */
const NAMED = 3;

export function ColumnPicture({ table, index }: { table: Table; index: number }) {
  const seen = useSignal<{ table: number; found: Distribution } | null>(null);
  useEffect(() => {
    let wanted = true;
    // A column without a picture (long texts, all missing) has none: that is no error of the user's.
    engine.value?.distribution(table.id, index).then(
      (found) => wanted && (seen.value = { table: table.id, found }),
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [table.id, index]);
  const column = table.columns[index]!;
  // The picture of the table before it would be drawn with the words of this one.
  const found = seen.value?.table === table.id ? seen.value.found : null;
  if (!found || found.counts.length === 0) return <span class="picture" />;
  const colors = table.classes ? palette.value : null;
  const bars = found.edges ? mergeRanges(found.counts, table.rows) : withOthers(found);
  const counts = colors ? bars : bars.map((bar) => [sumOf(bar)]);
  return (
    <figure class="picture">
      <Bars counts={counts} colors={colors} joined={!!found.edges} />
      <figcaption>{describe(column, found)}</figcaption>
    </figure>
  );
}

/** Few rows in many narrow ranges are hard to read: neighbors are put together. */
function mergeRanges(counts: number[][], rows: number): number[][] {
  const wanted = Math.ceil(Math.log2(Math.max(rows, 2))) + 2;
  const size = Math.max(1, Math.ceil(counts.length / wanted));
  const merged: number[][] = [];
  for (let at = 0; at < counts.length; at += size) {
    const group = counts.slice(at, at + size);
    merged.push(group[0]!.map((_, index) => sumOf(group.map((bar) => bar[index]!))));
  }
  return merged;
}

function withOthers(found: Distribution): number[][] {
  return found.others && sumOf(found.others) > 0 ? [...found.counts, found.others] : found.counts;
}

interface BarsProps {
  counts: number[][];
  colors: Palette | null;
  /** Bars of neighboring ranges touch. */
  joined: boolean;
}

function Bars({ counts, colors, joined }: BarsProps) {
  const most = Math.max(...counts.map(sumOf), 1);
  const step = Math.min(WIDTH / counts.length, joined ? WIDTH : 34);
  const gap = joined ? GAP : Math.min(6, step / 4);
  return (
    <svg class="bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      {counts.map((bar, at) => (
        <Stack
          key={at}
          bar={bar}
          colors={colors}
          x={at * step}
          width={Math.max(step - gap, 0.5)}
          scale={HEIGHT / most}
        />
      ))}
    </svg>
  );
}

interface StackProps {
  bar: number[];
  colors: Palette | null;
  x: number;
  width: number;
  scale: number;
}

/** One bar: its classes on top of each other, the largest class at the bottom. */
function Stack({ bar, colors, x, width, scale }: StackProps) {
  let top = HEIGHT;
  const order = colors && bar.length === colors.length ? byColor(colors) : bar.map((_, index) => index);
  return (
    <g>
      {order
        .filter((index) => bar[index]! > 0)
        .map((index) => {
          const height = Math.max(bar[index]! * scale, 0.75);
          top -= height;
          const color = colors && bar.length === colors.length ? `fill ${colorClass(colors, index)}` : 'plain';
          return <rect key={index} class={color} x={x} y={top} width={width} height={height} />;
        })}
    </g>
  );
}

/** The picture in words. */
function describe(column: SourceColumn, found: Distribution): string {
  if (found.edges) {
    return fillText(words.data.histogram, {
      low: significant(found.edges[0]!),
      high: significant(found.edges.at(-1)!),
    });
  }
  const named = (found.levels ?? [])
    .slice(0, NAMED)
    .map((name, at) => `${showName(name)} ${count(sumOf(found.counts[at]!))}`);
  const more = column.distinct - named.length;
  return named.join(', ') + (more > 0 ? fillText(words.data.more, { n: count(more) }) : '');
}
