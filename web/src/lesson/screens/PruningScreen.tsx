/** Screen 10: pruning from the bottom up, one node after the other: what a subtree costs, and what a leaf would. */
import { useEffect } from 'preact/hooks';
import type { TreeView } from '../../tree/view';
import { lessonTexts } from '../document';
import { FormulaLines } from '../FormulaView';
import { Heading } from '../parts';
import { go } from '../place';
import { Say } from '../Sentences';
import { language, say } from '../settings';
import type { PruningScreen as Steps } from '../steps';
import { TreeFigure, useTreeView } from '../TreeFigure';

/** A larger tree is not shown whole. */
const MOST_WHOLE = 60;

export function PruningScreen({ screen, step }: { screen: Steps; step: number }) {
  const at = Math.min(step, screen.steps.length);
  return (
    <>
      {screen.steps[at] ? <Decision screen={screen} at={at} /> : <Result screen={screen} />}
      <Trace screen={screen} at={at} />
    </>
  );
}

/** The tree before this decision: what earlier ones made a leaf is one. */
function Decision({ screen, at }: { screen: Steps; at: number }) {
  const step = screen.steps[at]!;
  const view = useTreeView(screen.before);
  useEffect(() => showNode(view, step.node), [view, step.node]);
  const cut = new Set(
    screen.steps
      .slice(0, at)
      .filter((one) => one.decision === 'leaf')
      .map((one) => one.node),
  );
  view.link.value = screen.before.tree.count.map((_, node) => (cut.has(node) ? 0 : Infinity));
  view.alpha.value = 0;
  return (
    <>
      <div class="halves wide-left">
        <TreeFigure view={view} label={say('pruning.tree')} onSelect={(node) => goToNode(screen, node)} />
        <section class="card-block" aria-live="polite">
          <Heading aside={say(`pruning.${step.decision}`)}>{`${say('node')} #${step.node}`}</Heading>
          <p class="statement">
            <Say sentence={step.sentence} />
          </p>
        </section>
      </div>
      <FormulaLines
        formulas={step.formulas.map(({ formula }) => formula)}
        names={step.formulas.map(({ label }) => costName(label))}
      />
    </>
  );
}

/** A large tree shows only the path to the node, and its children. */
function showNode(view: TreeView, node: number): void {
  if (view.model.value.nodes.length <= MOST_WHOLE) {
    view.select(node);
    return;
  }
  view.goTo(node);
  view.toggle(node);
}

/** What a formula calculates; labels are those of the document. */
function costName(label: string): string {
  return lessonTexts()[language.value][`pruning.label.${label}`] ?? label;
}

function goToNode(screen: Steps, node: number): void {
  const step = screen.steps.findIndex((one) => one.node === node);
  if (step >= 0) go({ step });
}

function Result({ screen }: { screen: Steps }) {
  const before = useTreeView(screen.before);
  const after = useTreeView(screen.after);
  return (
    <div class="halves">
      <section>
        <Heading aside={say('pruning.size', leavesOf(screen.before))}>{say('pruning.before')}</Heading>
        <TreeFigure view={before} label={say('pruning.before')} />
      </section>
      <section>
        <Heading aside={say('pruning.size', leavesOf(screen.after))}>{say('pruning.after')}</Heading>
        <TreeFigure view={after} label={say('pruning.after')} />
      </section>
    </div>
  );
}

function leavesOf({ tree }: Steps['before']): { leaves: number } {
  return { leaves: tree.n_children.filter((children) => children === 0).length };
}

/** All decisions as a list of steps. */
function Trace({ screen, at }: { screen: Steps; at: number }) {
  return (
    <ol class="trace" aria-label={say('pruning.trace')}>
      {screen.steps.map((step, index) => (
        <li>
          <button aria-pressed={index === at} onClick={() => go({ step: index })}>
            #{step.node} <span>{say(`pruning.${step.decision}`)}</span>
          </button>
        </li>
      ))}
      <li>
        <button aria-pressed={at === screen.steps.length} onClick={() => go({ step: screen.steps.length })}>
          {say('pruning.result')}
        </button>
      </li>
    </ol>
  );
}
