/** The buttons above the tree. */
import { useEffect } from 'preact/hooks';
import { t } from '../../texts';
import { FIRST_DRAWN, MOST_DRAWN } from '../../tree/view';
import { Segmented } from '../../ui/controls';
import { MODES, type Mode, mode } from '../state';
import { growAll, growOne, redo, startOver, undo } from './actions';
import { isFinished, playing, resetLesson, startLesson, stepBack, stepForward, stepsDone } from './lesson';
import { resetQuiz } from './quiz';
import * as s from './state';

/** Time for one sentence of a lesson that plays by itself. */
const PLAY_STEP = 1600;

async function changeMode(next: Mode): Promise<void> {
  playing.value = false;
  mode.value = next;
  if (next === 'lesson') await startLesson();
  if (next === 'quiz') {
    resetQuiz();
    await startOver();
  }
}

export function Tools() {
  const choices = MODES.map((name) => [name, t.grow.modes[name]] as const);
  return (
    <div class="tools" role="toolbar" aria-label={t.grow.tools}>
      <Segmented
        class="mode"
        label={t.grow.mode}
        choices={choices}
        value={mode.value}
        onChange={(next) => void changeMode(next)}
      />
      {mode.value === 'lesson' ? <LessonButtons /> : <GrowButtons />}
      {s.isLarge.value && !s.outline.value && (
        <>
          <button onClick={() => s.view.openLargest(FIRST_DRAWN)}>{t.grow.topLevels}</button>
          <button onClick={() => s.view.openLargest(MOST_DRAWN)}>{t.grow.more}</button>
        </>
      )}
      <OutlineButton />
    </div>
  );
}

function GrowButtons() {
  const finished = isFinished.value;
  const quiz = mode.value === 'quiz';
  const restart = async () => {
    resetQuiz();
    await startOver();
  };
  return (
    <>
      {!quiz && (
        <>
          <button class="primary" disabled={finished} onClick={() => void growOne()} aria-keyshortcuts="ArrowRight">
            {t.grow.one}
          </button>
          <button disabled={finished} onClick={() => void growAll()}>
            {t.grow.all}
          </button>
        </>
      )}
      <button disabled={!s.canUndo.value} onClick={() => void undo()} aria-keyshortcuts="ArrowLeft Control+Z">
        {t.grow.undo}
      </button>
      <button disabled={s.undone.value.length === 0} onClick={() => void redo()} aria-keyshortcuts="Control+Shift+Z">
        {t.grow.redo}
      </button>
      <button disabled={s.done.value.length === 0} onClick={() => void restart()}>
        {t.grow.startOver}
      </button>
    </>
  );
}

function LessonButtons() {
  usePlaying();
  const restart = async () => {
    await startOver();
    resetLesson();
  };
  return (
    <>
      <button aria-label={t.grow.back} disabled={stepsDone.value === 0} onClick={() => void stepBack()}>
        ◀
      </button>
      <button class="primary" disabled={atEnd()} onClick={() => void stepForward()} aria-keyshortcuts="ArrowRight">
        {t.grow.step} ▶
      </button>
      <button aria-pressed={playing.value} disabled={atEnd()} onClick={() => (playing.value = !playing.value)}>
        {playing.value ? t.grow.pause : t.grow.play}
      </button>
      <button disabled={stepsDone.value === 0} onClick={() => void restart()}>
        {t.grow.startOver}
      </button>
    </>
  );
}

function atEnd(): boolean {
  return isFinished.value && s.selectedNode.value?.state !== 'open';
}

/** Takes a step every now and then while the lesson plays. */
function usePlaying(): void {
  const on = playing.value;
  useEffect(() => {
    if (!on) return undefined;
    const timer = setInterval(() => void stepForward(), PLAY_STEP);
    return () => clearInterval(timer);
  }, [on]);
}

function OutlineButton() {
  return (
    <button
      class="outline-button"
      aria-pressed={s.outline.value}
      aria-label={t.grow.outline}
      title={t.grow.outline}
      onClick={() => (s.outline.value = !s.outline.value)}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d="M2 3.5h8M5 8h9M5 12.5h9" fill="none" stroke="currentColor" stroke-width="1.6" />
      </svg>
    </button>
  );
}
