/** What the difference means, in a sentence or two. */
import type { Comparison } from '../../contract';
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import { formatMean as significant, formatPercent } from '../../ui/numbers';
import { LEARNERS } from '../learner/learners';
import { isNumeric } from '../state';
import { compareFolds } from './statistics';

type Result = Comparison['results'][number];
/** Differences that chance makes this often are not taken for differences. */
const LEVEL = 0.05;

export function Verdict({ comparison }: { comparison: Comparison }) {
  const order = byError(comparison);
  const best = order[0];
  const baseline = order.find((result) => result.spec.algorithm === 'zero-r');
  if (!best || !baseline) return null;
  const values = { best: nameOf(best), error: write(best.mean), baseline: write(baseline.mean) };
  if (best === baseline) return <p class="verdict">{fillText(words.compare.nothingBetter, values)}</p>;
  const chance = compareFolds(best.error, baseline.error);
  const clear = chance !== null && chance < LEVEL;
  const p = chance === null ? '–' : writeChance(chance);
  const level = order.filter((result) => result !== best && (compareFolds(result.error, best.error) ?? 1) >= LEVEL);
  return (
    <p class="verdict">
      {fillText(clear ? words.compare.better : words.compare.unclear, { ...values, p })}{' '}
      {clear &&
        level.length > 0 &&
        fillText(words.compare.level, { best: values.best, names: level.map(nameOf).join(', ') })}
    </p>
  );
}

/** The results, the smallest error first. */
export function byError(comparison: Comparison): Result[] {
  return [...comparison.results].sort((one, other) => one.mean - other.mean);
}

export function nameOf(result: Result): string {
  return LEARNERS[result.spec.algorithm].name;
}

/** An error as it is printed: a percentage of the rows, or a number of the target's own unit, squared. */
export function write(error: number): string {
  return isNumeric.value ? significant(error) : formatPercent(error * 1000, 1000);
}

export function writeChance(chance: number): string {
  return chance < 0.001 ? '< 0.001' : `= ${chance.toFixed(3)}`;
}
