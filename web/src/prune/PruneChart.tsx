/** The error of smaller and larger trees as a curve, with a slider below it that chooses one of them. */
import type { Curve } from '../contract';
import { linePath, makeScale, roundTicks } from '../ui/axis';
import { fillText, t } from '../texts';
import { formatCount, formatMean, formatPercent } from '../ui/numbers';
import './prune.css';

const WIDTH = 640;
const HEIGHT = 220;
const LEFT = 52;
const RIGHT = 16;
const TOP = 12;
const BOTTOM = 32;
const STEPS = 1000;

interface ChartProps {
  curve: Curve;
  /** A position in the curve. */
  level: number;
  onLevel: (level: number) => void;
  /** Whether the errors are fractions of rows. */
  isShare: boolean;
}

export function formatError(error: number, isShare: boolean): string {
  return isShare ? formatPercent(error * 1000, 1000) : formatMean(error);
}

export function PruneChart({ curve, level, onLevel, isShare }: ChartProps) {
  const most = Math.max(...curve.leaves, 2);
  const place = makeScale(0, Math.log(most), LEFT, WIDTH - RIGHT);
  const x = (leaves: number) => place(Math.log(Math.max(1, leaves)));
  const high = highest(curve);
  const y = makeScale(0, high, HEIGHT - BOTTOM, TOP);
  const lines = { validation: curve.validation, training: curve.training };
  const here = curve.leaves[level]!;
  const words = describe(curve, level, isShare);
  return (
    <div class="prune-chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words}>
        <Axes most={most} high={high} x={x} y={y} isShare={isShare} />
        <Band curve={curve} x={x} y={y} />
        {Object.entries(lines).map(([name, errors]) =>
          errors.length > 0 ? <path class={`line ${name}`} d={linePath(errors.map((e, i) => [x(curve.leaves[i]!), y(e)]))} /> : null,
        )}
        <LineNames curve={curve} x={x} y={y} />
        <g class="here">
          <path d={`M${x(here)} ${TOP}V${HEIGHT - BOTTOM}`} />
          {curve.validation.length > 0 && <circle cx={x(here)} cy={y(curve.validation[level]!)} r="5" />}
          {curve.training.length > 0 && <circle cx={x(here)} cy={y(curve.training[level]!)} r="3.5" />}
        </g>
      </svg>
      <input
        type="range"
        min={0}
        max={STEPS}
        value={Math.round((STEPS * Math.log(Math.max(1, here))) / Math.log(most))}
        aria-label={t.report.prune.slider}
        aria-valuetext={fillText(t.report.prune.leaves, { n: formatCount(here) })}
        onInput={(event) => onLevel(nearest(curve, most ** (Number((event.target as HTMLInputElement).value) / STEPS)))}
        onKeyDown={(event) => stepByKey(event, curve, level, onLevel)}
      />
    </div>
  );
}

function highest(curve: Curve): number {
  const bands = curve.validation.map((error, i) => error + (curve.se[i] ?? 0));
  return Math.max(...bands, ...curve.training, 1e-9) * 1.04;
}

/** The tree whose number of leaves is nearest on the logarithmic axis. */
function nearest(curve: Curve, wanted: number): number {
  let best = 0;
  const distance = (i: number) => Math.abs(Math.log(curve.leaves[i]! / wanted));
  curve.leaves.forEach((_, i) => {
    if (distance(i) < distance(best)) best = i;
  });
  return best;
}

/** A key goes to the next tree, whatever its distance on the axis is. */
function stepByKey(event: KeyboardEvent, curve: Curve, level: number, onLevel: (level: number) => void): void {
  const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  onLevel(Math.min(curve.leaves.length - 1, Math.max(0, level + step)));
}

function describe(curve: Curve, level: number, isShare: boolean): string {
  const text = (errors: readonly number[]) => (errors.length > 0 ? formatError(errors[level]!, isShare) : '');
  const values = { n: formatCount(curve.leaves[level]!), training: text(curve.training), validation: text(curve.validation) };
  if (values.training && values.validation) return fillText(t.report.prune.chart, values);
  return fillText(t.report.prune.chartShort, { n: values.n, validation: values.validation || values.training });
}

interface Scales {
  x: (leaves: number) => number;
  y: (error: number) => number;
}

function Axes({ most, high, x, y, isShare }: Scales & { most: number; high: number; isShare: boolean }) {
  const powers = [1, 10, 100, 1000, 10_000, 100_000].filter((leaves) => leaves <= most);
  const ticks = powers.length > 1 ? powers : [1, 2, 5, 10].filter((leaves) => leaves <= most);
  return (
    <g class="axes">
      {roundTicks(0, high, 4).map((error) => (
        <g>
          <path d={`M${LEFT} ${y(error)}H${WIDTH - RIGHT}`} />
          <text x={LEFT - 8} y={y(error) + 4} text-anchor="end">
            {isShare ? `${Math.round(error * 1000) / 10}%` : formatMean(error)}
          </text>
        </g>
      ))}
      {ticks.map((leaves) => (
        <text x={x(leaves)} y={HEIGHT - 12} text-anchor={leaves === 1 ? 'start' : 'middle'}>
          {leaves === 1 ? fillText(t.report.prune.leaves, { n: '1' }) : formatCount(leaves)}
        </text>
      ))}
    </g>
  );
}

/** One standard error to both sides of the error on new rows. */
function Band({ curve, x, y }: Scales & { curve: Curve }) {
  if (curve.se.length === 0) return null;
  const side = (sign: number) => curve.validation.map((e, i) => [x(curve.leaves[i]!), y(Math.max(0, e + sign * curve.se[i]!))] as const);
  return <path class="band" d={`${linePath([...side(1), ...side(-1).reverse()])}Z`} />;
}

/** The names stand on the lines, in place of a legend: in the middle of the axis, the higher line above. */
function LineNames({ curve, x, y }: Scales & { curve: Curve }) {
  const middle = (LEFT + WIDTH - RIGHT) / 2;
  const at = (errors: readonly number[]) => heightAt(curve, errors, middle, x, y);
  const both = curve.validation.length > 0 && curve.training.length > 0;
  const isAbove = !both || at(curve.validation) <= at(curve.training);
  return (
    <g class="names">
      {curve.validation.length > 0 && (
        <text x={middle} y={at(curve.validation) + (isAbove ? -10 : 20)} text-anchor="middle">
          {t.report.prune.lineNew}
        </text>
      )}
      {curve.training.length > 0 && (
        <text x={middle} y={at(curve.training) + (isAbove && both ? 20 : -10)} text-anchor="middle">
          {t.report.prune.lineTraining}
        </text>
      )}
    </g>
  );
}

/** The height of a line at a place of the axis, between its points. */
function heightAt(curve: Curve, errors: readonly number[], place: number, x: Scales['x'], y: Scales['y']): number {
  const next = Math.max(1, curve.leaves.findIndex((leaves) => x(leaves) >= place));
  const [left, right] = [x(curve.leaves[next - 1]!), x(curve.leaves[next]!)];
  const part = right > left ? (place - left) / (right - left) : 0;
  return y(errors[next - 1]! + (errors[next]! - errors[next - 1]!) * Math.min(1, Math.max(0, part)));
}
