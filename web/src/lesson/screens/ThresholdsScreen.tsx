/** Screen 5: a numeric column in order, with a threshold to move; both sides and the gain follow. */
import { useMemo, useState } from 'preact/hooks';
import type { Group } from '../../contract';
import { formatCount } from '../../ui/numbers';
import { featureName, figure, valueText } from '../document';
import { FormulaLines } from '../FormulaView';
import { GroupBar, groupWords, impurityWords, nodeWords } from '../parts';
import { go } from '../place';
import { Say } from '../Sentences';
import { say } from '../settings';
import type { Formula, ThresholdsScreen as Steps } from '../steps';
import { bestThreshold, listThresholds, measureRows, type NumericColumn, type Threshold } from '../thresholds';
import { ThresholdChart } from './ThresholdChart';

export function ThresholdsScreen({ screen, step }: { screen: Steps; step: number }) {
  const at = Math.min(step, screen.columns.length - 1);
  const column = screen.columns[at]!;
  return (
    <>
      {screen.columns.length > 1 && (
        <label class="picker">
          <span>{say('column')}</span>
          <select value={at} onChange={(event) => go({ step: Number(event.currentTarget.value) })}>
            {screen.columns.map((one, index) => (
              <option value={index}>{`${featureName(one.feature)} · #${one.node} ${nodeWords(one.node)}`}</option>
            ))}
          </select>
        </label>
      )}
      <MovableThreshold key={at} column={column} />
    </>
  );
}

function MovableThreshold({ column }: { column: NumericColumn }) {
  const thresholds = useMemo(() => listThresholds(column), [column]);
  // Not the best one: that is for the reader to find.
  const [at, setAt] = useState(Math.floor(thresholds.length / 2));
  const here = thresholds[at];
  if (!here) return <p>{say('thresholds.none')}</p>;
  const best = bestThreshold(thresholds);
  return (
    <div class="halves wide-left">
      <section>
        <ThresholdChart column={column} thresholds={thresholds} at={at} best={best} onMove={setAt} />
        <p class="acts">
          <button disabled={at === 0} onClick={() => setAt(at - 1)}>
            {say('thresholds.previous')}
          </button>
          <button disabled={at === thresholds.length - 1} onClick={() => setAt(at + 1)}>
            {say('thresholds.next')}
          </button>
          <button aria-pressed={at === best} onClick={() => setAt(best)}>
            {say('thresholds.best')}
          </button>
        </p>
      </section>
      <section>
        <Side group={here.sides[0]} label={`≤ ${valueText(column.feature, here.below)}`} />
        <Side group={here.sides[1]} label={`> ${valueText(column.feature, here.below)}`} />
        <FormulaLines formulas={writeGain(column, here)} names={[say('part.remaining'), say('part.gain')]} />
        {!here.allowed && <p class="note">{say('thresholds.small side', { least: formatCount(column.least_side) })}</p>}
        {column.note && (
          <p class="note">
            <Say sentence={column.note} />
          </p>
        )}
      </section>
    </div>
  );
}

function Side({ group, label }: { group: Group; label: string }) {
  return (
    <section class="card-block">
      <h3>{label}</h3>
      <GroupBar group={group} />
      <p class="result-line">
        {groupWords(group)} <b>{impurityWords(group)}</b>
      </p>
    </section>
  );
}

/** What remains, and the gain, with the numbers of the threshold. */
function writeGain(column: NumericColumn, here: Threshold): Formula[] {
  const all = measureRows(column.values);
  const number = (value: number): Formula => ({ is: 'number', text: figure(value) });
  const terms = here.sides.map((side) => ({
    sign: 1 as const,
    of: {
      is: 'product',
      factors: [{ is: 'ratio', top: formatCount(side.weight), bottom: formatCount(all.weight) }, number(side.impurity)],
      wide: true,
    } as Formula,
  }));
  const remaining: Formula = { is: 'sum', terms };
  const difference: Formula = {
    is: 'sum',
    terms: [
      { sign: 1, of: number(all.impurity) },
      { sign: -1, of: number(here.remaining) },
    ],
  };
  return [
    { is: 'equation', sides: [remaining, number(here.remaining)], signs: ['='] },
    { is: 'equation', sides: [difference, number(here.gain)], signs: ['='] },
  ];
}
