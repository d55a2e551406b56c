/** Screen 11: other algorithms on the same table. */
import { Segmented } from '../../ui/controls';
import { go } from '../place';
import { Lead } from '../Sentences';
import { say } from '../settings';
import type { OthersScreen as Steps } from '../steps';
import { AdaBoostFigure, AllRounds } from './AdaBoostFigure';
import { ForestFigure } from './ForestFigure';
import { NeighborsFigure } from './NeighborsFigure';

export type Other = 'neighbors' | 'adaboost' | 'forest';

/** Those that the document has, in the order of the steps. */
export function othersOf(screen: Steps): Other[] {
  return (['forest', 'adaboost', 'neighbors'] as const).filter((one) => screen[one] !== null);
}

export function OthersScreen({ screen, step }: { screen: Steps; step: number }) {
  const others = othersOf(screen);
  const which = others[Math.min(step, others.length - 1)];
  if (!which) return null;
  return (
    <>
      <Segmented
        label={say('others.which')}
        choices={others.map((one) => [one, say(`others.${one}`)] as const)}
        value={which}
        onChange={(one) => go({ step: others.indexOf(one) })}
      />
      <OtherFigure screen={screen} which={which} />
    </>
  );
}

interface OtherFigureProps {
  screen: Steps;
  which: Other;
  /** Everything at once, without anything to press. */
  onPaper?: boolean;
}

export function OtherFigure({ screen, which, onPaper = false }: OtherFigureProps) {
  return (
    <section class="other">
      <Lead sentences={screen[which]!.sentences} />
      {which === 'neighbors' && <NeighborsFigure steps={screen.neighbors!} />}
      {which === 'adaboost' && !onPaper && <AdaBoostFigure steps={screen.adaboost!} />}
      {which === 'adaboost' && onPaper && <AllRounds steps={screen.adaboost!} />}
      {which === 'forest' && <ForestFigure steps={screen.forest!} />}
    </section>
  );
}
