/**
 * A lesson: one idea a step. Of each open node it shows the rows, how mixed they are, each candidate, the choice; then
 * the rows go to the branches. A step back takes back exactly one step.
 */
import { batch, computed, signal } from '@preact/signals';
import type { NodeWork } from '../../contract';
import { fillText, t } from '../../texts';
import { nodeCondition, splitLabel } from '../../tree/labels';
import type { ModelNode } from '../../tree/model';
import { predictionLabel } from '../../tree/Card';
import { showName } from '../../ui/names';
import { formatCount, formatFixed } from '../../ui/numbers';
import { byColor } from '../../ui/palette';
import { formatImpurity } from '../../work/Impurity';
import { bestCandidate, columnOrder } from '../../work/ranking';
import { loadWork, selectNode, startOver, takeCandidate, undo } from './actions';
import * as s from './state';

/** A place of the lesson, to which a step back returns. */
interface Place {
  node: number;
  reveal: number;
  /** Whether the step after it changed the tree. */
  acted: boolean;
}

const past = signal<readonly Place[]>([]);
export const stepsDone = computed(() => past.value.length);
export const playing = signal(false);
/** A step waits for the engine: presses in between are not obeyed. */
let stepping = false;

export async function startLesson(): Promise<void> {
  await startOver();
  resetLesson();
}

export function resetLesson(): void {
  batch(() => {
    past.value = [];
    s.reveal.value = 0;
    playing.value = false;
  });
}

/** The step at which the choice is shown: after the rows, the impurity and each candidate. */
function choiceStep(work: NodeWork): number {
  return work.candidates.length + 2;
}

export const isFinished = computed(() => s.openNodes.value.length === 0);

export async function stepForward(): Promise<void> {
  if (stepping) return;
  stepping = true;
  try {
    await takeStep();
  } finally {
    stepping = false;
  }
}

async function takeStep(): Promise<void> {
  const node = s.selectedNode.peek();
  if (!node) return;
  const here = { node: node.id, reveal: s.reveal.peek() };
  if (node.state !== 'open') {
    const next = s.openNodes.peek()[0];
    if (next === undefined) {
      playing.value = false;
      return;
    }
    remember(here, false);
    goTo(next, 0);
    return;
  }
  await loadWork(node.id);
  const work = s.works.peek().get(node.id);
  if (!work) return;
  if (here.reveal < choiceStep(work)) {
    remember(here, false);
    batch(() => {
      s.pointed.value = null;
      s.reveal.value++;
    });
    return;
  }
  const best = bestCandidate(work, s.choosesBy.peek());
  if (best !== null && (await takeCandidate(node.id, best, best))) remember(here, true);
}

function remember(place: Omit<Place, 'acted'>, acted: boolean): void {
  past.value = [...past.peek(), { ...place, acted }];
}

function goTo(node: number, reveal: number): void {
  batch(() => {
    selectNode(node);
    s.reveal.value = reveal;
  });
}

/** Goes to a node that the user chose; a step back returns. */
export function visitNode(id: number): void {
  remember({ node: s.view.selected.peek(), reveal: s.reveal.peek() }, false);
  goTo(id, 0);
}

export async function stepBack(): Promise<void> {
  const last = past.peek().at(-1);
  if (!last || stepping) return;
  stepping = true;
  try {
    if (last.acted) await undo();
    past.value = past.peek().slice(0, -1);
    goTo(last.node, last.reveal);
    await loadWork(last.node);
  } finally {
    stepping = false;
  }
}

/** The sentence of the present step; until its numbers are there, that of the step before. */
export const caption = computed(() => {
  const sentence = writeCaption();
  if (sentence !== '') lastCaption = sentence;
  return lastCaption;
});
let lastCaption = '';

function writeCaption(): string {
  const node = s.selectedNode.value;
  if (!node) return '';
  const where = capitalize(nodeCondition(s.model.value, node.id));
  if (node.state === 'leaf') return leafCaption(where, node);
  if (node.state === 'split') {
    if (isFinished.value) return t.grow.caption.finished;
    return fillText(t.grow.caption.split, { where, n: formatCount(node.rows), branches: node.children.length });
  }
  const work = s.selectedWork.value;
  if (s.reveal.value === 0) return fillText(t.grow.caption.counts, { where, counts: countsText(node) });
  return work ? workCaption(work) : '';
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function leafCaption(where: string, node: ModelNode): string {
  const prediction = predictionLabel(s.model.value, node);
  if (node.reason === 'pure' || node.impurity === 0) return fillText(t.grow.caption.pure, { where, prediction });
  return fillText(t.grow.caption.leaf, { where, prediction });
}

/** "9 Yes, 5 No", or the mean. */
function countsText(node: ModelNode): string {
  const { classes, palette } = s.model.value;
  if (!classes) return fillText(t.grow.caption.mean, { n: formatCount(node.rows), mean: formatFixed(node.value[0]!) });
  const order = byColor(palette).filter((k) => node.value[k]! > 0);
  return order.map((k) => `${formatCount(node.value[k]!)} ${showName(classes[k]!)}`).join(', ');
}

function workCaption(work: NodeWork): string {
  const model = s.model.value;
  const show = (x: number) => formatImpurity(model, x);
  if (s.reveal.value === 1) {
    const bits = model.criterion === 'entropy' ? t.grow.caption.bits : '';
    return fillText(t.grow.caption.impurity, {
      impurity: t.impurity[model.criterion],
      value: show(work.group.impurity),
      bits,
    });
  }
  const place = columnOrder(work)[s.reveal.value - 2];
  if (place !== undefined) {
    const { split, remaining, gain, gain_ratio, admissible } = work.candidates[place]!;
    const values = {
      split: splitLabel(model, split),
      left: show(remaining),
      gain: show(gain),
      ratio: formatFixed(gain_ratio),
    };
    if (!admissible) return fillText(t.grow.caption.inadmissible, values);
    return fillText(
      s.choosesBy.value === 'gain_ratio' ? t.grow.caption.candidateRatio : t.grow.caption.candidate,
      values,
    );
  }
  const best = bestCandidate(work, s.choosesBy.value);
  if (best === null) return t.grow.caption.noChoice;
  const sentence = s.choosesBy.value === 'gain_ratio' ? t.grow.caption.choiceRatio : t.grow.caption.choice;
  return fillText(sentence, { split: splitLabel(model, work.candidates[best]!.split) });
}
