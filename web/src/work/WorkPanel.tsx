/** Everything behind a node: its rows, how mixed it is, what it could ask, and the arithmetic of one candidate. */
import type { ComponentChildren } from 'preact';
import type { LeafReason, NodeWork } from '../contract';
import { fillParts, fillText, t } from '../texts';
import { predictionLabel } from '../tree/Card';
import { featureName, splitLabel } from '../tree/labels';
import { type ModelNode, type TreeModel, predictedClass } from '../tree/model';
import type { TreeView } from '../tree/view';
import { formatCount } from '../ui/numbers';
import { colorClass } from '../ui/palette';
import { Ask } from './Ask';
import { Candidates, type CandidatesProps } from './Candidates';
import { Detail, type QuizFields } from './Detail';
import { Counts, Impurity } from './Impurity';
import { Thresholds, cutAt, moveCut } from './Thresholds';
import { Trail } from './Trail';
import './work.css';

export interface WorkPanelProps {
  view: TreeView;
  /** Null: not part of the page, or not computed yet. */
  work: NodeWork | null;
  choosesBy: 'gain' | 'gain_ratio';
  looked: number | null;
  onLook: (candidate: number) => void;
  onSelect: (node: number) => void;
  onTake?: (candidate: number) => void;
  /** The threshold that was moved by hand; null: the best. */
  threshold?: number | null;
  onMove?: (threshold: number) => void;
  onTakeCut?: (threshold: number) => void;
  onLeaf?: () => void;
  listed?: readonly number[];
  decided?: boolean;
  /** So many of the parts below the counts are shown: impurity, candidates. */
  reveal?: number;
  quiz?: QuizFields | null;
  /** What stands where a node that is no leaf has no work. */
  noWork?: ComponentChildren;
}

export function WorkPanel(props: WorkPanelProps) {
  const { view, work, reveal = 2, quiz = null, onSelect } = props;
  const model = view.model.value;
  const node = view.node(view.selected.value);
  if (!node) return null;
  const asks = quiz && node.state === 'open' ? quiz : null;
  return (
    <article class="work">
      <Trail model={model} node={node.id} onSelect={onSelect} />
      <Heading view={view} node={node} />
      {node.rows > 0 && <Counts model={model} group={node} />}
      {reveal >= 1 && node.rows > 0 && (
        <Impurity
          model={model}
          group={work?.group ?? node}
          ask={asks && <ImpurityField model={model} node={node} quiz={asks} />}
        />
      )}
      {work && reveal >= 2 && !isSettled(node) && <WorkOfSplit {...props} work={work} node={node} quiz={asks} />}
      {props.onLeaf && node.state === 'open' && (
        <p class="acts">
          <button onClick={props.onLeaf}>{t.work.makeLeaf}</button>
        </p>
      )}
      <LeafNote view={view} node={node} reason={work?.reason ?? node.reason} />
      {!work && !isEnd(view, node) && props.noWork && <p class="note waiting">{props.noWork}</p>}
    </article>
  );
}

function isEnd(view: TreeView, node: ModelNode): boolean {
  return node.state !== 'open' && view.isLeaf(node);
}

/** Leaves without a question: what they could ask says nothing. */
function isSettled(node: ModelNode): boolean {
  return node.state === 'leaf' && (node.rows === 0 || node.impurity === 0);
}

function Heading({ view, node }: { view: TreeView; node: ModelNode }) {
  const model = view.model.value;
  const facts = fillText(t.work.nodeRows, { id: `#${node.id}`, n: formatCount(node.rows) });
  return (
    <h2>
      <span>
        <HeadingWords view={view} node={node} model={model} />
      </span>
      <small>
        {facts}
        {node.by_hand ? ` · ${t.work.byHand}` : ''}
      </small>
    </h2>
  );
}

