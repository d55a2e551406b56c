/** Smaller versions of the tree: the tree, the rules and the form of the report follow the slider. */
import type { Curve } from '../contract';
import { t } from '../texts';
import { CurveFacts, ErrorCurve } from '../tree/ErrorCurve';
import type { ReportState } from './state';

export function PruneSection({ state, curve }: { state: ReportState; curve: Curve }) {
  const shares = state.doc.classes !== null;
  const chosen = state.level.value;
  const level = chosen < 0 ? curve.leaves.length - 1 : chosen;
  const buttons: [string, number, string][] = [[t.prune.whole, -1, t.prune.wholeTitle]];
  if (curve.se.length > 0) buttons.unshift([t.prune.oneSe, curve.one_se, t.prune.oneSeTitle]);
  if (curve.validation.length > 0) buttons.unshift([t.prune.least, curve.best, t.prune.leastTitle]);
  return (
    <div class="prune">
      <ErrorCurve curve={curve} level={level} onLevel={(next) => state.setLevel(next)} shares={shares} />
      <div class="facts">
        <CurveFacts curve={curve} level={level} shares={shares} />
        <p class="acts">
          {buttons.map(([name, at, title]) => (
            <button key={name} aria-pressed={chosen === at} title={title} onClick={() => state.setLevel(at)}>
              {name}
            </button>
          ))}
        </p>
        <p class="note">{chosen < 0 ? t.report.prune.hint : t.report.prune.note}</p>
      </div>
    </div>
  );
}
