/** A form for one row: what the model predicts for it, why, and what would change it. */
import { useEffect, useMemo } from 'preact/hooks';
import type { Cell } from '../contract';
import { fillParts, fillText, t } from '../texts';
import { featureName, formatValue } from '../tree/labels';
import { conditionText, conditionsOf } from '../tree/rules';
import { TextMark, WideBar } from '../ui/marks';
import { showName } from '../ui/names';
import { formatCount, formatMean, formatPercent } from '../ui/numbers';
import { colorClass, makePalette } from '../ui/palette';
import { RowField } from './RowField';
import { type Change, findChange } from './single_change';
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
  const used = useMemo(() => usedFeatures(state), [state]);
  const unused = state.doc.features.map((_, i) => i).filter((i) => !used.includes(i));
  const put = (feature: number, cell: Cell) => {
    const next = state.row.value.slice();
    next[feature] = cell;
    state.row.value = next;
  };
  const names = unused.map((i) => featureName(state.doc, i)).slice(0, 12);
  return (
    <div class="case">
      <Prediction state={state} />
      <form onSubmit={(event) => event.preventDefault()} aria-label={t.report.try.values}>
        {used.map((i) => (
          <RowField key={i} feature={state.doc.features[i]!} cell={state.row.value[i] ?? null} onChange={(cell) => put(i, cell)} />
        ))}
        <p class="acts">
          <button onClick={() => (state.row.value = state.doc.start ?? [])}>{t.report.try.reset}</button>
        </p>
        {unused.length > 0 && used.length > 0 && (
          <p class="note">{fillText(t.report.try.unused, { names: names.join(', '), count: unused.length })}</p>
        )}
      </form>
    </div>
  );
}

/** The features that some split or surrogate asks about. */
function usedFeatures(state: ReportState): number[] {
  const used = new Set<number>();
  for (const model of state.models) {
    for (const node of model.nodes) {
      if (node?.split) used.add(node.split.feature);
      node?.surrogates?.forEach((rule) => used.add(rule.feature));
    }
  }
  return [...used].sort((a, b) => a - b);
}

function Prediction({ state }: { state: ReportState }) {
  const row = state.row.value;
  const level = state.level.value;
  const { classes } = state.doc;
  const shares = state.predict(row);
  const routed = state.route(row);
  useEffect(() => {
    state.view.path.value = new Set(routed.path);
  }, [row, level, state.shown.value]);
  const answerOf = (cells: readonly Cell[]) => state.answer(state.predict(cells));
  const change = useMemo(() => (classes ? findChange(state.models, row, answerOf) : undefined), [row, level]);
  return (
    <div class="answer" aria-live="polite">
      {classes ? <ClassAnswer state={state} shares={shares} /> : <p class="big">{formatMean(shares[0]!)}</p>}
      <p>
        <Reason state={state} />
      </p>
      {change !== undefined && <p class="note">{change ? changeWords(state, change) : t.report.try.noChange}</p>}
      {level >= 0 && state.doc.n_trees === 1 && <p class="note">{t.report.try.pruned}</p>}
    </div>
  );
}

function ClassAnswer({ state, shares }: { state: ReportState; shares: readonly number[] }) {
  const classes = state.doc.classes!;
  const palette = useMemo(() => paletteOf(state), [state]);
  const answer = state.answer(shares);
  const order = classes.map((_, k) => k).sort((a, b) => shares[b]! - shares[a]! || a - b);
  return (
    <>
      <p class="big">
        <TextMark of={answer} palette={palette} size={16} />
        <em class={colorClass(palette, answer)}>{showName(classes[answer]!)}</em>
        <span>{percent(shares[answer]!)}</span>
      </p>
      <WideBar value={shares} palette={palette} />
      <ul class="class-list">
        {order.slice(0, 6).map((k) => (
          <li key={k}>
            <TextMark of={k} palette={palette} /> {showName(classes[k]!)} <b>{percent(shares[k]!)}</b>
          </li>
        ))}
      </ul>
    </>
  );
}

function percent(share: number): string {
  return formatPercent(share * 1000, 1000);
}

/** The colors of the tree, or, for trees without classes, those of classes of equal size. */
function paletteOf(state: ReportState) {
  const { palette } = state.view.model.value;
  return palette.length > 0 ? palette : makePalette((state.doc.classes ?? []).map(() => 1));
}

function Reason({ state }: { state: ReportState }) {
  const model = state.view.model.value;
  const { ends, path } = state.route(state.row.value);
  const words = t.report.try;
  if (state.doc.n_trees > 1) {
    return <>{fillText(words.ofTrees, { n: formatCount(state.doc.n_trees), tree: state.shown.value })}</>;
  }
  if (path.length < 2 && model.nodes[0]!.children.length === 0) return <>{words.always}</>;
  if (ends.length > 1) return <>{fillText(words.divided, { n: ends.length })}</>;
  const end = state.view.node(ends[0]!.node)!;
  if (!state.view.isLeaf(end)) return <>{fillText(words.stays, { node: end.id })}</>;
  const conditions = conditionsOf(model, end.id).map((condition) => conditionText(model, condition));
  return <>{fillParts(words.because, { conditions: <b>{conditions.join(' and ')}</b> })}</>;
}

function changeWords(state: ReportState, change: Change): string {
  const feature = state.doc.features[change.feature]!;
  const name = showName(feature.name);
  const value = typeof change.value === 'number' ? formatValue(feature, change.value) : showName(change.value);
  const words = { at_most: t.report.try.isAtMost, above: t.report.try.isAbove, category: t.report.try.isCategory };
  const answer = showName(state.doc.classes![change.answer]!);
  return fillText(t.report.try.change, { change: fillText(words[change.kind], { feature: name, value }), answer });
}
