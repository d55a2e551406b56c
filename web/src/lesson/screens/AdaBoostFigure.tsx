/** AdaBoost round by round: a stump, its errors, the new weights of the rows; at the end the weighted vote of one row. */
import { useState } from 'preact/hooks';
import { Mark } from '../../ui/marks';
import { sumOf } from '../../ui/palette';
import { className, figure, isRegression, lesson, palette } from '../document';
import { FormulaLines } from '../FormulaView';
import { InkBar, Outcome } from '../parts';
import { followed } from '../place';
import { say } from '../settings';
import type { AdaBoostSteps } from '../steps';
import { TreeFigure, useTreeView } from '../TreeFigure';

type Round = AdaBoostSteps['rounds'][number];
const MOST_DRAWN = 60;

/** On paper: all rounds and the vote. */
export function AllRounds({ steps }: { steps: AdaBoostSteps }) {
  return (
    <>
      {steps.rounds.map((round, at) => (
        <>
          <h3>{say('adaboost.round', { n: at + 1 })}</h3>
          <RoundFigure round={round} />
        </>
      ))}
      <FinalVote vote={steps.vote} />
    </>
  );
}

export function AdaBoostFigure({ steps }: { steps: AdaBoostSteps }) {
  const [at, setAt] = useState(0);
  const round = steps.rounds[at];
  return (
    <>
      <div class="seg" role="group" aria-label={say('adaboost.rounds')}>
        {steps.rounds.map((_, index) => (
          <button aria-pressed={index === at} onClick={() => setAt(index)}>
            {say('adaboost.round', { n: index + 1 })}
          </button>
        ))}
        <button aria-pressed={!round} onClick={() => setAt(steps.rounds.length)}>
          {say('adaboost.vote')}
        </button>
      </div>
      {round ? <RoundFigure key={at} round={round} /> : <FinalVote vote={steps.vote} />}
    </>
  );
}

function RoundFigure({ round }: { round: Round }) {
  const view = useTreeView(round.stump);
  return (
    <>
      <div class="halves">
        <section>
          <h3>{say('adaboost.stump')}</h3>
          <TreeFigure view={view} label={say('adaboost.stump')} />
        </section>
        <section>
          <h3>{say('adaboost.before')}</h3>
          <WeightMarks weights={round.before} wrong={round.wrong} />
          <h3>{say('adaboost.after')}</h3>
          <WeightMarks weights={round.after} wrong={round.wrong} />
          <p class="note">{say('adaboost.marks')}</p>
        </section>
      </div>
      <FormulaLines formulas={[round.formulas.error, round.formulas.alpha]} />
    </>
  );
}

/** Every row as a mark whose area is its weight; wrong ones are crossed out. */
function WeightMarks({ weights, wrong }: { weights: number[]; wrong: boolean[] }) {
  const total = sumOf(weights) || 1;
  const shown = weights.slice(0, MOST_DRAWN);
  const targets = lesson().table.target_values;
  return (
    <ul class="weight-marks">
      {shown.map((weight, row) => {
        const radius = Math.min(20, 9 * Math.sqrt((weight / total) * weights.length));
        return (
          <li class={followed.value === row ? 'followed' : undefined}>
            <svg width="46" height="44" aria-hidden="true">
              {isRegression() ? (
                <circle class="ink-dot" cx={23} cy={22} r={radius} />
              ) : (
                <Mark of={targets[row]!} palette={palette()} x={23} y={22} r={radius} />
              )}
              {wrong[row] && <path class="cross" d="M9 8L37 36M37 8L9 36" />}
            </svg>
            <span>{row + 1}</span>
            <small>{figure(weight / total)}</small>
            {wrong[row] && <span class="vh">{say('adaboost.wrong')}</span>}
          </li>
        );
      })}
    </ul>
  );
}

function FinalVote({ vote }: { vote: AdaBoostSteps['vote'] }) {
  const most = Math.max(...vote.sums, 1e-9);
  const own = lesson().table.target_values[vote.row]!;
  return (
    <div class="halves">
      <section class="card-block">
        <h3>{say('adaboost.votes of', { row: vote.row + 1 })}</h3>
        <table>
          <thead>
            <tr>
              <th scope="col">{say('adaboost.rounds')}</th>
              <th scope="col">{say('predicts')}</th>
              <th scope="col">α</th>
            </tr>
          </thead>
          <tbody>
            {vote.rounds.map((round, at) => (
              <tr>
                <th scope="row">{at + 1}</th>
                <td>
                  <Outcome value={round.prediction} />
                </td>
                <td>{figure(round.alpha)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section class="card-block">
        <h3>{say('adaboost.sums')}</h3>
        <ol class="ranking">
          {vote.sums.map((sum, index) => (
            <li class={index === vote.prediction ? 'chosen' : undefined}>
              <span class="name">{isRegression() ? '' : <bdi>{className(index)}</bdi>}</span>
              <InkBar share={sum / most} strong={index === vote.prediction} />
              <b class="value">{figure(sum)}</b>
            </li>
          ))}
        </ol>
        <p class="statement">
          {say('predicts')} <Outcome value={vote.prediction} />{' '}
          <small>{say('neighbors.truth', { target: isRegression() ? String(own) : className(own) })}</small>
        </p>
      </section>
    </div>
  );
}
