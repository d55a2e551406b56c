/** A quiz: the reader works the numbers out and takes the split. Wrong is shown, the number is not. */
import { computed, signal } from '@preact/signals';
import { fillText, t } from '../../texts';
import { featureName } from '../../tree/labels';
import { announce } from '../../ui/live';
import type { QuizFields } from '../../work/Detail';
import { formatImpurity } from '../../work/Impurity';
import { bestCandidate } from '../../work/ranking';
import { takeCandidate } from './actions';
import * as s from './state';

interface Answer {
  typed: string;
  right: boolean;
  /** Right at the first try. */
  first: boolean;
}

/** By node and field. */
const answers = signal<ReadonlyMap<string, Answer>>(new Map());
/** What was said about the last choice. */
export const verdict = signal('');

export function resetQuiz(): void {
  answers.value = new Map();
  verdict.value = '';
}

function keyOf(node: number, field: string): string {
  return `${node} ${field}`;
}

function record(node: number, field: string, typed: string, right: boolean): void {
  const key = keyOf(node, field);
  const before = answers.peek().get(key);
  if (before?.typed === typed) return;
  const first = before ? before.first : right;
  answers.value = new Map(answers.peek()).set(key, { typed, right, first });
}

/** The fields of a node. */
export function fieldsOf(node: number): QuizFields {
  return {
    typed: (field) => answers.peek().get(keyOf(node, field))?.typed ?? '',
    onAnswer: (field, typed, right) => record(node, field, typed, right),
  };
}

export const score = computed(() => {
  const given = [...answers.value.values()];
  return {
    asked: given.length,
    first: given.filter((answer) => answer.first).length,
    right: given.filter((answer) => answer.right).length,
  };
});

/** Takes the reader's choice, then says whether the algorithm would have taken it. */
export async function takeInQuiz(node: number, place: number): Promise<void> {
  const work = s.works.peek().get(node);
  const mine = work?.candidates[place];
  if (!work || !mine) return;
  const by = s.choosesBy.peek();
  const best = bestCandidate(work, by);
  const model = s.model.peek();
  if (!(await takeCandidate(node, place, best))) return;
  const right = best === null || place === best || work.candidates[place]!.verdict === 'tied';
  record(node, 'choice', featureName(model, mine.split.feature), right);
  const figure = (at: number) => {
    const { gain, gain_ratio } = work.candidates[at]!;
    return by === 'gain_ratio' ? gain_ratio.toFixed(3) : formatImpurity(model, gain);
  };
  const sentence = right ? t.grow.quiz.best : by === 'gain_ratio' ? t.grow.quiz.notBestRatio : t.grow.quiz.notBest;
  verdict.value = fillText(sentence, {
    feature: featureName(model, mine.split.feature),
    mine: figure(place),
    best: figure(best ?? place),
  });
  announce(verdict.value);
}
