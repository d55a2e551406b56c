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
    return standing(b.candidate) - standing(a.candidate) || isChosen || score(b.candidate) - score(a.candidate) || a.place - b.place;
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
