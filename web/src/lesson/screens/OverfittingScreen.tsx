/** Screen 9: the error of every pruning, on training rows and on new ones. A slider on leaves shrinks the tree. */
import { useState } from 'preact/hooks';
import type { Curve } from '../../contract';
import { linePath, roundTicks } from '../../ui/axis';
import { formatNumber } from '../../ui/numbers';
import { Chart, type Drawing, Slider } from '../Chart';
import { figure, isRegression } from '../document';
import { say } from '../settings';
import type { OverfittingScreen as Steps } from '../steps';
import { TreeFigure, useTreeView } from '../TreeFigure';

export function OverfittingScreen({ screen }: { screen: Steps }) {
  const { curve } = screen;
  const [at, setAt] = useState(curve.leaves.length - 1);
  const view = useTreeView(screen.tree);
  view.link.value = curve.link;
  view.alpha.value = alphaOf(curve, at);
  return (
    <>
      <div class="halves wide-left">
        <ErrorChart curve={curve} at={at} onMove={setAt} />
        <Facts screen={screen} at={at} onMove={setAt} />
      </div>
      <TreeFigure view={view} label={say('overfitting.tree', { leaves: curve.leaves[at]! })} />
    </>
  );
}

/** The tree with these leaves; the whole tree needs no pruning. */
function alphaOf(curve: Curve, at: number): number {
  const most = Math.max(...curve.leaves);
  return curve.leaves[at] === most ? -1 : curve.alpha[at]!;
}

const errorText = (value: number): string => (isRegression() ? figure(value) : `${formatNumber(100 * value, 1)}%`);

interface ErrorChartProps {
  curve: Curve;
  at: number;
  onMove: (at: number) => void;
}

function ErrorChart({ curve, at, onMove }: ErrorChartProps) {
  const most = Math.max(...curve.leaves);
  const high =
    Math.max(...curve.validation.map((error, index) => error + curve.se[index]!), ...curve.training) * 1.1 || 1;
  const nearest = (leaves: number) => onMove(nearestLeaves(curve, leaves));
  const words = say('overfitting.now', {
    leaves: curve.leaves[at]!,
    training: errorText(curve.training[at]!),
    validation: errorText(curve.validation[at]!),
  });
  return (
    <Chart
      label={words}
      x={[0.5, most + 0.5]}
      y={[0, high]}
      xTicks={roundTicks(1, most, 8)
        .filter(Number.isInteger)
        .map((value) => ({ value, label: String(value) }))}
      yTicks={roundTicks(0, high, 4).map((value) => ({
        value,
        label: isRegression() ? formatNumber(value) : errorText(value),
      }))}
      xName={say('leaves')}
      yName={say(isRegression() ? 'mean squared error' : 'overfitting.errors')}
      onDrag={nearest}
      slider={
        <Slider
          label={say('leaves')}
          min={0.5}
          max={most + 0.5}
          step={0.5}
          value={curve.leaves[at]!}
          text={words}
          onInput={(value) => onMove(stepLeaves(curve, at, value))}
        />
      }
    >
      {(drawing) => <Lines curve={curve} at={at} drawing={drawing} />}
    </Chart>
  );
}

function Lines({ curve, at, drawing }: { curve: Curve; at: number; drawing: Drawing }) {
  const { x, y, bottom } = drawing;
  const points = (values: number[], add = 0) =>
    values.map((value, index) => [x(curve.leaves[index]!), y(value + add * curve.se[index]!)] as const);
  const band =
    linePath(points(curve.validation, 1)) + linePath([...points(curve.validation, -1)].reverse()).replace('M', 'L');
  const last = curve.leaves.indexOf(Math.max(...curve.leaves));
  return (
    <>
      <path class="band" d={`${band}Z`} />
      <path class="curve-line dotted" d={linePath(points(curve.training))} />
      <path class="curve-line" d={linePath(points(curve.validation))} />
      <text class="line-name" x={x(curve.leaves[last]!)} y={y(curve.validation[last]!) - 9} text-anchor="end">
        {say('overfitting.new rows')}
      </text>
      <text class="line-name" x={x(curve.leaves[last]!)} y={y(curve.training[last]!) - 9} text-anchor="end">
        {say('overfitting.training rows')}
      </text>
      <path class="guide" d={`M${x(curve.leaves[at]!)} 0V${bottom}`} />
      <circle class="now" cx={x(curve.leaves[at]!)} cy={y(curve.validation[at]!)} r={5} />
      <circle class="own" cx={x(curve.leaves[at]!)} cy={y(curve.training[at]!)} r={5} />
    </>
  );
}

function nearestLeaves(curve: Curve, leaves: number): number {
  let best = 0;
  curve.leaves.forEach((count, index) => {
    if (Math.abs(count - leaves) < Math.abs(curve.leaves[best]! - leaves)) best = index;
  });
  return best;
}

/** Keys go to the next tree, however many leaves that has more. */
function stepLeaves(curve: Curve, at: number, value: number): number {
  const here = curve.leaves[at]!;
  if (Math.abs(value - here) !== 0.5) return nearestLeaves(curve, value);
  const others = curve.leaves.filter((count) => (value > here ? count > here : count < here));
  if (others.length === 0) return at;
  return curve.leaves.indexOf(value > here ? Math.min(...others) : Math.max(...others));
}

function Facts({ screen, at, onMove }: { screen: Steps; at: number; onMove: (at: number) => void }) {
  const { curve } = screen;
  const choices = [
    ['overfitting.best', curve.best],
    ['overfitting.one se', curve.one_se],
    ['overfitting.whole', curve.leaves.indexOf(Math.max(...curve.leaves))],
  ] as const;
  return (
    <section class="card-block">
      <p class="big">
        {curve.leaves[at]} <span>{say('leaves')}</span>
      </p>
      <dl class="sums">
        <div>
          <dt>{say('overfitting.new rows')}</dt>
          <dd>
            <b>{errorText(curve.validation[at]!)}</b> <span>± {errorText(curve.se[at]!)} se</span>
          </dd>
        </div>
        <div>
          <dt>{say('overfitting.training rows')}</dt>
          <dd>
            <b>{errorText(curve.training[at]!)}</b>
          </dd>
        </div>
      </dl>
      <p class="acts">
        {choices.map(([words, target]) => (
          <button aria-pressed={at === target} onClick={() => onMove(target)}>
            {say(words)}
          </button>
        ))}
      </p>
      <p class="note">{say('overfitting.folds', { folds: screen.folds })}</p>
    </section>
  );
}
