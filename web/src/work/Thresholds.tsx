/** The thresholds of a numeric column: the gain of each as a curve, with a threshold that can be moved. */
import type { Candidate, Cut, NodeWork } from '../contract';
import { fillText, t } from '../texts';
import { featureName, formatValue } from '../tree/labels';
import { type TreeModel, toNumber } from '../tree/model';
import { linePath, makeScale } from '../ui/axis';
import { countsLabel } from '../tree/Card';
import { formatImpurity } from './Impurity';
import { splitInformation } from './ranking';

const WIDTH = 420;
const HEIGHT = 96;
const PAD = 6;
const MOST_DOTS = 60;

interface ThresholdsProps {
  model: TreeModel;
  candidate: Candidate;
  /** The threshold that is looked at; null: that of the candidate. */
  threshold: number | null;
  onMove: (threshold: number) => void;
  /** Absent: it cannot be taken. */
  onTake?: (threshold: number) => void;
}

/** The cut that a threshold belongs to. */
export function cutAt(candidate: Candidate, threshold: number | null): Cut | undefined {
  const cuts = candidate.cuts ?? [];
  const wanted = threshold ?? toNumber(candidate.split.threshold);
  return cuts.find((cut) => cut.below <= wanted && wanted < cut.above) ?? cuts.find((cut) => cut.threshold === wanted);
}

/** The gain of a threshold as it is compared: less the price of having tried several. */
function gainOf(candidate: Candidate, cut: Cut): number {
  return cut.gain - (candidate.price ?? 0);
}

/** The candidate as it is with another threshold. */
export function moveCut(candidate: Candidate, cut: Cut): Candidate {
  const weight = cut.sides[0].weight + cut.sides[1].weight;
  const remaining = cut.sides.reduce((sum, side) => sum + (side.weight / weight) * side.impurity, 0);
  const gain = gainOf(candidate, cut);
  const moved = {
    ...candidate,
    split: { ...candidate.split, threshold: cut.threshold },
    children: cut.sides,
    remaining,
    gain,
  };
  const bits = splitInformation({ ...moved, split_information: 0 });
  return { ...moved, split_information: bits, gain_ratio: bits > 0 ? gain / bits : 0 };
}

/** Candidates that gain nothing come without branches: they get those of their best threshold. */
export function completeWork(work: NodeWork): NodeWork {
  const candidates = work.candidates.map((candidate) => {
    const best = candidate.children.length === 0 ? cutAt(candidate, null) : undefined;
    return best ? moveCut(candidate, best) : candidate;
  });
  return { ...work, candidates };
}

export function Thresholds({ model, candidate, threshold, onMove, onTake }: ThresholdsProps) {
  const cuts = candidate.cuts ?? [];
  if (cuts.length === 0) return null;
  const feature = model.features[candidate.split.feature]!;
  const name = featureName(model, candidate.split.feature);
  const here = cutAt(candidate, threshold) ?? cuts[0]!;
  const place = cuts.indexOf(here);
  const best = cutAt(candidate, null);
  const tried = candidate.tried ?? cuts.length;
  const words = fillText(t.work.cutAt, {
    feature: name,
    threshold: formatValue(feature, here.threshold),
    gain: formatImpurity(model, gainOf(candidate, here)),
  });
  const count =
    tried > cuts.length
      ? fillText(t.work.thresholdsBest, { shown: cuts.length, n: tried })
      : fillText(t.work.thresholdsTried, { n: tried });
  return (
    <section class="thresholds">
      <h3>
        {fillText(t.work.thresholds, { feature: name })} <small>{count}</small>
      </h3>
      <GainCurve gains={cuts.map((cut) => gainOf(candidate, cut))} here={place} best={best ? cuts.indexOf(best) : -1} />
      <input
        type="range"
        min={0}
        max={cuts.length - 1}
        value={place}
        aria-label={fillText(t.work.moveCut, { feature: name })}
        aria-valuetext={words}
        onInput={(event) => onMove(cuts[Number((event.target as HTMLInputElement).value)]!.threshold)}
      />
      <p class="lead">{words}</p>
      <ul class="sides">
        {here.sides.map((side, k) => (
          <li key={k}>
            <b>{k === 0 ? '≤' : '>'}</b> {countsLabel(model, side)}
          </li>
        ))}
      </ul>
      {onTake && here !== best && (
        <p class="acts">
          <button onClick={() => onTake(here.threshold)}>
            {fillText(t.work.takeCut, { threshold: formatValue(feature, here.threshold) })}
          </button>
        </p>
      )}
    </section>
  );
}

/** One step for each threshold, so that the curve and the slider below it agree. */
function GainCurve({ gains, here, best }: { gains: readonly number[]; here: number; best: number }) {
  const x = makeScale(0, Math.max(gains.length - 1, 1), PAD, WIDTH - PAD);
  const y = makeScale(Math.min(0, ...gains), Math.max(...gains, 1e-9), HEIGHT - PAD, PAD);
  const line = linePath(gains.map((gain, place) => [x(place), y(gain)]));
  return (
    <svg class="curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="axis" d={`M${PAD} ${y(0)}H${WIDTH - PAD}`} />
      <path class="line" d={line} />
      {gains.length <= MOST_DOTS &&
        gains.map((gain, place) => <circle class="dot" cx={x(place)} cy={y(gain)} r={2.2} />)}
      {best >= 0 && <circle class="best" cx={x(best)} cy={y(gains[best]!)} r={4.5} />}
      <path class="here" d={`M${x(here)} ${PAD}V${HEIGHT - PAD}`} />
    </svg>
  );
}
