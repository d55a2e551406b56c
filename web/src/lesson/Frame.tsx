/** What stays around the screens: title, settings, chapters, progress, and the buttons to go on. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ThemeSwitch } from '../ui/theme';
import { chapterAt, chapters, go, isFirst, isLast, move, moveChapter, place, walkedSteps } from './place';
import { Say } from './Sentences';
import { LANGUAGES, language, presenter, say } from './settings';

interface FrameProps {
  title: string;
  /** In smaller type after the title. */
  aside: string;
  children: ComponentChildren;
}

export function Frame({ title, aside, children }: FrameProps) {
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <div class={presenter.value ? 'lesson-page presenter' : 'lesson-page'}>
      <header>
        <h1>
          <bdi>{title}</bdi> <small>{aside}</small>
        </h1>
        <span class="gap" />
        <Settings />
      </header>
      <Chapters />
      <main>{children}</main>
      <Steps />
    </div>
  );
}

/** Fields, sliders and what can be scrolled sideways keep their keys. */
function keepsKeys(target: HTMLElement): boolean {
  return /INPUT|SELECT|TEXTAREA/.test(target.tagName) || target.scrollWidth > target.clientWidth + 1;
}

function onKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  if (event.ctrlKey || event.metaKey || event.altKey || keepsKeys(target)) return;
  const onButton = /BUTTON|SUMMARY/.test(target.tagName) || target.getAttribute('role') !== null;
  const actions: Record<string, () => void> = {
    ArrowRight: () => move(1),
    ArrowLeft: () => move(-1),
    PageDown: () => moveChapter(1),
    PageUp: () => moveChapter(-1),
    ...(onButton ? {} : { ' ': () => move(event.shiftKey ? -1 : 1) }),
  };
  const action = actions[event.key];
  if (!action) return;
  action();
  event.preventDefault();
}

function Settings() {
  return (
    <div class="settings">
      <label>
        <span class="vh">{say('language')}</span>
        <select
          value={language.value}
          onChange={(event) => (language.value = event.currentTarget.value as typeof language.value)}
        >
          {Object.entries(LANGUAGES).map(([key, name]) => (
            <option value={key}>{name}</option>
          ))}
        </select>
      </label>
      <button aria-pressed={presenter.value} onClick={() => (presenter.value = !presenter.value)}>
        {say('presenter')}
      </button>
      <button onClick={() => print()}>{say('print')}</button>
      <ThemeSwitch />
    </div>
  );
}

function Chapters() {
  const current = useRef<HTMLButtonElement>(null);
  // On a phone the chapters are one line that scrolls.
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [chapterAt.value]);
  return (
    <nav class="chapters" aria-label={say('chapters')}>
      <ol>
        {chapters.value.map((chapter, at) => (
          <li>
            <button
              ref={at === chapterAt.value ? current : null}
              data-screen={chapter.key}
              aria-current={at === chapterAt.value ? 'step' : undefined}
              onClick={() => go({ screen: chapter.key })}
            >
              <span class="number">{at + 1}</span>{' '}
              <span>
                <Say sentence={chapter.title} />
              </span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Steps() {
  const here = chapterAt.value + 1;
  const all = chapters.value.length;
  const steps = walkedSteps.value;
  const within =
    steps > 1 && place.value.step < steps ? ` · ${say('step of', { step: place.value.step + 1, steps })}` : '';
  return (
    <footer class="steps">
      <button disabled={isFirst.value} onClick={() => move(-1)}>
        <span aria-hidden="true">◀</span> {say('back')}
      </button>
      <div class="progress">
        <progress
          max={all}
          value={here - 1 + Math.min(1, (place.value.step + 1) / steps)}
          aria-label={say('progress')}
        />
        <p aria-live="polite">
          <span class="vh">
            <Say sentence={chapters.value[here - 1]!.title} />{' '}
          </span>
          {say('chapter of', { chapter: here, chapters: all }) + within}
        </p>
      </div>
      <button class="primary" disabled={isLast.value} onClick={() => move(1)}>
        {say('next')} <span aria-hidden="true">▶</span>
      </button>
    </footer>
  );
}
