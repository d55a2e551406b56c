/** The nearest rows: a slider on k, a circle around those that vote, their weights, and ties. */
import { useRef, useState } from 'preact/hooks';
import { Mark } from '../../ui/marks';
import { formatFixed, formatNumber } from '../../ui/numbers';
import { Slider, useWidth } from '../Chart';
import { className, figure, isRegression, lesson, palette, predictionText } from '../document';
import { FormulaLines } from '../FormulaView';
import { countVotes, type Vote } from '../neighbors';
import { InkBar, Outcome, TableBox } from '../parts';
import { followed } from '../place';
import { say } from '../settings';
import type { NeighborsSteps } from '../steps';

/** Rows far away say nothing, and press the near ones together. */
const MOST_SHOWN = 18;
const MOST_K = 15;
/** Turned by this angle from one to the next, marks do not cover each other. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

export function NeighborsFigure({ steps }: { steps: NeighborsSteps }) {
  const [k, setK] = useState(steps.k);
  const most = Math.min(steps.rows.length, MOST_K);
  const vote = countVotes(steps, k);
  return (
    <div class="halves">
      <section>
        <p class="statement">{say('neighbors.row', { row: steps.row + 1 })}</p>
        <Rings steps={steps} k={k} vote={vote} />
        <label class="k-slider">
          <span>
            k = <b>{k}</b>
          </span>
          <Slider label={say('neighbors.k')} min={1} max={most} value={k} text={`k = ${k}`} onInput={setK} />
        </label>
        <p class="note">{say('neighbors.picture')}</p>
      </section>
      <section>
        <VoteResult steps={steps} vote={vote} k={k} />
        <NeighborTable steps={steps} k={k} vote={vote} />
      </section>
    </div>
  );
}

/** The row in the middle, every other row at its distance from it; the circle goes through the k-th. */
function Rings({ steps, k, vote }: { steps: NeighborsSteps; k: number; vote: Vote }) {
  const box = useRef<HTMLDivElement>(null);
  const size = Math.min(useWidth(box), 380);
  const shown = steps.rows.slice(0, MOST_SHOWN);
  const farthest = Math.max(...shown.map((row) => row.distance), 1e-9);
  const radius = (distance: number) => 14 + (size / 2 - 26) * (distance / farthest);
  const own = lesson().table.target_values[steps.row]!;
  return (
    <div ref={box} class="rings">
      <svg
        width={size}
        height={size}
        viewBox={`${-size / 2} ${-size / 2} ${size} ${size}`}
        role="img"
        aria-label={say('neighbors.now', { k, prediction: predictionText(vote.prediction) })}
      >
        <circle class="ring-area" r={radius(vote.distance) + 7} />
        {shown.map((row, at) => {
          const x = radius(row.distance) * Math.cos(at * GOLDEN_ANGLE);
          const y = radius(row.distance) * Math.sin(at * GOLDEN_ANGLE);
          return (
            <g class={at < k ? undefined : 'pale'}>
              {at < k && <path class="guide" d={`M0 0L${x.toFixed(1)} ${y.toFixed(1)}`} />}
              {followed.value === row.row && <circle class="ring" cx={x} cy={y} r={10} />}
              {isRegression() ? (
                <circle class="ink-dot" cx={x} cy={y} r={5} />
              ) : (
                <Mark of={row.target} palette={palette()} x={x} y={y} r={6} />
              )}
              <text class="row-number" x={x + 9} y={y + 4}>
                {row.row + 1}
              </text>
            </g>
          );
        })}
        <circle class="now" r={9} />
        <text class="query" y={4} text-anchor="middle">
          ?
        </text>
        <title>{say('neighbors.truth', { target: predictionText(own) })}</title>
      </svg>
    </div>
  );
}

function VoteResult({ steps, vote, k }: { steps: NeighborsSteps; vote: Vote; k: number }) {
  const own = lesson().table.target_values[steps.row]!;
  return (
    <div class="card-block" aria-live="polite">
      <p class="statement">
        {say('predicts')} <Outcome value={vote.prediction} />{' '}
        <small>{say('neighbors.truth', { target: predictionText(own) })}</small>
      </p>
      {!isRegression() && (
        <ol class="ranking">
          {vote.classes.map((one, index) => (
            <li class={index === vote.prediction ? 'chosen' : undefined}>
              <span class="name">
                <Outcome value={index} />
              </span>
              <InkBar share={one.share} strong={index === vote.prediction} />
              <b class="value">{formatNumber(one.weight, 3)}</b>
            </li>
          ))}
        </ol>
      )}
      {vote.left_out.length > 0 && (
        <p class="note">
          {say('neighbors.tie', {
            k,
            distance: figure(vote.distance),
            rows: vote.left_out.map((row) => row.row + 1).join(', '),
          })}
        </p>
      )}
      {isTiedVote(vote) && <p class="note">{say('neighbors.tied vote', { class: className(vote.prediction) })}</p>}
    </div>
  );
}

function isTiedVote(vote: Vote): boolean {
  const best = vote.classes[vote.prediction]?.weight ?? 0;
  return vote.classes.filter((one) => Math.abs(one.weight - best) <= 1e-12 * (1 + best)).length > 1;
}

function NeighborTable({ steps, k, vote }: { steps: NeighborsSteps; k: number; vote: Vote }) {
  const [open, setOpen] = useState(steps.rows[0]?.row ?? -1);
  const chosen = steps.rows.find((row) => row.row === open);
  const shown = steps.rows.slice(0, Math.max(k + 2, 6));
  return (
    <>
      <TableBox label={say('others.neighbors')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{say('row')}</th>
              <th scope="col">{say('neighbors.distance')}</th>
              <th scope="col">{say('weight')}</th>
              <th scope="col">{say('target')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              <tr class={at < k ? undefined : 'pale'}>
                <th scope="row">
                  <button class="plain" aria-pressed={open === row.row} onClick={() => setOpen(row.row)}>
                    {row.row + 1}
                  </button>
                </th>
                <td>{figure(row.distance)}</td>
                <td>{vote.used[at] ? formatFixed(vote.used[at].weight, 3) : '–'}</td>
                <td>
                  <Outcome value={row.target} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      {chosen?.formula && (
        <>
          <p class="formula-name">{say('neighbors.formula', { row: chosen.row + 1 })}</p>
          <FormulaLines formulas={[chosen.formula]} />
        </>
      )}
    </>
  );
}
