/** Screen 3: how mixed a node is. A slider changes the mix; the formula and the curve follow. */
import { useState } from 'preact/hooks';
import { linePath, roundTicks } from '../../ui/axis';
import { TextMark } from '../../ui/marks';
import { formatFixed } from '../../ui/numbers';
import { byColor, sumOf } from '../../ui/palette';
import { Chart, Slider, type Drawing } from '../Chart';
import { className, figure, isRegression, lesson, palette } from '../document';
import { FormulaLines } from '../FormulaView';
import { classImpurity, classTerm, withShare } from '../measures';
import { GroupBar, InkBar, measureName, nodeAmong, NodePicker, TableBox } from '../parts';
import { say } from '../settings';
import type { Formula, ImpurityScreen as Steps, LessonNode } from '../steps';
import { VarianceFigure } from './VarianceFigure';

export function ImpurityScreen({ screen }: { screen: Steps }) {
  const node = nodeAmong(screen.nodes);
  return (
    <>
      <NodePicker nodes={screen.nodes} />
      {isRegression() ? <VarianceFigure key={node.node} node={node} /> : <ClassFigure key={node.node} node={node} />}
    </>
  );
}

function ClassFigure({ node }: { node: LessonNode }) {
  const [moved, setMoved] = useState<number | null>(null);
  const classes = byColor(palette());
  const moving = classes[0]!;
  const total = sumOf(node.group.value) || 1;
  const own = node.group.value[moving]! / total;
  const share = moved ?? own;
  const mix =
    moved === null ? node.group.value.map((weight) => weight / total) : withShare(node.group.value, moving, share);
  return (
    <div class="halves">
      <section>
        <GroupBar group={node.group} list />
        <MixCurve node={node} moving={moving} share={share} own={own} onMove={setMoved} />
        <p class="acts">
          <button disabled={moved === null} onClick={() => setMoved(null)}>
            {say('impurity.back', { class: className(moving), share: formatFixed(own, 2) })}
          </button>
        </p>
      </section>
      <section>
        <h3>{say('impurity.terms')}</h3>
        <TermTable mix={mix} classes={classes} />
        <FormulaLines formulas={[moved === null ? node.formula : writeMix(mix, classes)]} />
      </section>
    </div>
  );
}

const impurityOf = (mix: readonly number[]): number =>
  classImpurity(mix, lesson().model.criterion, lesson().settings.log_base);

interface MixCurveProps {
  node: LessonNode;
  moving: number;
  share: number;
  own: number;
  onMove: (share: number) => void;
}

/** The impurity against the share of one class. */
function MixCurve({ node, moving, share, own, onMove }: MixCurveProps) {
  const at = (value: number) => impurityOf(withShare(node.group.value, moving, value));
  const steps = Array.from({ length: 201 }, (_, index) => index / 200);
  const most = Math.max(...steps.map(at));
  const here = impurityOf(withShare(node.group.value, moving, share));
  const words = say('impurity.now', { class: className(moving), share: formatFixed(share, 2), value: figure(here) });
  const draw = ({ x, y, bottom }: Drawing) => (
    <>
      <path class="curve-line" d={linePath(steps.map((value) => [x(value), y(at(value))]))} />
      <path class="guide" d={`M${x(share)} ${bottom}V${y(here)}H${x(0)}`} />
      <circle class="own" cx={x(own)} cy={y(at(own))} r={8} />
      <circle class="now" cx={x(share)} cy={y(here)} r={5} />
    </>
  );
  return (
    <Chart
      label={words}
      x={[0, 1]}
      y={[0, most * 1.12]}
      xTicks={[0, 0.25, 0.5, 0.75, 1].map((value) => ({ value, label: String(value) }))}
      yTicks={roundTicks(0, most, 4).map((value) => ({ value, label: String(value) }))}
      xName={say('impurity.share of', { class: className(moving) })}
      yName={measureName()}
      onDrag={(value) => onMove(Math.round(value * 100) / 100)}
      slider={
        <Slider
          label={say('impurity.share of', { class: className(moving) })}
          min={0}
          max={1}
          step={0.01}
          value={share}
          text={words}
          onInput={onMove}
        />
      }
    >
      {draw}
    </Chart>
  );
}

/** Each class: its share, its information, and what it adds to the sum. */
function TermTable({ mix, classes }: { mix: number[]; classes: number[] }) {
  const { criterion } = lesson().model;
  const base = lesson().settings.log_base;
  const terms = mix.map((share) => classTerm(share, criterion, base));
  const most = Math.max(...terms, 1e-9);
  const log = base === 'e' ? 'ln' : `log${{ '2': '₂', '10': '₁₀' }[base]}`;
  return (
    <TableBox label={say('impurity.terms')}>
      <table class="terms">
        <thead>
          <tr>
            <th scope="col">{say('class')}</th>
            <th scope="col">p</th>
            {criterion === 'entropy' && <th scope="col">−{log} p</th>}
            <th scope="col">{criterion === 'gini' ? 'p²' : `−p ${log} p`}</th>
            <th class="bar-cell">
              <span class="vh">{say('bar')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {classes.map((index) => (
            <tr>
              <th scope="row">
                <TextMark of={index} palette={palette()} /> <bdi>{className(index)}</bdi>
              </th>
              <td>{figure(mix[index]!)}</td>
              {criterion === 'entropy' && <td>{mix[index]! > 0 ? figure(terms[index]! / mix[index]!) : '–'}</td>}
              <td>
                <b>{figure(terms[index]!)}</b>
              </td>
              <td class="bar-cell">
                <InkBar share={terms[index]! / most} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}

/** The formula of a mix that the slider made, in decimals. */
function writeMix(mix: number[], classes: number[]): Formula {
  const { criterion } = lesson().model;
  const base = lesson().settings.log_base;
  const result: Formula = { is: 'number', text: figure(impurityOf(mix)) };
  const number = (share: number): Formula => ({ is: 'number', text: formatFixed(share, 2) });
  const shares = classes.map((index) => mix[index]!).filter((share) => share > 0);
  const terms = shares.map((share) => {
    const of: Formula =
      criterion === 'gini'
        ? { is: 'power', of: number(share) }
        : { is: 'product', factors: [number(share), { is: 'log', base, of: number(share) }], wide: false };
    return { sign: -1 as const, of };
  });
  const one = { sign: 1 as const, of: { is: 'number', text: '1' } as Formula };
  const sum: Formula = { is: 'sum', terms: criterion === 'gini' ? [one, ...terms] : terms };
  return {
    is: 'equation',
    sides: [{ is: 'name', text: criterion === 'gini' ? 'G' : 'H' }, sum, result],
    signs: ['=', '='],
  };
}
