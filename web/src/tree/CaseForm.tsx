/** A case to try: a field for each feature, what the tree predicts, why, and what would change it. */
import type { Cell, Feature } from '../contract';
import { fillParts, fillText, t } from '../texts';
import { TextMark, WideBar } from '../ui/marks';
import { showName } from '../ui/names';
import { formatCount, formatMean, formatPercent, parseNumber } from '../ui/numbers';
import { colorClass } from '../ui/palette';
import { type Forecast, type RangeOf, forecastOfTree, smallestChange, strictestConditions } from './because';
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
  /** How a model predicts of which `model` is one tree; absent: the tree alone predicts. */
  forecast?: Forecast;
  /** What stands in place of the reasons where many trees predict together. */
  reason?: string;
}

export function CaseForm({ model, cells, onChange, rangeOf, endsAt, forecast, reason }: CaseProps) {
  const routed = routeRow(model, cells, endsAt);
  const predictor = forecast ?? forecastOfTree(model, endsAt);
  const put = (feature: number, cell: Cell) => {
    const next = cells.slice();
    next[feature] = cell;
    onChange(next);
  };
  return (
    <div class="case">
      <div class="answer" aria-live="polite">
        <Answer
          forecast={predictor}
          prediction={predictor.predict(cells)}
          rows={rowsBehind(model, routed, predictor)}
        />
        {reason ? <p>{reason}</p> : <Because model={model} routed={routed} />}
        <SmallestChange model={model} forecast={predictor} cells={cells} rangeOf={rangeOf} endsAt={endsAt} />
      </div>
      <form onSubmit={(event) => event.preventDefault()}>
        {fieldOrder(model, routed, predictor.trees).map((feature) => (
          <label key={feature}>
            <span>{featureName(model, feature)}</span>
            <CaseField
              feature={model.features[feature]!}
              cell={cells[feature] ?? null}
              onInput={(cell) => put(feature, cell)}
            />
          </label>
        ))}
      </form>
    </div>
  );
}

/** What is asked on the path comes first, then what the tree asks elsewhere, then the rest. */
function fieldOrder(model: TreeModel, routed: Routed, trees: readonly TreeModel[]): number[] {
  // With many trees every path differs: the fields stay where they are.
  const onPath = new Set(trees.length > 1 ? [] : routed.path.map((id) => model.nodes[id]!.split?.feature));
  const used = new Set(trees.flatMap((tree) => tree.nodes.map((node) => node?.split?.feature)));
  const rank = (feature: number) => (onPath.has(feature) ? 0 : used.has(feature) ? 1 : 2);
  return model.features.map((_, feature) => feature).sort((a, b) => rank(a) - rank(b) || a - b);
}

/** The rows that a probability is counted from, for the number of its digits. */
function rowsBehind(model: TreeModel, { ends }: Routed, { trees }: Forecast): number {
  const leaf = ends.length === 1 && trees.length === 1 ? model.nodes[ends[0]!.node] : undefined;
  return leaf && !leaf.output ? leaf.weight : 1000;
}

function Answer({ forecast, prediction, rows }: { forecast: Forecast; prediction: number[]; rows: number }) {
  const { classes, palette } = forecast;
  if (!classes) return <p class="big">{formatMean(prediction[0]!)}</p>;
  const best = forecast.choose(prediction);
  return (
    <>
      <p class="big">
        <TextMark of={best} palette={palette} size={16} />
        <em class={colorClass(palette, best)}>{showName(classes[best]!)}</em>{' '}
        <span>{formatPercent(prediction[best]! * rows, rows)}</span>
      </p>
      <WideBar value={prediction} palette={palette} height={8} />
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

type ChangeProps = Omit<CaseProps, 'onChange' | 'reason'> & { forecast: Forecast };

function SmallestChange({ model, forecast, cells, rangeOf, endsAt }: ChangeProps) {
  const change = smallestChange(forecast, cells, rangeOf, endsAt);
  if (!change) return null;
  const about = model.features[change.feature]!;
  const to =
    'category' in change.to
      ? showName(change.to.category)
      : `${change.to.side} ${formatValue(about, change.to.threshold)}`;
  return (
    <p class="note">
      {fillParts(t.case.change, {
        feature: <b>{featureName(model, change.feature)}</b>,
        to,
        prediction: showName(forecast.classes![forecast.choose(change.prediction)]!),
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
    return (
      <input
        type="date"
        value={dateText(feature, cell)}
        onInput={(event) => onInput(event.currentTarget.value || null)}
      />
    );
  }
  const type = (text: string) => {
    const value = parseNumber(text);
    onInput(Number.isNaN(value) ? null : value);
  };
  return (
    <input
      type="number"
      step="any"
      value={cell ?? ''}
      placeholder={t.tree.missing}
      onInput={(event) => type(event.currentTarget.value)}
    />
  );
}

function dateText(feature: Feature, cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'number' ? formatValue(feature, cell) : cell.slice(0, 10);
}
