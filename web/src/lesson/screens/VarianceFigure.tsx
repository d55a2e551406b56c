/** Screen 3 for numbers: the mean is the prediction with the least squared error, and the variance is what remains. */
import { useState } from 'preact/hooks';
import { linePath, roundTicks } from '../../ui/axis';
import { formatCount, formatNumber } from '../../ui/numbers';
import { Chart, Slider, type Drawing } from '../Chart';
import { figure, lesson, predictionText, targetName } from '../document';
import { FormulaLines } from '../FormulaView';
import { meanOf, squaredError } from '../measures';
import { TableBox } from '../parts';
import { followed } from '../place';
import { say } from '../settings';
import type { LessonNode } from '../steps';

const LISTED = 8;

export function VarianceFigure({ node }: { node: LessonNode }) {
  const [moved, setMoved] = useState<number | null>(null);
  const values = node.rows.map((row) => lesson().table.target_values[row]!);
  const weights = node.rows.map((row, at) => (lesson().table.weights?.[row] ?? 1) * node.fraction[at]!);
  const mean = meanOf(values, weights);
  const prediction = moved ?? mean;
  return (
    <div class="halves">
      <section>
        <ErrorCurve
          node={node}
          values={values}
          weights={weights}
          prediction={prediction}
          mean={mean}
          onMove={setMoved}
        />
        <p class="acts">
          <button disabled={moved === null} onClick={() => setMoved(null)}>
            {say('variance.back', { mean: predictionText(mean) })}
          </button>
        </p>
      </section>
      <section>
        <h3>{say('variance.terms', { prediction: predictionText(prediction) })}</h3>
        <DeviationTable node={node} values={values} weights={weights} prediction={prediction} />
        <FormulaLines formulas={[node.formula]} />
      </section>
    </div>
  );
}

interface ErrorCurveProps {
  node: LessonNode;
  values: number[];
  weights: number[];
  prediction: number;
  mean: number;
  onMove: (prediction: number) => void;
}

/** The mean squared error against the prediction, over the values themselves. */
function ErrorCurve({ node, values, weights, prediction, mean, onMove }: ErrorCurveProps) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const pad = (high - low || 1) * 0.04;
  const range = [low - pad, high + pad] as const;
  const at = (value: number) => squaredError(values, weights, value);
  const most = Math.max(at(range[0]), at(range[1]));
  const steps = Array.from({ length: 101 }, (_, index) => range[0] + ((range[1] - range[0]) * index) / 100);
  const words = say('variance.now', { prediction: predictionText(prediction), value: figure(at(prediction)) });
  const draw = ({ x, y, bottom, left }: Drawing) => (
    <>
      {node.rows.map((row, index) => (
        <circle
          class={followed.value === row ? 'ink-dot ringed' : 'ink-dot'}
          cx={x(values[index]!)}
          cy={bottom - 6}
          r={4.5}
          opacity={0.55}
        />
      ))}
      <path class="curve-line" d={linePath(steps.map((value) => [x(value), y(at(value))]))} />
      <path class="guide" d={`M${x(prediction)} ${bottom}V${y(at(prediction))}H${left}`} />
      <circle class="own" cx={x(mean)} cy={y(at(mean))} r={8} />
      <circle class="now" cx={x(prediction)} cy={y(at(prediction))} r={5} />
    </>
  );
  return (
    <Chart
      label={words}
      x={range}
      y={[0, most * 1.08 || 1]}
      xTicks={roundTicks(low, high, 5).map((value) => ({ value, label: formatNumber(value) }))}
      yTicks={roundTicks(0, most, 4).map((value) => ({ value, label: formatNumber(value) }))}
      xName={say('variance.prediction', { target: targetName() })}
      yName={say('mean squared error')}
      onDrag={onMove}
      slider={
        <Slider
          label={say('variance.prediction', { target: targetName() })}
          min={range[0]}
          max={range[1]}
          step={(range[1] - range[0]) / 200}
          value={prediction}
          text={words}
          onInput={onMove}
        />
      }
    >
      {draw}
    </Chart>
  );
}

interface DeviationTableProps {
  node: LessonNode;
  values: number[];
  weights: number[];
  prediction: number;
}

/** Each row: its value, how far it is from the prediction, and the square of that. */
function DeviationTable({ node, values, weights, prediction }: DeviationTableProps) {
  const weighted = weights.some((weight) => weight !== 1);
  const shown = node.rows.slice(0, LISTED);
  return (
    <>
      <TableBox label={say('variance.deviation')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{say('row')}</th>
              <th scope="col">
                <bdi>{targetName()}</bdi>
              </th>
              <th scope="col">{say('variance.deviation')}</th>
              <th scope="col">{say('variance.square')}</th>
              {weighted && <th scope="col">{say('weight')}</th>}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              <tr class={followed.value === row ? 'followed' : undefined}>
                <th scope="row">{row + 1}</th>
                <td>{formatNumber(values[at]!)}</td>
                <td>{figure(values[at]! - prediction)}</td>
                <td>{figure((values[at]! - prediction) ** 2)}</td>
                {weighted && <td>{formatCount(weights[at]!)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      {node.rows.length > LISTED && <p class="note">{say('more rows', { rows: node.rows.length - LISTED })}</p>}
    </>
  );
}
