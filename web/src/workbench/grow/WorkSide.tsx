/** The calculation of the selected node, as the mode shows it. */
import { t } from '../../texts';
import type { NodeWork } from '../../contract';
import { bestCandidate, columnOrder } from '../../work/ranking';
import { WorkPanel } from '../../work/WorkPanel';
import { mode } from '../state';
import { makeLeaf, pointAt, selectNode, takeCandidate, takeThreshold } from './actions';
import { visitNode } from './lesson';
import { fieldsOf, takeInQuiz } from './quiz';
import * as s from './state';

export function WorkSide() {
  const node = s.selectedNode.value;
  const work = s.selectedWork.value;
  if (!node) return null;
  const lesson = mode.value === 'lesson' && node.state === 'open';
  const quiz = mode.value === 'quiz' && node.state === 'open';
  const open = node.state === 'open';
  return (
    <WorkPanel
      view={s.view}
      work={work}
      choosesBy={s.choosesBy.value}
      looked={s.looked.value}
      onLook={pointAt}
      onSelect={mode.value === 'lesson' ? visitNode : selectNode}
      onTake={open && !lesson && work ? (place) => void take(node.id, work, place) : undefined}
      threshold={s.threshold.value}
      onMove={(threshold) => (s.threshold.value = threshold)}
      onTakeCut={open && !lesson ? (threshold) => void takeCut(node.id, threshold) : undefined}
      onLeaf={open && !lesson ? () => void makeLeaf(node.id) : undefined}
      listed={work ? listedIn(work, lesson, quiz) : undefined}
      decided={!lesson || !work || s.reveal.value >= work.candidates.length + 2}
      reveal={lesson ? s.reveal.value : undefined}
      quiz={quiz ? fieldsOf(node.id) : null}
      noWork={`${t.grow.busy.work}…`}
    />
  );
}

/** A lesson comes to one candidate after the other; a quiz does not sort them: that would tell the best. */
function listedIn(work: NodeWork, lesson: boolean, quiz: boolean): number[] | undefined {
  if (lesson) return columnOrder(work).slice(0, Math.max(0, s.reveal.value - 1));
  return quiz ? columnOrder(work) : undefined;
}

async function take(node: number, work: NodeWork, place: number): Promise<void> {
  if (mode.value === 'quiz') await takeInQuiz(node, place);
  else await takeCandidate(node, place, bestCandidate(work, s.choosesBy.value));
}

async function takeCut(node: number, threshold: number): Promise<void> {
  const feature = s.lookedCandidate.value?.split.feature;
  if (feature !== undefined) await takeThreshold(node, feature, threshold);
}
