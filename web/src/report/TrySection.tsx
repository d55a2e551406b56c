/** A form for one row: what the model predicts for it, why, and what would change it. */
import { useEffect } from 'preact/hooks';
import { fillText, t } from '../texts';
import { CaseForm } from '../tree/CaseForm';
import { formatCount } from '../ui/numbers';
import type { ReportState } from './state';

export function TrySection({ state }: { state: ReportState }) {
  const { doc } = state;
  const n = formatCount(doc.n_trees);
  if (!doc.combine || !doc.check) return <p class="note">{fillText(t.report.try.cannot, { n })}</p>;
  const cases = formatCount(doc.check.cells.length);
  if (state.wrong > 0) {
    return (
      <p class="alarm" role="alert">
        {fillText(t.report.try.failed, { wrong: formatCount(state.wrong), n: cases })}
      </p>
    );
  }
  return (
    <>
      <RowForm state={state} />
      <p class="note checked">{fillText(t.report.try.checked, { n: cases })}</p>
    </>
  );
}

function RowForm({ state }: { state: ReportState }) {
  const row = state.row.value;
  const many = state.doc.n_trees > 1;
  const ofTrees = { n: formatCount(state.doc.n_trees), tree: state.shown.value };
  useEffect(() => {
    // The first row is not drawn: the reader begins at the root.
    if (row !== state.doc.start) state.view.path.value = new Set(state.route(row).path);
  }, [row, state.level.value, state.shown.value]);
  return (
    <>
      <CaseForm
        model={state.view.model.value}
        cells={row}
        onChange={(cells) => (state.row.value = cells)}
        rangeOf={state.rangeOf}
        endsAt={many ? undefined : state.endsAt}
        forecast={state.forecast.value}
        reason={many ? fillText(t.report.try.ofTrees, ofTrees) : undefined}
      />
      <p class="acts">
        <button onClick={() => (state.row.value = state.doc.start ?? [])}>{t.report.try.reset}</button>
      </p>
      {state.level.value >= 0 && !many && <p class="note">{t.report.try.pruned}</p>}
    </>
  );
}
