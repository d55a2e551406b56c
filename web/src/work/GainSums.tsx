/** From what is left to the gain, the split information and the gain ratio; a footnote where rounding shows. */
import type { ComponentChildren } from 'preact';
import type { Candidate, NodeWork } from '../contract';
import { fillText, t } from '../texts';
import { featureName } from '../tree/labels';
import type { TreeModel } from '../tree/model';
import { formatCount, formatFixed } from '../ui/numbers';
import { Ask } from './Ask';
import { hasRatio } from './Candidates';
import { type QuizFields, roundedRemaining } from './Detail';
import { formatImpurity } from './Impurity';
import { gainRatio, splitInformation } from './ranking';

interface SumsProps {
  model: TreeModel;
  work: NodeWork;
  candidate: Candidate;
  quiz: QuizFields | null;
}

export function GainSums({ model, work, candidate, quiz }: SumsProps) {
  const gain = gainTerms(model, work, candidate);
  const showRatio = hasRatio(model) && !quiz;
  return (
    <>
      <dl class="sums">
        <Sum name={t.work.gain}>
          {quiz ? (
            <>
              {t.work.gainFormula} ={' '}
              <GainField model={model} candidate={candidate} quiz={quiz} before={candidate.known.impurity} />
            </>
          ) : (
            <>
              {gain.formula} = <b>{formatImpurity(model, candidate.gain)}</b>
              {gain.rounded !== null && <sup>†</sup>}
            </>
          )}
        </Sum>
        {showRatio && <Sum name={t.work.splitInformation}>{formatFixed(splitInformation(candidate))}</Sum>}
        {showRatio && (
          <Sum name={t.work.gainRatio}>
            {formatFixed(candidate.gain)} / {formatFixed(splitInformation(candidate))} ={' '}
            <b>{formatFixed(gainRatio(candidate))}</b>
          </Sum>
        )}
      </dl>
      {!quiz && <SumNotes candidate={candidate} rounded={gain.rounded} model={model} />}
    </>
  );
}

function Sum({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The gain as it is printed, and what its printed terms give where that is another number. */
function gainTerms(
  model: TreeModel,
  work: NodeWork,
  candidate: Candidate,
): { formula: string; rounded: string | null } {
  const show = (x: number) => formatImpurity(model, x);
  const before = candidate.known.impurity;
  const fraction = candidate.unknown ? candidate.known.weight / work.group.weight : 1;
  const price = candidate.price ?? 0;
  const difference = `${show(before)} − ${show(candidate.remaining)}`;
  const scaled = fraction < 1 ? `${formatFixed(fraction)} × (${difference})` : difference;
  const formula = price > 0 ? `${scaled} − ${show(price)}` : scaled;
  const printed = (x: number) => Number(show(x).replace(/,/g, '').replace('−', '-'));
  const part = fraction < 1 ? printed(fraction) : 1;
  const result = part * (printed(before) - printed(candidate.remaining)) - (price > 0 ? printed(price) : 0);
  const differs = show(result) !== show(candidate.gain);
  return { formula, rounded: differs ? show(result) : null };
}

function SumNotes({ model, candidate, rounded }: { model: TreeModel; candidate: Candidate; rounded: string | null }) {
  const { unknown, known, price } = candidate;
  return (
    <>
      {unknown && (
        <p class="note">
          {fillText(t.work.unknown, {
            n: formatCount(unknown.rows),
            known: formatCount(known.rows),
            fraction: formatFixed(known.weight / (known.weight + unknown.weight)),
          })}
        </p>
      )}
      {price !== undefined && price > 0 && (
        <p class="note">
          {fillText(t.work.price, {
            price: formatImpurity(model, price),
            n: candidate.tried ?? candidate.cuts?.length ?? 0,
          })}
        </p>
      )}
      {rounded !== null && <p class="note">{fillText(t.work.rounding, { result: rounded })}</p>}
    </>
  );
}

interface GainFieldProps {
  model: TreeModel;
  candidate: Candidate;
  quiz: QuizFields;
  before: number;
}

function GainField({ model, candidate, quiz, before }: GainFieldProps) {
  const field = `gain ${candidate.split.feature}`;
  return (
    <Ask
      key={field}
      name={fillText(t.work.gainField, { feature: featureName(model, candidate.split.feature) })}
      exact={candidate.gain}
      also={Number(before.toFixed(3)) - Number(roundedRemaining(candidate).toFixed(3))}
      formula={`${t.work.gain} = ${t.work.gainFormula}`}
      typed={quiz.typed(field)}
      onAnswer={(typed, right) => quiz.onAnswer(field, typed, right)}
    />
  );
}
