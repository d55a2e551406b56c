/** The thresholds of a numeric column: the gain of each as a curve, with a threshold that can be moved. */
import type { Candidate, Cut } from '../contract';
import { fillText, t } from '../texts';
import { featureName, formatValue } from '../tree/labels';
import { type TreeModel, toNumber } from '../tree/model';
import { linePath, makeScale } from '../ui/axis';
import { formatCount } from '../ui/numbers';
import { countsLabel } from '../tree/Card';
import { formatImpurity } from './Impurity';

const WIDTH = 420;
const HEIGHT = 96;
const PAD = 6;

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

/** The candidate as it is with another threshold: both sides and what is left; no gain ratio is known for it. */
export function moveCut(candidate: Candidate, cut: Cut): Candidate {
  const weight = candidate.known.weight;
  const remaining = cut.sides.reduce((sum, side) => sum + (side.weight / weight) * side.impurity, 0);
  const split = { ...candidate.split, threshold: cut.threshold };
  const bits = cut.sides.reduce((sum, side) => sum - (side.weight > 0 ? (side.weight / weight) * Math.log2(side.weight / weight) : 0), 0);
  return {
    ...candidate,
    split,
    children: cut.sides,
    remaining,
    gain: cut.gain,
    split_information: bits,
    gain_ratio: bits > 0 ? cut.gain / bits : 0,
    verdict: 'by_hand',
  };
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
    gain: formatImpurity(model, here.gain),
  });
  const count = tried > cuts.length ? fillText(t.work.thresholdsBest, { shown: cuts.length, n: tried }) : fillText(t.work.thresholdsTried, { n: tried });
  return (
    <section class="thresholds">
      <h3>
        {fillText(t.work.thresholds, { feature: name })} <small>{count}</small>
      </h3>
      <GainCurve cuts={cuts} here={here} best={best} />
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
            {k === 0 ? '≤' : '>'} <b>{formatCount(side.weight)}</b> {countsLabel(model, side)}
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
function GainCurve({ cuts, here, best }: { cuts: readonly Cut[]; here: Cut; best: Cut | undefined }) {
  const most = Math.max(...cuts.map((cut) => cut.gain), 1e-9);
  const least = Math.min(0, ...cuts.map((cut) => cut.gain));
  const x = makeScale(0, Math.max(cuts.length - 1, 1), PAD, WIDTH - PAD);
  const y = makeScale(least, most, HEIGHT - PAD, PAD);
  const line = linePath(cuts.map((cut, place) => [x(place), y(cut.gain)]));
  const bestPlace = best ? cuts.indexOf(best) : -1;
  return (
    <svg class="curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="axis" d={`M${PAD} ${y(0)}H${WIDTH - PAD}`} />
      <path class="line" d={line} />
      {cuts.length <= 60 && cuts.map((cut, place) => <circle class="dot" cx={x(place)} cy={y(cut.gain)} r={2.2} />)}
      {bestPlace >= 0 && <circle class="best" cx={x(bestPlace)} cy={y(best!.gain)} r={4.5} />}
      <path class="here" d={`M${x(cuts.indexOf(here))} ${PAD}V${HEIGHT - PAD}`} />
    </svg>
  );
}
