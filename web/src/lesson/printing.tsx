/** On paper all screens come one after the other; they are drawn when the reader prints, and taken away afterwards. */
import { render } from 'preact';
import { lesson } from './document';
import { chapters } from './place';
import { QuizSheet } from './QuizSheet';
import { ScreenFigure } from './screens';
import { OtherFigure, othersOf } from './screens/OthersScreen';
import { Lead } from './Sentences';
import type { Screen } from './steps';

const MOST_DECISIONS = 8;

/** `render` is synchronous: everything is there when the browser lays out the pages. */
export function preparePrinting(): void {
  const paper = document.createElement('div');
  paper.id = 'paper';
  document.body.append(paper);
  addEventListener('beforeprint', () => render(<Paper />, paper));
  addEventListener('afterprint', () => render(null, paper));
}

function Paper() {
  return (
    <div class="lesson-page">
      <h1>{lesson().title}</h1>
      {openScreens().map((screen) => (
        <article class="screen">
          <Lead title={screen.title} sentences={screen.sentences} />
          <PaperFigure screen={screen} />
        </article>
      ))}
    </div>
  );
}

/** Those that the reader may see: a quiz prints no results before its key. */
function openScreens(): Screen[] {
  const keys = new Set(chapters.value.map((chapter) => chapter.key));
  return lesson().screens.filter((screen) => keys.has(screen.id));
}

function PaperFigure({ screen }: { screen: Screen }) {
  if (screen.id === 'quiz') return <QuizSheet screen={screen} />;
  if (screen.id === 'others') {
    return (
      <>
        {othersOf(screen).map((which) => (
          <OtherFigure screen={screen} which={which} onPaper />
        ))}
      </>
    );
  }
  return (
    <>
      {paperSteps(screen).map((step) => (
        <ScreenFigure screen={screen} step={step} />
      ))}
    </>
  );
}

/** The steps of a screen that are worth paper. */
function paperSteps(screen: Screen): number[] {
  switch (screen.id) {
    case 'candidates':
      return everyStep(lesson().nodes[0]!.candidates);
    case 'thresholds':
      return everyStep(screen.columns.filter((column) => column.node === screen.columns[0]?.node));
    case 'split':
      return [screen.order.length];
    case 'pruning':
      return screen.steps.length <= MOST_DECISIONS ? everyStep([...screen.steps, null]) : [screen.steps.length];
    default:
      return [0];
  }
}

const everyStep = (steps: readonly unknown[]): number[] => steps.map((_, step) => step);
