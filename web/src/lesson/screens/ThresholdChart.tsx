/** The rows of a numeric column in order, and under them the gain of every threshold, on one axis. */
import type { ComponentChildren } from 'preact';
import { linePath, roundTicks } from '../../ui/axis';
import { Mark } from '../../ui/marks';
import { formatNumber } from '../../ui/numbers';
import { Chart, type Drawing } from '../Chart';
import { featureName, figure, isRegression, lesson, palette, targetName, valueText } from '../document';
import { followed } from '../place';
import { say } from '../settings';
import { nearestThreshold, type NumericColumn, type Threshold } from '../thresholds';

interface ThresholdChartProps {
  column: NumericColumn;
  thresholds: Threshold[];
  at: number;
  best: number;
  onMove: (at: number) => void;
}

export function ThresholdChart({ column, thresholds, at, best, onMove }: ThresholdChartProps) {
  const here = thresholds[at]!;
  const range = valueRange(column);
  const move = (value: number) => onMove(nearestThreshold(thresholds, value));
  const words = say('thresholds.now', {
    below: valueText(column.feature, here.below),
    above: valueText(column.feature, here.above),
    gain: figure(here.gain),
  });
  return (
    <>
      <RowStrip column={column} here={here} range={range} onMove={move} />
      <GainCurve
        column={column}
        thresholds={thresholds}
        at={at}
        best={best}
        range={range}
        onMove={move}
        words={words}
        slider={<ThresholdSlider thresholds={thresholds} at={at} range={range} words={words} onMove={onMove} />}
      />
    </>
  );
}

function valueRange(column: NumericColumn): [number, number] {
  const low = column.values[0]!.value;
  const high = column.values[column.values.length - 1]!.value;
  const pad = (high - low || 1) * 0.05;
  return [low - pad, high + pad];
}

function valueTicks(column: NumericColumn) {
  const { ordered } = lesson().table.features[column.feature]!;
  const low = column.values[0]!.value;
  const high = column.values[column.values.length - 1]!.value;
  const ticks = ordered ? ordered.map((_, index) => index) : roundTicks(low, high, 7);
  return ticks
    .filter((value) => value >= low && value <= high)
    .map((value) => ({ value, label: valueText(column.feature, value) }));
}

interface StripProps {
  column: NumericColumn;
  here: Threshold;
  range: [number, number];
  onMove: (value: number) => void;
}

/** Classes: marks, equal values above each other. Numbers: the target against the value, with the mean of each side. */
function RowStrip({ column, here, range, onMove }: StripProps) {
  const targets = column.values.map((row) => row.target);
  const numbers = isRegression();
  const low = Math.min(...targets);
  const high = Math.max(...targets);
  const stacks = stackRows(column);
  const tallest = Math.max(...stacks.map((stack) => stack.level)) + 1;
  const pad = (high - low || 1) * 0.08;
  const yTicks = numbers ? roundTicks(low, high, 4).map((value) => ({ value, label: formatNumber(value) })) : [];
  return (
    <Chart
      label={say('thresholds.strip', { column: featureName(column.feature) })}
      x={range}
      y={numbers ? [low - pad, high + pad] : [0, tallest]}
      xTicks={valueTicks(column)}
      yTicks={yTicks}
      xName={featureName(column.feature)}
      yName={numbers ? targetName() : ''}
      height={numbers ? 230 : Math.min(230, 78 + tallest * 15)}
      onDrag={onMove}
    >
      {(drawing) => (
        <>
          {numbers ? (
            <Scatter column={column} drawing={drawing} />
          ) : (
            <Stacks stacks={stacks} drawing={drawing} tallest={tallest} />
          )}
          {numbers && <SideMeans here={here} range={range} drawing={drawing} />}
          <path class="base-line" d={`M${drawing.left} ${drawing.bottom}H${drawing.x(range[1])}`} />
          <path class="threshold" d={`M${drawing.x(here.middle)} 4V${drawing.bottom}`} />
          <circle class="handle" cx={drawing.x(here.middle)} cy={10} r={7} />
        </>
      )}
    </Chart>
  );
}

interface Stacked {
  row: number;
  value: number;
  target: number;
  level: number;
}

/** Rows of equal value stand above each other. */
function stackRows(column: NumericColumn): Stacked[] {
  const heights = new Map<number, number>();
  return column.values.map(({ row, value, target }) => {
    const level = heights.get(value) ?? 0;
    heights.set(value, level + 1);
    return { row, value, target, level };
  });
}

