/** The error of each learner as a dot with its interval, above a line at the baseline; figures beside it. */
import type { Comparison } from '../../contract';
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import { formatCount as count } from '../../ui/numbers';
import { makeScale, roundTicks } from '../../ui/axis';
import { isNumeric } from '../state';
import { summarize } from './statistics';
import { byError, nameOf, write } from './Verdict';

const WIDTH = 320;
const HEIGHT = 28;

export function DotPlot({ comparison }: { comparison: Comparison }) {
  const order = byError(comparison);
  const sums = order.map((result) => summarize(result.error));
  const highest = Math.max(...sums.map((sum) => sum.high), 1e-9);
  const ticks = roundTicks(0, highest, 4);
  const x = makeScale(0, Math.max(highest, ticks.at(-1) ?? 0), 8, WIDTH - 8);
  const baseline = order.find((result) => result.spec.algorithm === 'zero-r')?.mean ?? null;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={words.compare.title}>
      <table class="dots">
        <thead>
          <tr>
            <th scope="col">{words.compare.learner}</th>
            <th scope="col">{isNumeric.value ? words.compare.squaredError : words.compare.error}</th>
            <th scope="col" class="plot">
              <span class="vh">{words.compare.intervals}</span>
              <Axis ticks={ticks} x={x} />
            </th>
            <th scope="col">{words.compare.leaves}</th>
            <th scope="col">{words.compare.seconds}</th>
          </tr>
        </thead>
        <tbody>
          {order.map((result, at) => (
            <tr
              key={result.spec.algorithm}
              class={result.mean === baseline && result.spec.algorithm === 'zero-r' ? 'base' : ''}
            >
              <th scope="row">{nameOf(result)}</th>
              <td>
                <b>{write(result.mean)}</b>
              </td>
              <td class="plot">
                <Dot sum={sums[at]!} x={x} baseline={baseline} />
              </td>
              <td>{result.leaves > 0 ? count(result.leaves) : ''}</td>
              <td>{fillText(words.compare.inSeconds, { n: result.seconds.toFixed(2) })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Axis({ ticks, x }: { ticks: number[]; x: (value: number) => number }) {
  return (
    <svg viewBox={`0 0 ${WIDTH} 18`} width={WIDTH} height={18} aria-hidden="true">
      {ticks.map((tick) => (
        <text key={tick} x={x(tick)} y={13} text-anchor="middle">
          {write(tick)}
        </text>
      ))}
    </svg>
  );
}

interface DotProps {
  sum: { mean: number; low: number; high: number };
  x: (value: number) => number;
  baseline: number | null;
}

function Dot({ sum, x, baseline }: DotProps) {
  const label = fillText(words.compare.interval, { low: write(sum.low), high: write(sum.high) });
  const middle = HEIGHT / 2;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      {baseline !== null && <path class="baseline" d={`M${x(baseline)} 0V${HEIGHT}`} />}
      <path class="interval" d={`M${x(sum.low)} ${middle}H${x(sum.high)}`} />
      <circle class="dot" cx={x(sum.mean)} cy={middle} r={5} />
    </svg>
  );
}
