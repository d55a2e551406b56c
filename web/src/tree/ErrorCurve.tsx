/**
 * The error of all prunings of a tree, on training rows and on new rows, with a slider for the number of leaves. Errors
 * that are not known are empty lists.
 */
import type { Curve } from '../contract';
import { fillText, t } from '../texts';
import { linePath, makeScale, roundTicks } from '../ui/axis';
import { formatCount, formatMean } from '../ui/numbers';
import './curve.css';

/** The slider below has the same left and right ends: see curve.css. */
const CHART = { width: 640, height: 168, left: 46, right: 14, top: 10, bottom: 30 };
const SLIDER_STEPS = 1000;

interface CurveProps {
  curve: Curve;
  /** The position of the pruning that is shown. */
  level: number;
  onLevel: (level: number) => void;
  /** Errors are shares of rows; otherwise mean squared errors. */
  shares: boolean;
}

export function formatError(error: number, shares: boolean): string {
  return shares ? `${(100 * error).toFixed(1)}%` : formatMean(error);
}

function logLeaves(curve: Curve): number {
  return Math.log(Math.max(...curve.leaves, 2));
}

export function ErrorCurve({ curve, level, onLevel, shares }: CurveProps) {
  const leaves = curve.leaves[level] ?? 1;
  const words = errorWords(curve, level, shares);
  const slide = (event: Event) => {
    const share = Number((event.target as HTMLInputElement).value) / SLIDER_STEPS;
    onLevel(nearestLevel(curve, Math.exp(share * logLeaves(curve))));
  };
  return (
    <div class="error-curve">
      <Chart curve={curve} level={level} shares={shares} label={`${t.prune.chart} ${words}`} />
      <input
        type="range"
        min={0}
        max={SLIDER_STEPS}
        value={Math.round((SLIDER_STEPS * Math.log(leaves)) / logLeaves(curve))}
        aria-label={t.prune.keep}
        aria-valuetext={words}
        onInput={slide}
        onKeyDown={(event) => stepByKey(event, curve, level, onLevel)}
      />
    </div>
  );
}

function errorWords(curve: Curve, level: number, shares: boolean): string {
  const n = formatCount(curve.leaves[level] ?? 1);
  const known = [
    curve.training.length > 0 && `${t.prune.trainingRows} ${formatError(curve.training[level]!, shares)}`,
    curve.validation.length > 0 && `${t.prune.newRows} ${formatError(curve.validation[level]!, shares)}`,
  ].filter((text) => text !== false);
  return `${fillText(t.tree.leaves, { n })}: ${known.join(', ')}`;
}

/** An arrow key goes to the next pruning, however close it is on the axis. */
function stepByKey(event: KeyboardEvent, curve: Curve, level: number, onLevel: (level: number) => void): void {
  const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const rising = curve.leaves[0]! <= curve.leaves.at(-1)!;
  onLevel(Math.max(0, Math.min(curve.leaves.length - 1, level + (rising ? step : -step))));
}

function nearestLevel(curve: Curve, wanted: number): number {
  let best = 0;
  const distance = (level: number) => Math.abs(Math.log(curve.leaves[level]! / wanted));
  for (let level = 1; level < curve.leaves.length; level++) if (distance(level) < distance(best)) best = level;
  return best;
}

