/** A case to try: a field for each feature, what the tree predicts, why, and what would change it. */
import type { Cell, Feature } from '../contract';
import { fillParts, fillText, t } from '../texts';
import { TextMark, WideBar } from '../ui/marks';
import { showName } from '../ui/names';
import { formatCount, formatMean, formatPercent, parseNumber } from '../ui/numbers';
import { colorClass, largestOf } from '../ui/palette';
import { type RangeOf, smallestChange, strictestConditions } from './because';
import { featureName, formatValue } from './labels';
import type { TreeModel } from './model';
import { type EndsAt, type Routed, routeRow } from './route';
import './case.css';

interface CaseProps {
  model: TreeModel;
  /** A cell for each feature. */
  cells: readonly Cell[];
  onChange: (cells: Cell[]) => void;
  rangeOf: RangeOf;
  endsAt?: EndsAt;
}

export function CaseForm({ model, cells, onChange, rangeOf, endsAt }: CaseProps) {
  const routed = routeRow(model, cells, endsAt);
  const put = (feature: number, cell: Cell) => {
    const next = cells.slice();
    next[feature] = cell;
    onChange(next);
  };
  return (
    <div class="case">
      <div class="answer" aria-live="polite">
        <Answer model={model} routed={routed} />
        <Because model={model} routed={routed} />
        <SmallestChange model={model} cells={cells} rangeOf={rangeOf} endsAt={endsAt} />
      </div>
      <form onSubmit={(event) => event.preventDefault()}>
        {fieldOrder(model, routed).map((feature) => (
          <label key={feature}>
            <span>{featureName(model, feature)}</span>
            <CaseField feature={model.features[feature]!} cell={cells[feature] ?? null} onInput={(cell) => put(feature, cell)} />
          </label>
        ))}
      </form>
    </div>
  );
}

/** What is asked on the path comes first, then what the tree asks elsewhere, then the rest. */
function fieldOrder(model: TreeModel, routed: Routed): number[] {
  const onPath = new Set(routed.path.map((id) => model.nodes[id]!.split?.feature));
  const used = new Set(model.nodes.map((node) => node?.split?.feature));
  const rank = (feature: number) => (onPath.has(feature) ? 0 : used.has(feature) ? 1 : 2);
  return model.features.map((_, feature) => feature).sort((a, b) => rank(a) - rank(b) || a - b);
}

function Answer({ model, routed }: { model: TreeModel; routed: Routed }) {
  if (!model.classes) return <p class="big">{formatMean(routed.prediction[0]!)}</p>;
  const best = largestOf(routed.prediction);
  const leaf = routed.ends.length === 1 ? model.nodes[routed.ends[0]!.node] : undefined;
  const rows = leaf && !leaf.output ? leaf.weight : 1000;
  return (
    <>
      <p class="big">
        <TextMark of={best} palette={model.palette} size={16} />
        <em class={colorClass(model.palette, best)}>{showName(model.classes[best]!)}</em>{' '}
        <span>{formatPercent(routed.prediction[best]! * rows, rows)}</span>
      </p>
      <WideBar value={routed.prediction} palette={model.palette} height={8} />
    </>
  );
}

function Because({ model, routed }: { model: TreeModel; routed: Routed }) {
  if (routed.ends.length > 1) return <p>{fillText(t.case.divided, { n: formatCount(routed.ends.length) })}</p>;
  const conditions = strictestConditions(model, routed.path);
  if (conditions.length === 0) return <p>{t.case.nothingAsked}</p>;
  return (
    <p>
      {t.case.because}{' '}
      {conditions.map((condition, at) => (
        <>
          {at > 0 && ` ${t.case.and} `}
          <b>{condition}</b>
        </>
      ))}
    </p>
  );
}

function SmallestChange({ model, cells, rangeOf, endsAt }: Omit<CaseProps, 'onChange'>) {
  const change = smallestChange(model, cells, rangeOf, endsAt);
  if (!change) return null;
  const about = model.features[change.feature]!;
  const to = 'category' in change.to ? showName(change.to.category) : `${change.to.side} ${formatValue(about, change.to.threshold)}`;
  return (
    <p class="note">
      {fillParts(t.case.change, {
        feature: <b>{featureName(model, change.feature)}</b>,
        to,
        prediction: showName(model.classes![largestOf(change.prediction)]!),
      })}
    </p>
  );
}

function CaseField({ feature, cell, onInput }: { feature: Feature; cell: Cell; onInput: (cell: Cell) => void }) {
  const choices = feature.kind === 'categorical' ? feature.levels : feature.ordered;
  if (choices) {
    const chosen = cell === null ? -1 : choices.indexOf(String(cell));
    return (
      <select value={String(chosen)} onChange={(event) => onInput(choices[Number(event.currentTarget.value)] ?? null)}>
        <option value="-1">{t.tree.missing}</option>
        {choices.map((choice, at) => (
          <option key={at} value={String(at)}>
            {showName(choice)}
          </option>
        ))}
      </select>
    );
  }
  if (feature.date) {
    return <input type="date" value={dateText(feature, cell)} onInput={(event) => onInput(event.currentTarget.value || null)} />;
  }
  const type = (text: string) => {
    const value = parseNumber(text);
    onInput(Number.isNaN(value) ? null : value);
  };
  return <input type="number" step="any" value={cell ?? ''} placeholder={t.tree.missing} onInput={(event) => type(event.currentTarget.value)} />;
}

function dateText(feature: Feature, cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'number' ? formatValue(feature, cell) : cell.slice(0, 10);
}
