/** Smaller versions of the tree: the tree, the rules and the form of the report follow the slider. */
import type { Curve } from '../contract';
import { PruneChart, formatError } from '../prune/PruneChart';
import { fillText, t } from '../texts';
import { formatCount } from '../ui/numbers';
import type { ReportState } from './state';

export function PruneSection({ state, curve }: { state: ReportState; curve: Curve }) {
  const isShare = state.doc.classes !== null;
  const chosen = state.level.value;
  const largest = curve.leaves.length - 1;
  const level = chosen < 0 ? largest : chosen;
  const words = t.report.prune;
  const buttons: [string, number, string][] = [[words.whole, -1, words.whole]];
  if (curve.validation.length > 0) buttons.unshift([words.best, curve.best, words.best]);
  if (curve.se.length > 0) buttons.splice(1, 0, [words.oneSe, curve.one_se, words.oneSeTitle]);
  return (
    <div class="prune">
      <PruneChart curve={curve} level={level} onLevel={(next) => state.setLevel(next)} isShare={isShare} />
      <div class="facts">
        <p class="big">
          {formatCount(state.view.counts.value.leaves)} <span>{leafWord(state.view.counts.value.leaves)}</span>
        </p>
        <Errors curve={curve} level={level} isShare={isShare} />
        <p class="acts">
          {buttons.map(([name, at, title]) => (
            <button aria-pressed={chosen === at} title={title} onClick={() => state.setLevel(at)}>
              {name}
            </button>
          ))}
        </p>
        <p class="note">{chosen < 0 ? words.hint : words.note}</p>
      </div>
    </div>
  );
}

function leafWord(n: number): string {
  return fillText(t.report.prune.leaves, { n }).replace(/^\S+\s/, '');
}

function Errors({ curve, level, isShare }: { curve: Curve; level: number; isShare: boolean }) {
  const words = t.report.prune;
  const se = curve.se[level];
  return (
    <dl class="sums">
      {curve.validation.length > 0 && (
        <div>
          <dt>{isShare ? words.newRows : words.newRowsNumber}</dt>
          <dd>
            {formatError(curve.validation[level]!, isShare)}{' '}
            {se !== undefined && <span>{fillText(words.se, { se: formatError(se, isShare) })}</span>}
          </dd>
        </div>
      )}
      {curve.training.length > 0 && (
        <div>
          <dt>{isShare ? words.training : words.trainingNumber}</dt>
          <dd>{formatError(curve.training[level]!, isShare)}</dd>
        </div>
      )}
    </dl>
  );
}
