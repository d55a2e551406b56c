/** What the screen does by itself: a tree starts when the setup changes, calculations are loaded, keys are obeyed. */
import { untracked } from '@preact/signals';
import { LEARNERS } from '../learner/learners';
import { engine, mode, place, screen, spec } from '../state';
import { growAll, growOne, loadWork, redo, selectNode, startTree, undo } from './actions';
import { resetLesson, stepBack, stepForward, stepsDone } from './lesson';
import { resetQuiz } from './quiz';
import * as s from './state';
import type { Place } from '../state';

/** What the screen itself wrote into the address. */
let written: Place | null = null;

/** Starts a tree when the table, the learner or a parameter changes. */
export function followSetup(): void {
  const wanted = spec.value;
  if (!wanted || !engine.value || !LEARNERS[wanted.algorithm].grows) return;
  untracked(() => {
    if (isSame(wanted, s.heading.peek()?.spec)) return;
    void startTree(wanted).then((started) => {
      if (!started) return;
      resetLesson();
      resetQuiz();
      void followPlace();
    });
  });
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Goes to the step of a lesson, to the pruning of the grown tree, or to the node that an address names. */
async function followPlace(): Promise<void> {
  const { step, node, level } = place.peek();
  if (mode.peek() === 'lesson') {
    for (let at = 0; at < Math.min(step ?? 0, 500); at++) await stepForward();
  } else if (level !== null) {
    await growAll(); // another tree: this forgets the level
    s.chooseTab('prune');
    place.value = { ...place.peek(), level };
  } else if (node !== null && s.view.node(node)) selectNode(node);
}

/** Loads the calculation of the selected node, draws what is looked at, and keeps the address. */
export function followSelection(): void {
  const id = s.view.selected.value;
  const shown = s.previewed.value;
  const node = s.model.value.nodes[id];
  const hasWork = s.works.value.has(id);
  const step = mode.value === 'lesson' ? stepsDone.value : null;
  const from = place.value;
  untracked(() => {
    s.view.preview.value = shown;
    if (node && !hasWork && node.rows > 0) void loadWork(id);
    if (!s.heading.peek()) return;
    if (from !== written && written !== null && from.node !== null && s.view.node(from.node) && from.node !== id) {
      written = from;
      selectNode(from.node);
      return;
    }
    const next = { step, node: id, level: from.level };
    if (!isSame(next, from)) place.value = next;
    written = place.peek();
  });
}

/** Arrow keys grow and take back, or go through a lesson. */
export function listenToKeys(): () => void {
  const press = (event: KeyboardEvent) => {
    const act = screen.peek() === 'grow' && !event.defaultPrevented && s.heading.peek() ? actionOf(event) : undefined;
    if (!act) return;
    event.preventDefault();
    void act();
  };
  document.addEventListener('keydown', press);
  return () => document.removeEventListener('keydown', press);
}

function actionOf(event: KeyboardEvent): (() => Promise<void>) | undefined {
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input, select, textarea, [role=tree], [role=tablist]')) return undefined;
  if (scrollsSideways(target)) return undefined;
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (control && key === 'z') return event.shiftKey ? redo : undoStep();
  if (control && key === 'y') return redo;
  if (control || event.altKey || event.shiftKey) return undefined;
  const forward = mode.peek() === 'lesson' ? stepForward : growOne;
  if (event.key === 'ArrowRight') return mode.peek() === 'quiz' ? undefined : forward;
  if (event.key === ' ' && mode.peek() === 'lesson' && !target?.closest('button, a, summary')) return forward;
  return event.key === 'ArrowLeft' ? undoStep() : undefined;
}

/** A formula or table that is too wide is scrolled by the arrow keys. */
function scrollsSideways(target: Element | null): boolean {
  return target?.getAttribute('role') === 'region' && target.scrollWidth > target.clientWidth;
}

function undoStep(): () => Promise<void> {
  return mode.peek() === 'lesson' ? stepBack : undo;
}
