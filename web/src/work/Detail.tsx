/** The arithmetic of one candidate: its branches, the weighted sum of what is left, and the gain. */
import type { Candidate, Group, NodeWork } from '../contract';
import { fillText, t } from '../texts';
import { branchLabel, featureName, splitLabel } from '../tree/labels';
import type { TreeModel } from '../tree/model';
import { TextMark } from '../ui/marks';
import { showName } from '../ui/names';
import { formatCount, formatFixed, formatMean } from '../ui/numbers';
import { byColor } from '../ui/palette';
import { Ask } from './Ask';
import { formatImpurity } from './Impurity';
import { GainSums } from './GainSums';

const MOST_BRANCHES = 8;
const MOST_CLASSES = 3;
/** From so much weight on a share is a decimal, not a fraction. */
const LONG_FRACTION = 1000;

export interface QuizFields {
  /** The text that was typed into a field before. */
  typed: (field: string) => string;
  onAnswer: (field: string, typed: string, right: boolean) => void;
}

interface DetailProps {
  model: TreeModel;
  work: NodeWork;
  candidate: Candidate;
  /** A quiz asks for the numbers. */
  quiz?: QuizFields | null;
}

export function Detail({ model, work, candidate, quiz = null }: DetailProps) {
  const name = featureName(model, candidate.split.feature);
  const classes = model.classes ? byColor(model.palette).slice(0, MOST_CLASSES) : [];
  const shown = candidate.children.slice(0, MOST_BRANCHES);
  const rest = candidate.children.length - shown.length;
  const columns = 3 + (model.classes ? classes.length : 1);
  return (
    <section class="detail" aria-label={fillText(t.work.ifAsked, { feature: name })}>
      <h3>{fillText(t.work.asking, { split: splitLabel(model, candidate.split) })}</h3>
      <div class="scroll" tabIndex={0} role="region" aria-label={t.work.branches}>
        <table>
          <thead>
            <tr>
              <th scope="col">{name}</th>
              <th scope="col">{t.work.rows}</th>
              {model.classes ? (
                classes.map((k) => <ClassHeading key={k} model={model} of={k} room={classes.length > 2 ? 6 : 12} />)
              ) : (
                <th scope="col">{t.work.mean}</th>
              )}
              <th scope="col">{t.impurity[model.criterion]}</th>
              <th scope="col">{t.work.weighted}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((group, child) => (
              <BranchRow
                key={child}
                model={model}
                label={branchLabel(model.features[candidate.split.feature]!, candidate.split, child)}
                group={group}
                whole={candidate.known.weight}
                classes={classes}
                hidden={!!quiz}
              />
            ))}
            {rest > 0 && (
              <tr>
                <th scope="row" colSpan={columns + 1}>
                  {fillText(t.work.moreBranches, { n: rest })}
                </th>
              </tr>
            )}
            <tr class="total">
              <th scope="row" colSpan={quiz ? 2 : columns}>
                {t.work.left}
              </th>
              <td colSpan={quiz ? columns - 1 : 1}>
                {quiz ? (
                  <LeftField model={model} candidate={candidate} quiz={quiz} />
                ) : (
                  formatImpurity(model, candidate.remaining)
                )}
              </td>
            </tr>
          </tbody>
        </table>
      </div>
      <GainSums model={model} work={work} candidate={candidate} quiz={quiz} />
    </section>
  );
}

/** A name that is too long is only read aloud, and shown by its mark. */
function ClassHeading({ model, of, room }: { model: TreeModel; of: number; room: number }) {
  const name = showName(model.classes![of]!);
  const long = name.length > room;
  return (
    <th scope="col" title={name}>
      {long && <TextMark of={of} palette={model.palette} />}
      <span class={long ? 'vh' : ''}>{name}</span>
    </th>
  );
}

interface BranchRowProps {
  model: TreeModel;
  label: string;
  group: Group;
  whole: number;
  classes: readonly number[];
  hidden: boolean;
}

function BranchRow({ model, label, group, whole, classes, hidden }: BranchRowProps) {
  const impurity = hidden ? '?' : formatImpurity(model, group.impurity);
  const product = hidden ? '?' : formatImpurity(model, (group.weight / whole) * group.impurity);
  const share =
    whole >= LONG_FRACTION ? formatFixed(group.weight / whole) : `${formatCount(group.weight)}/${formatCount(whole)}`;
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>{formatCount(group.weight)}</td>
      {model.classes ? (
        classes.map((k) => <td>{formatCount(group.value[k]!)}</td>)
      ) : (
        <td>{group.weight > 0 ? formatMean(group.value[0]!) : '·'}</td>
      )}
      <td>{group.weight > 0 || hidden ? impurity : '·'}</td>
      <td class="eq">
        {classes.length <= 2 && (
          <span>
            {share} × {impurity} ={' '}
          </span>
        )}
        {product}
      </td>
    </tr>
  );
}

function LeftField({ model, candidate, quiz }: { model: TreeModel; candidate: Candidate; quiz: QuizFields }) {
  const field = `left ${candidate.split.feature}`;
  const name = fillText(t.work.leftField, { feature: featureName(model, candidate.split.feature) });
  return (
    <Ask
      key={field}
      name={name}
      exact={candidate.remaining}
      also={roundedRemaining(candidate)}
      formula={fillText(t.work.leftFormula, { impurity: t.impurity[model.criterion] })}
      typed={quiz.typed(field)}
      onAnswer={(typed, right) => quiz.onAnswer(field, typed, right)}
    />
  );
}

/** The weighted sum with impurities of three decimals, as it is done on paper. */
export function roundedRemaining({ children, known }: Candidate): number {
  return children.reduce((sum, group) => sum + (group.weight / known.weight) * Number(group.impurity.toFixed(3)), 0);
}
