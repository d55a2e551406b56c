/** Screen 7: rows fall into branches; the tree after 0, 1, 2 … questions. */
import { useMemo } from 'preact/hooks';
import type { Placed } from '../../tree/layout';
import { modelOfDoc, type ModelNode, type TreeModel } from '../../tree/model';
import { Slider } from '../Chart';
import { featureName, figure, isRegression, lesson, nodeOf } from '../document';
import { FallingRows, MOST_FALLING } from '../FallingRows';
import { nodeWords, ofAll } from '../parts';
import { go } from '../place';
import { say, sayParts } from '../settings';
import type { SplitScreen as Steps } from '../steps';
import { TreeFigure, viewOf } from '../TreeFigure';

export function SplitScreen({ screen, step }: { screen: Steps; step: number }) {
  const done = Math.min(step, screen.order.length);
  const whole = useMemo(() => viewOf(modelOfDoc(lesson().tree)), []);
  const view = useMemo(() => viewOf(partialModel(whole.model.value, screen, done)), [done]);
  const drawn = drawnNodes(screen, done);
  // The places are those of the whole tree, so that nothing but the rows moves.
  view.selected.value = screen.order[done]?.node ?? -1;
  const few = lesson().table.rows.length <= MOST_FALLING;
  const rows = (placed: readonly Placed[]) => few && <FallingRows screen={screen} done={done} placed={placed} />;
  return (
    <>
      <div class="step-slider">
        <Slider
          label={say('split.slider')}
          min={0}
          max={screen.order.length}
          value={done}
          text={say('split.after', { n: done })}
          onInput={(next) => go({ step: next })}
        />
        <p class="statement" aria-live="polite">
          {say('split.after', { n: done })} <SplitWords screen={screen} done={done} />
        </p>
      </div>
      <TreeFigure
        view={view}
        label={say('split.tree', { n: done })}
        places={whole}
        hidden={(id) => !drawn.has(id)}
        over={rows}
        class={few ? 'falling' : ''}
      />
    </>
  );
}

/** What the last question was, and how good the tree is now. */
function SplitWords({ screen, done }: { screen: Steps; done: number }) {
  const last = screen.order[done - 1];
  if (!last) return <>{say('split.start')}</>;
  const all = nodeOf(0).group.weight;
  const error = isRegression() ? figure(last.error) : ofAll(last.error, all);
  return (
    <>
      {sayParts('split.last', {
        column: (
          <b>
            <bdi>{featureName(last.feature)}</bdi>
          </b>
        ),
        node: `#${last.node}`,
        where: <bdi>{nodeWords(last.node)}</bdi>,
        leaves: last.leaves,
        error: <b>{error}</b>,
      })}
    </>
  );
}

/** The root, and the children of the nodes that are split so far. */
function drawnNodes(screen: Steps, done: number): Set<number> {
  const drawn = new Set([0]);
  for (const step of screen.order.slice(0, done)) for (const child of step.children) drawn.add(child.node);
  return drawn;
}

/** The tree after so many splits: nodes that are split later are open. */
function partialModel(model: TreeModel, screen: Steps, done: number): TreeModel {
  const later = new Set(screen.order.slice(done).map((step) => step.node));
  const close = (node: ModelNode): ModelNode => ({ ...node, children: [], split: null, state: 'open' });
  return { ...model, nodes: model.nodes.map((node) => (node && later.has(node.id) ? close(node) : node)) };
}
