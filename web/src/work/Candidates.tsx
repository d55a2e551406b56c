/** All splits that a node could have, with their gains as bars. */
import { useState } from 'preact/hooks';
import type { Candidate, NodeWork } from '../contract';
import { fillText, t } from '../texts';
import { featureName, splitLabel } from '../tree/labels';
import type { TreeModel } from '../tree/model';
import { formatFixed } from '../ui/numbers';
import { formatImpurity } from './Impurity';
import { bestCandidate, gainRatio, rankCandidates } from './ranking';

const FIRST_SHOWN = 12;

export interface CandidatesProps {
  model: TreeModel;
  work: NodeWork;
  /** What the choice goes by. */
  choosesBy: 'gain' | 'gain_ratio';
  /** The candidates that are listed, as positions in `work.candidates`; otherwise all, the best first. */
  listed?: readonly number[];
  /** The candidate that is looked at. */
  looked: number | null;
  onLook: (candidate: number) => void;
  /** The feature that was taken, where the node is split. */
  taken?: { feature: number; byHand: boolean } | null;
  /** Absent: nothing can be taken. */
  onTake?: (candidate: number) => void;
  /** Do not show numbers, bars and verdicts. */
  hidden?: boolean;
  /** Show which one is the best. */
  decided?: boolean;
}

export function Candidates(props: CandidatesProps) {
  const { model, work, choosesBy, listed = rankCandidates(work, choosesBy), hidden = false } = props;
  const [all, setAll] = useState(false);
  const most = Math.max(...work.candidates.map((candidate) => candidate.gain), 1e-9);
  const shown = all ? listed : listed.slice(0, FIRST_SHOWN);
  return (
    <section>
      <h3>
        {t.work.candidates} <small>{ruleText(model, work, choosesBy)}</small>
      </h3>
      <div class="scroll" tabIndex={0} role="region" aria-label={t.work.candidates}>
        <table class="cands">
          <thead>
            <tr>
              <th scope="col">{t.work.question}</th>
              <th scope="col" class="g">
                {t.work.gain}
              </th>
              {hasRatio(model) && <th scope="col">{t.work.ratio}</th>}
              <th scope="col">
                <span class="vh">{t.work.choose}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((place) => (
              <CandidateRow key={place} {...props} place={place} most={most} hidden={hidden} />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < listed.length && (
        <p class="acts">
          <button onClick={() => setAll(true)}>{fillText(t.work.moreCandidates, { n: listed.length })}</button>
        </p>
      )}
    </section>
  );
}

/** Split information and gain ratio belong to entropy. */
export function hasRatio(model: Pick<TreeModel, 'criterion'>): boolean {
  return model.criterion === 'entropy';
}

function ruleText(model: TreeModel, work: NodeWork, choosesBy: 'gain' | 'gain_ratio'): string {
  if (choosesBy === 'gain_ratio')
    return fillText(t.work.largestRatio, { average: formatFixed(work.average_gain ?? 0) });
  return model.criterion === 'variance' ? t.work.largestDecrease : t.work.largestGain;
}

type RowProps = CandidatesProps & { place: number; most: number };

function CandidateRow(props: RowProps) {
  const { model, work, choosesBy, place, most, hidden, decided = true, looked, onLook } = props;
  const candidate = work.candidates[place]!;
  const won = !hidden && decided && bestCandidate(work, choosesBy) === place;
  const verdict = hidden || !decided || won ? '' : t.work.verdict[candidate.verdict];
  const out = !hidden && (!candidate.admissible || candidate.verdict === 'below_average');
  const selected = looked === place;
  const name = hidden ? featureName(model, candidate.split.feature) : splitLabel(model, candidate.split);
  const classes = [won && 'won', out && 'out', selected && 'sel'].filter(Boolean).join(' ');
  return (
    <tr class={classes} onClick={() => onLook(place)}>
      <th scope="row">
        <button class="pick" aria-pressed={selected} title={name} onClick={() => onLook(place)}>
          {name}
        </button>
        {verdict && <small>{verdict}</small>}
      </th>
      <td class="g">
        {!hidden && <GainBar share={candidate.gain / most} />}
        <b>{hidden ? '?' : formatImpurity(model, candidate.gain)}</b>
      </td>
      {hasRatio(model) && <td>{hidden ? '?' : formatFixed(gainRatio(candidate))}</td>}
      <td class="act">
        <TakeCell {...props} candidate={candidate} won={won} />
      </td>
    </tr>
  );
}

function GainBar({ share }: { share: number }) {
  const width = `${Math.max(1.5, 100 * Math.min(1, share))}%`;
  return (
    <span class="gain">
      <i
        ref={(element) => {
          if (element) element.style.width = width;
        }}
      />
    </span>
  );
}

function TakeCell({ model, candidate, won, taken, onTake, place }: RowProps & { candidate: Candidate; won: boolean }) {
  if (taken) {
    if (taken.feature !== candidate.split.feature)
      return won && taken.byHand ? <span class="tick">{t.work.best}</span> : null;
    return <span class="tick">{`${t.work.taken}${taken.byHand ? ' ✎' : ''}`}</span>;
  }
  if (!onTake) return won ? <span class="tick">{t.work.best}</span> : null;
  // By hand a threshold may be taken that gains nothing.
  if (!candidate.admissible && candidate.split.threshold === undefined) return null;
  const take = (event: MouseEvent) => {
    event.stopPropagation();
    onTake(place);
  };
  return (
    <button
      class={won ? 'take primary' : 'take'}
      aria-label={fillText(t.work.takeName, { name: featureName(model, candidate.split.feature) })}
      onClick={take}
    >
      {t.work.take}
    </button>
  );
}