function HeadingWords({ view, node, model }: { view: TreeView; node: ModelNode; model: TreeModel }) {
  if (node.state === 'open') return <>{t.work.openNode}</>;
  if (!view.isLeaf(node))
    return <>{fillText(t.work.splitNode, { feature: featureName(model, node.split!.feature) })}</>;
  const color = model.classes ? colorClass(model.palette, predictedClass(node)) : '';
  return <>{fillParts(t.work.predicts, { prediction: <em class={color}>{predictionLabel(model, node)}</em> })}</>;
}

function ImpurityField({ model, node, quiz }: { model: TreeModel; node: ModelNode; quiz: QuizFields }) {
  return (
    <Ask
      key={node.id}
      name={t.work.impurityField}
      exact={node.impurity}
      formula={t.work.impurityFormula[model.criterion]}
      typed={quiz.typed('impurity')}
      onAnswer={(typed, right) => quiz.onAnswer('impurity', typed, right)}
    />
  );
}

type SplitProps = WorkPanelProps & { work: NodeWork; node: ModelNode; quiz: QuizFields | null };

function WorkOfSplit(props: SplitProps) {
  const { view, work, node, quiz, looked, threshold = null, onMove, onTakeCut } = props;
  const model = view.model.value;
  const candidate = looked === null ? undefined : work.candidates[looked];
  const moved = candidate && threshold !== null ? cutAt(candidate, threshold) : undefined;
  const shown = candidate && moved ? moveCut(candidate, moved) : candidate;
  return (
    <>
      {work.candidates.length > 0 && <Candidates {...candidatesProps(props, model)} />}
      <OtherChoices model={model} work={work} hidden={!!quiz || props.decided === false} />
      {shown && <Detail key={looked} model={model} work={work} candidate={shown} quiz={quiz} />}
      {candidate && !quiz && onMove && candidate.cuts && (
        <Thresholds
          model={model}
          candidate={candidate}
          threshold={threshold}
          onMove={onMove}
          onTake={node.state === 'open' ? onTakeCut : undefined}
        />
      )}
    </>
  );
}

function candidatesProps({ work, node, quiz, ...props }: SplitProps, model: TreeModel): CandidatesProps {
  const { choosesBy, looked, onLook, onTake, listed, decided } = props;
  const taken = node.state === 'split' && node.split ? { feature: node.split.feature, byHand: node.by_hand } : null;
  return { model, work, choosesBy, looked, onLook, onTake, listed, decided, taken, hidden: !!quiz };
}

/** What other algorithms would take, where that is another column. */
function OtherChoices({ model, work, hidden }: { model: TreeModel; work: NodeWork; hidden: boolean }) {
  const names = { id3: 'ID3', c45: 'C4.5', cart: 'CART' } as const;
  const chosen = work.chosen === null ? undefined : work.candidates[work.chosen];
  const others = Object.entries(work.would_choose ?? {}).filter(
    ([, place]) => chosen && work.candidates[place]?.split.feature !== chosen.split.feature,
  );
  if (hidden || others.length === 0) return null;
  const sentences = others.map(([key, place]) =>
    fillText(t.work.wouldChoose, {
      algorithm: names[key as keyof typeof names],
      split: splitLabel(model, work.candidates[place]!.split),
    }),
  );
  return <p class="note">{sentences.join(' ')}</p>;
}

function LeafNote({ view, node, reason }: { view: TreeView; node: ModelNode; reason: LeafReason | undefined }) {
  if (node.state === 'split') {
    if (!view.isLeaf(node)) return null;
    return <p class="note">{fillText(t.work.cutBack, { n: formatCount(subtreeSize(view, node) - 1) })}</p>;
  }
  if (!reason || node.state === 'open') return null;
  const number = reason === 'pure' && !view.model.value.classes;
  return <p class="note">{number ? t.work.pureNumber : t.work.reason[reason]}</p>;
}

/** Nodes of the subtree before it was pruned. */
function subtreeSize(view: TreeView, node: ModelNode): number {
  let size = 0;
  const stack = [node.id];
  while (stack.length > 0) {
    size++;
    stack.push(...(view.node(stack.pop()!)?.children ?? []));
  }
  return size;
}
