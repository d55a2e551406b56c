/** How much of the tree to keep: the error curve, a slider, and the prunings that have names. */
import { signal, useSignalEffect } from '@preact/signals';
import type { Curve } from '../../../contract';
import { fillText, t } from '../../../texts';
import { CurveFacts, ErrorCurve } from '../../../tree/ErrorCurve';
import { LEARNERS } from '../../learner/learners';
import { engine, place, table } from '../../state';
import { run } from '../../tasks';
import { makeLeaves, pruneAsLearner } from '../actions';
import * as s from '../state';

/** The curve of a tree as it was at a revision. */
const found = signal<{ tree: number; rev: number; curve: Curve } | null>(null);
const level = signal(0);
/** A table with more rows waits for a press of the button: the tree is grown anew for each fold. */
const AT_ONCE = 5000;
const FOLDS = 10;

async function loadCurve(): Promise<void> {
  const core = engine.peek();
  const tree = s.heading.peek();
  if (!core || !tree) return;
  const folds = Math.min(FOLDS, table.peek()?.rows ?? FOLDS);
  const curve = await run(t.grow.busy.curve, (on) => core.curve(tree.id, folds, on));
  if (!curve || s.heading.peek()?.rev !== tree.rev) return;
  found.value = { tree: tree.id, rev: tree.rev, curve };
  s.view.link.value = curve.link;
  setLevel(place.peek().level ?? wholeTree(curve));
}

function currentCurve(): Curve | null {
  const tree = s.heading.value;
  return tree && found.value && found.value.tree === tree.id && found.value.rev === tree.rev ? found.value.curve : null;
}

function wholeTree(curve: Curve): number {
  return curve.leaves.indexOf(Math.max(...curve.leaves));
}

/** Shows the tree as this pruning leaves it. */
function setLevel(next: number): void {
  const curve = found.peek()?.curve;
  if (!curve) return;
  level.value = Math.max(0, Math.min(curve.leaves.length - 1, next));
  s.view.alpha.value = level.value === wholeTree(curve) ? -1 : curve.alpha[level.value]!;
  place.value = { ...place.peek(), level: level.value };
}

export function PruneTab() {
  const curve = currentCurve();
  const split = s.model.value.nodes[0]?.children.length ?? 0;
  useSignalEffect(() => {
    const known = currentCurve();
    const grownTree = (s.model.value.nodes[0]?.children.length ?? 0) > 0;
    if (known || !grownTree) return;
    if ((table.value?.rows ?? Infinity) <= AT_ONCE) void loadCurve();
  });
  if (split === 0) return <p class="lead">{t.prune.growFirst}</p>;
  if (!curve) {
    return (
      <>
        <p class="lead">{t.prune.explain}</p>
        <p class="acts">
          <button onClick={() => void loadCurve()}>{t.prune.compute}</button>
          <LearnerButton />
        </p>
      </>
    );
  }
  const shares = s.model.value.classes !== null;
  return (
    <div class="prune">
      <ErrorCurve curve={curve} level={level.value} onLevel={setLevel} shares={shares} />
      <div class="facts">
        <CurveFacts curve={curve} level={level.value} shares={shares} />
        <NamedPrunings curve={curve} />
      </div>
    </div>
  );
}

function NamedPrunings({ curve }: { curve: Curve }) {
  const whole = wholeTree(curve);
  const named = [
    [curve.best, t.prune.least, t.prune.leastTitle],
    [curve.one_se, t.prune.oneSe, t.prune.oneSeTitle],
    [whole, t.prune.whole, t.prune.wholeTitle],
  ] as const;
  const leaves = prunedNodes();
  return (
    <>
      <p class="acts">
        {named.map(([at, words, title]) => (
          <button key={words} aria-pressed={level.value === at} title={title} onClick={() => setLevel(at)}>
            {words}
          </button>
        ))}
      </p>
      <p class="acts">
        <button disabled={leaves.length === 0} onClick={() => void makeLeaves(leaves)}>
          {fillText(t.prune.apply, { n: curve.leaves[level.value]! })}
        </button>
        <LearnerButton />
      </p>
    </>
  );
}

/** The split nodes that the pruning makes leaves, the topmost only. */
function prunedNodes(): number[] {
  const cut: number[] = [];
  const stack = [0];
  while (stack.length > 0) {
    const node = s.view.node(stack.pop()!);
    if (!node || node.children.length === 0) continue;
    if (s.view.isLeaf(node)) cut.push(node.id);
    else stack.push(...node.children);
  }
  return cut;
}

/** C4.5 prunes unless it is told not to, the others only if they are told to. */
function LearnerButton() {
  const { algorithm, params } = s.heading.value!.spec;
  const prunes = params['prune'] ?? (algorithm === 'c45' ? 'pessimistic' : 'none');
  if (prunes === 'none') return null;
  return (
    <button onClick={() => void pruneAsLearner()}>
      {fillText(t.prune.learner, { name: LEARNERS[algorithm].name })}
    </button>
  );
}