function Stacks({ stacks, drawing, tallest }: { stacks: Stacked[]; drawing: Drawing; tallest: number }) {
  const step = Math.min(15, (drawing.bottom - 22) / tallest);
  const radius = Math.min(6, step * 0.44);
  return (
    <>
      {stacks.map(({ row, value, target, level }) => {
        const x = drawing.x(value);
        const y = drawing.bottom - 3 - step * (level + 0.5);
        return (
          <g>
            {followed.value === row && <circle class="ring" cx={x} cy={y} r={radius + 4} />}
            <Mark of={target} palette={palette()} x={x} y={y} r={radius} />
          </g>
        );
      })}
    </>
  );
}

function Scatter({ column, drawing }: { column: NumericColumn; drawing: Drawing }) {
  return (
    <>
      {column.values.map(({ row, value, target }) => (
        <g>
          {followed.value === row && <circle class="ring" cx={drawing.x(value)} cy={drawing.y(target)} r={8} />}
          <circle class="ink-dot" cx={drawing.x(value)} cy={drawing.y(target)} r={4} />
        </g>
      ))}
    </>
  );
}

function SideMeans({ here, range, drawing }: { here: Threshold; range: [number, number]; drawing: Drawing }) {
  const { x, y } = drawing;
  const [left, right] = here.sides;
  return (
    <>
      <path class="mean-line" d={`M${x(range[0])} ${y(left.value[0]!)}H${x(here.middle)}`} />
      <path class="mean-line" d={`M${x(here.middle)} ${y(right.value[0]!)}H${x(range[1])}`} />
    </>
  );
}

interface GainCurveProps extends ThresholdChartProps {
  range: [number, number];
  words: string;
  slider: ComponentChildren;
  onMove: (value: number) => void;
}

function GainCurve({ column, thresholds, at, best, range, words, slider, onMove }: GainCurveProps) {
  const here = thresholds[at]!;
  const most = Math.max(...thresholds.map((threshold) => threshold.gain), 1e-9);
  return (
    <Chart
      label={words}
      x={range}
      y={[0, most * 1.15]}
      xTicks={[]}
      yTicks={roundTicks(0, most, 3).map((value) => ({ value, label: formatNumber(value) }))}
      xName={say('thresholds.axis', { column: featureName(column.feature) })}
      yName={say('gain')}
      height={190}
      onDrag={onMove}
      slider={slider}
    >
      {({ x, y, bottom }) => (
        <>
          <path
            class="curve-line"
            d={linePath(thresholds.map((threshold) => [x(threshold.middle), y(threshold.gain)]))}
          />
          {thresholds.map((threshold) => (
            <circle
              class={threshold.allowed ? 'ink-dot' : 'open-dot'}
              cx={x(threshold.middle)}
              cy={y(threshold.gain)}
              r={3}
            />
          ))}
          <circle class="own" cx={x(thresholds[best]!.middle)} cy={y(thresholds[best]!.gain)} r={9} />
          <path class="guide" d={`M${x(here.middle)} 0V${bottom}`} />
          <circle class="now" cx={x(here.middle)} cy={y(here.gain)} r={5} />
          <text class="value-label" x={x(here.middle) + 10} y={Math.max(y(here.gain) - 8, 24)}>
            {figure(here.gain)}
          </text>
        </>
      )}
    </Chart>
  );
}

interface ThresholdSliderProps {
  thresholds: Threshold[];
  at: number;
  range: [number, number];
  words: string;
  onMove: (at: number) => void;
}

/** The thumb stands at the threshold; keys go to the next one, however far it is. */
function ThresholdSlider({ thresholds, at, range, words, onMove }: ThresholdSliderProps) {
  const last = thresholds.length - 1;
  const onKey = (event: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, Home: 0, End: last }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    onMove(Math.min(last, Math.max(0, to)));
  };
  return (
    <input
      type="range"
      min={range[0]}
      max={range[1]}
      step="any"
      value={thresholds[at]!.middle}
      aria-label={say('thresholds.slider')}
      aria-valuetext={words}
      onKeyDown={onKey}
      onInput={(event) => onMove(nearestThreshold(thresholds, Number(event.currentTarget.value)))}
    />
  );
}