function Chart({ curve, level, shares, label }: { curve: Curve; level: number; shares: boolean; label: string }) {
  const { width, height, left, right, top, bottom } = CHART;
  const spread = (i: number) => curve.se[i] ?? 0;
  const most = Math.max(...curve.validation.map((error, i) => error + spread(i)), ...curve.training, 1e-9) * 1.04;
  const logs = makeScale(0, logLeaves(curve), left, width - right);
  const x = (leaves: number) => logs(Math.log(leaves));
  const y = makeScale(0, most, height - bottom, top);
  const line = (errors: readonly number[]) => linePath(errors.map((error, i) => [x(curve.leaves[i]!), y(error)]));
  const edge = (sign: number) =>
    curve.validation.map((error, i): [number, number] => [
      x(curve.leaves[i]!),
      y(Math.max(0, error + sign * spread(i))),
    ]);
  const here = x(curve.leaves[level]!);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {roundTicks(0, most, 3).map((tick) => (
        <g key={tick} class="grid">
          <path d={`M${left} ${y(tick)}H${width - right}`} />
          <text x={left - 8} y={y(tick) + 4} text-anchor="end">
            {shares ? `${formatMean(100 * tick)}%` : formatMean(tick)}
          </text>
        </g>
      ))}
      {leafTicks(curve).map((leaves) => (
        <text key={leaves} x={x(leaves)} y={height - 12} text-anchor={leaves === 1 ? 'start' : 'middle'}>
          {leaves === 1 ? fillText(t.tree.leaves, { n: 1 }) : formatCount(leaves)}
        </text>
      ))}
      {curve.se.length > 0 && (
        <path class="band" d={`${linePath(edge(1))}${linePath(edge(-1).reverse()).replace('M', 'L')}Z`} />
      )}
      <path class="training" d={line(curve.training)} />
      <path class="validation" d={line(curve.validation)} />
      <LineLabels curve={curve} x={x} y={y} />
      <g class="now">
        <path d={`M${here} ${top}V${height - bottom}`} />
        {curve.validation.length > 0 && <circle cx={here} cy={y(curve.validation[level]!)} r="5" />}
        {curve.training.length > 0 && <circle cx={here} cy={y(curve.training[level]!)} r="3.5" />}
      </g>
    </svg>
  );
}

/** 1, 10, 100, ...; for a small tree 1, 2, 5, 10. */
function leafTicks(curve: Curve): number[] {
  const most = Math.max(...curve.leaves);
  const steps = most < 50 ? [1, 2, 5, 10, 20] : [1, 10, 100, 1000, 10_000, 100_000];
  return steps.filter((leaves) => leaves <= most);
}

/** Names stand on the lines, so that no legend is needed: near the right end, where the lines part. */
function LineLabels({ curve, x, y }: { curve: Curve; x: (leaves: number) => number; y: (error: number) => number }) {
  const base = CHART.height - CHART.bottom;
  const levelAt = (share: number) => nearestLevel(curve, Math.exp(logLeaves(curve) * share));
  const right = levelAt(0.86);
  const above = Math.max(14, y((curve.validation[right] ?? 0) + (curve.se[right] ?? 0)) - 7);
  // Below the line of the training rows, where it is high enough for that.
  const under = [0.86, 0.6, 0.4, 0.2].map(levelAt).find((at) => y(curve.training[at]!) < base - 24) ?? 0;
  const place = (at: number) => Math.max(CHART.left + 44, Math.min(x(curve.leaves[at]!), CHART.width - 58));
  return (
    <g class="names">
      {curve.validation.length > 0 && (
        <text x={place(right)} y={above} text-anchor="middle">
          {t.prune.newRows}
        </text>
      )}
      {curve.training.length > 0 && (
        <text x={place(under)} y={Math.min(base - 5, y(curve.training[under]!) + 18)} text-anchor="middle">
          {t.prune.trainingRows}
        </text>
      )}
    </g>
  );
}

/** The number of leaves and both errors, in words. */
export function CurveFacts({ curve, level, shares }: Omit<CurveProps, 'onLevel'>) {
  return (
    <>
      <p class="big">
        {formatCount(curve.leaves[level]!)} <span>{fillText(t.prune.leaves, { n: curve.leaves[level]! })}</span>
      </p>
      <dl class="sums">
        {curve.validation.length > 0 && (
          <div>
            <dt>{shares ? t.prune.newWrong : t.prune.newError}</dt>
            <dd>
              {formatError(curve.validation[level]!, shares)}{' '}
              {curve.se.length > 0 && <span>± {formatError(curve.se[level]!, shares)} se</span>}
            </dd>
          </div>
        )}
        {curve.training.length > 0 && (
          <div>
            <dt>{shares ? t.prune.trainingWrong : t.prune.trainingError}</dt>
            <dd>{formatError(curve.training[level]!, shares)}</dd>
          </div>
        )}
      </dl>
    </>
  );
}
