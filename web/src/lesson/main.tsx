/** The page of a lesson: one document, no engine. What moves is calculated from the rows of the document. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import { readEmbedded } from '../embedded';
import { Hatches } from '../ui/marks';
import { showName } from '../ui/names';
import '../ui/style.css';
import { coveredNodes, lesson, openLesson } from './document';
import { Frame } from './Frame';
import './lesson.css';
import './figures.css';
import './print.css';
import './static.css';
import { chapters, go, place, readFragment } from './place';
import { preparePrinting } from './printing';
import { keyShown } from './quiz';
import { FollowedRow } from './RowsTable';
import { countSteps, countWalked, ScreenFigure } from './screens';
import { Lead } from './Sentences';
import { language, say } from './settings';
import type { LessonDoc, LessonTexts } from './steps';

function Lesson() {
  const screen = lesson().screens.find((one) => one.id === place.value.screen) ?? lesson().screens[0]!;
  return (
    <Frame title={showName(lesson().title)} aside={lesson().model.algorithm}>
      <article key={`${screen.id} ${language.value}`} id={`screen-${screen.id}`} class="screen">
        <Lead title={screen.title} sentences={screen.sentences} />
        <ScreenFigure screen={screen} step={place.value.step} />
      </article>
      <FollowedRow />
    </Frame>
  );
}

/** Bars on the screen and on paper refer to them, so they are in neither. */
function drawHatches(): void {
  const place = document.createElement('div');
  document.body.append(place);
  render(<Hatches />, place);
}

/** A lesson that begins as a quiz shows the chapters with the results when the key is shown. */
function listChapters(): void {
  const hidden = lesson().settings.quiz && !keyShown.value;
  const screens = lesson().screens.filter(({ id }) => !hidden || id === 'table' || id === 'quiz');
  chapters.value = screens.map((screen) => ({
    key: screen.id,
    title: screen.title,
    steps: (node: number) => countSteps(screen, node),
    walked: (node: number) => countWalked(screen, node),
  }));
}

function openPlace(): void {
  place.value = readFragment(location.hash, coveredNodes());
}

async function start(): Promise<void> {
  const root = document.getElementById('app')!;
  const doc = await readEmbedded<LessonDoc>('lesson');
  const texts = await readEmbedded<LessonTexts>('texts');
  root.replaceChildren();
  if (!doc || !texts) {
    render(<p>{say('cannot read')}</p>, root);
    return;
  }
  openLesson(doc, texts);
  language.value = doc.settings.language;
  effect(listChapters);
  openPlace();
  if (!location.hash && doc.settings.quiz) go({ screen: 'quiz' });
  addEventListener('hashchange', openPlace);
  preparePrinting();
  drawHatches();
  render(<Lesson />, root);
}

void start();
