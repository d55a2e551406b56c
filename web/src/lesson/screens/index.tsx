/** Which component draws a screen, and how many steps it has. */
import type { ComponentChildren } from 'preact';
import { nodeOf } from '../document';
import type { Screen } from '../steps';
import { BaselinesScreen } from './BaselinesScreen';
import { CandidatesScreen } from './CandidatesScreen';
import { ChoiceScreen } from './ChoiceScreen';
import { ImpurityScreen } from './ImpurityScreen';
import { OthersScreen, othersOf } from './OthersScreen';
import { OverfittingScreen } from './OverfittingScreen';
import { PathScreen } from './PathScreen';
import { PruningScreen } from './PruningScreen';
import { QuizScreen, quizNodes } from './QuizScreen';
import { SplitScreen } from './SplitScreen';
import { TableScreen } from './TableScreen';
import { ThresholdsScreen } from './ThresholdsScreen';

/** The figure of a screen, under its sentences. */
export function ScreenFigure({ screen, step }: { screen: Screen; step: number }): ComponentChildren {
  switch (screen.id) {
    case 'table':
      return <TableScreen screen={screen} />;
    case 'baselines':
      return <BaselinesScreen screen={screen} />;
    case 'impurity':
      return <ImpurityScreen screen={screen} />;
    case 'candidates':
      return <CandidatesScreen screen={screen} step={step} />;
    case 'thresholds':
      return <ThresholdsScreen screen={screen} step={step} />;
    case 'choice':
      return <ChoiceScreen screen={screen} />;
    case 'split':
      return <SplitScreen screen={screen} step={step} />;
    case 'path':
      return <PathScreen screen={screen} />;
    case 'overfitting':
      return <OverfittingScreen screen={screen} />;
    case 'pruning':
      return <PruningScreen screen={screen} step={step} />;
    case 'others':
      return <OthersScreen screen={screen} step={step} />;
    case 'quiz':
      return <QuizScreen screen={screen} step={step} />;
  }
}

/** All steps that a screen can show. */
export function countSteps(screen: Screen, node: number): number {
  switch (screen.id) {
    case 'candidates':
      return Math.max(1, nodeOf(screen.nodes.includes(node) ? node : (screen.nodes[0] ?? 0)).candidates.length);
    case 'thresholds':
      return screen.columns.length;
    case 'split':
      return screen.order.length + 1;
    case 'pruning':
      return screen.steps.length + 1;
    case 'others':
      return Math.max(1, othersOf(screen).length);
    case 'quiz':
      return Math.max(1, quizNodes(screen).length);
    default:
      return 1;
  }
}

/** The steps that "Next" goes through before the next screen: of thresholds only those of the first node. */
export function countWalked(screen: Screen, node: number): number {
  if (screen.id !== 'thresholds') return countSteps(screen, node);
  return screen.columns.filter((column) => column.node === screen.columns[0]?.node).length;
}
