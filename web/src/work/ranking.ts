/** The order of candidates, and which of them is the best. */
import type { Candidate, NodeWork } from '../contract';

type ChoosesBy = 'gain' | 'gain_ratio';

/** Whether a candidate takes part in the choice. */
function competes(candidate: Candidate): boolean {
  return candidate.admissible && candidate.verdict !== 'below_average';
}

/** Positions in `work.candidates`: those that take part first, the best first; of equal ones the first column. */
export function rankCandidates(work: NodeWork, choosesBy: ChoosesBy): number[] {
  const score = ({ gain, gain_ratio }: Candidate) => (choosesBy === 'gain_ratio' ? gain_ratio : gain);
  const order = work.candidates.map((candidate, place) => ({ candidate, place }));
  order.sort((a, b) => {
    const standing = (candidate: Candidate) => Number(competes(candidate)) + Number(candidate.admissible);
    const isChosen = Number(b.candidate.verdict === 'chosen') - Number(a.candidate.verdict === 'chosen');
    return (
      standing(b.candidate) - standing(a.candidate) ||
      isChosen ||
      score(b.candidate) - score(a.candidate) ||
      a.place - b.place
    );
  });
  return order.map(({ place }) => place);
}

/** Positions in the order of the columns. */
export function columnOrder(work: NodeWork): number[] {
  const feature = (place: number) => work.candidates[place]!.split.feature;
  return work.candidates.map((_, place) => place).sort((a, b) => feature(a) - feature(b));
}

/** What the algorithm takes; null where it takes none. */
export function bestCandidate(work: NodeWork, choosesBy: ChoosesBy): number | null {
  const [first] = rankCandidates(work, choosesBy);
  return first !== undefined && competes(work.candidates[first]!) && work.reason === undefined ? first : null;
}

/** Bits that tell the branches apart. The engine has it where the algorithm uses it. */
export function splitInformation({ split_information, children }: Candidate): number {
  if (split_information > 0) return split_information;
  const whole = children.reduce((sum, group) => sum + group.weight, 0);
  const parts = children.filter((group) => group.weight > 0).map((group) => group.weight / whole);
  return parts.reduce((bits, part) => bits - part * Math.log2(part), 0);
}

export function gainRatio(candidate: Candidate): number {
  if (candidate.split_information > 0) return candidate.gain_ratio;
  const bits = splitInformation(candidate);
  return bits > 0 ? candidate.gain / bits : 0;
}
