/** Small parts that several screens use. */
import type { ComponentChildren } from 'preact';
import type { Group } from '../contract';
import { ClassList, TextMark, WideBar } from '../ui/marks';
import { showName } from '../ui/names';
import { formatCount, formatPercent } from '../ui/numbers';
import { byColor } from '../ui/palette';
import { WideScale } from '../ui/scale';
import { className, featureName, figure, isRegression, lesson, nodeOf, palette, predictionText } from './document';
import { go, place } from './place';
import { say } from './settings';

/** A class with its mark, or the number that is predicted. */
export function Outcome({ value }: { value: number }) {
  if (isRegression()) return <b>{predictionText(value)}</b>;
  return (
    <span class="outcome">
      <TextMark of={value} palette={palette()} /> <bdi>{className(value)}</bdi>
    </span>
  );
}

/** The ends of the target's numbers. */
export function targetRange(): [number, number] {
  const values = lesson().table.target_values;
  return [Math.min(...values), Math.max(...values)];
}

/** A set of rows: its classes as a bar, or its mean on the scale of the target. */
export function GroupBar({ group, list = false }: { group: Group; list?: boolean }) {
  const classes = lesson().table.classes;
  if (classes === null) {
    return <WideScale mean={group.value[0] ?? 0} variance={group.impurity} range={targetRange()} />;
  }
  return (
    <>
      <WideBar value={group.value} palette={palette()} />
      {list && <ClassList value={group.value} classes={classes} palette={palette()} />}
    </>
  );
}

/** "9 Yes · 5 No", the largest class of the table first. */
export function classWords(weights: readonly number[]): string {
  const parts = byColor(palette()).filter((index) => (weights[index] ?? 0) > 1e-9);
  return parts.map((index) => `${formatCount(weights[index]!)} ${className(index)}`).join(' · ') || say('no rows');
}

/** The classes of a group, or "mean 4.2". */
export function groupWords(group: Group): string {
  if (!isRegression()) return classWords(group.value);
  return group.weight > 0 ? say('mean is', { mean: predictionText(group.value[0] ?? 0) }) : say('no rows');
}

/** "5 of 14 (36%)". */
export function ofAll(part: number, whole: number): string {
  return say('of all', { part: formatCount(part), whole: formatCount(whole), percent: formatPercent(part, whole) });
}

/** The name of the measure: entropy, Gini index, variance. */
export const measureName = (): string => say(`measure.${lesson().model.criterion}`);

/** The path to a node in words: "Outlook = Sunny, Humidity = High", or "all rows". */
export function nodeWords(id: number): string {
  const steps = nodeOf(id).path.map(({ feature, branch }) => condition(feature, branch));
  return steps.length ? steps.join(say('path and')) : say('all rows');
}

/** A branch says "≤ 75" or the name of a category. */
export function condition(feature: number, branch: string): string {
  return `${featureName(feature)} ${/^[≤>]/.test(branch) ? '' : '= '}${showName(branch)}`;
}

/** The choice of the node that a screen is about. */
export function NodePicker({ nodes }: { nodes: number[] }) {
  if (nodes.length < 2) return null;
  return (
    <label class="picker">
      <span>{say('node')}</span>
      <select value={place.value.node} onChange={(event) => go({ node: Number(event.currentTarget.value), step: 0 })}>
        {nodes.map((id) => (
          <option value={id}>{`#${id} · ${nodeWords(id)} · ${groupWords(nodeOf(id).group)}`}</option>
        ))}
      </select>
    </label>
  );
}

/** The node of the place, or the first one that the screen covers. */
export function nodeAmong(nodes: number[]) {
  return nodeOf(nodes.includes(place.value.node) ? place.value.node : (nodes[0] ?? 0));
}

/** A horizontal bar in ink, its length a share of the largest. */
export function InkBar({ share, strong = false }: { share: number; strong?: boolean }) {
  const width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return (
    <span class={strong ? 'ink-bar strong' : 'ink-bar'} aria-hidden="true">
      <i style={{ width }} />
    </span>
  );
}

/** A table that may be wider than the page. */
export function TableBox({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}

/** A heading with something in smaller type beside it. */
export function Heading({ children, aside }: { children: ComponentChildren; aside?: ComponentChildren }) {
  return (
    <h3>
      {children} {aside && <small>{aside}</small>}
    </h3>
  );
}

/** The weight of a group's rows, and how mixed it is. */
export function impurityWords(group: Group): string {
  return group.weight > 0 ? `${measureName()} ${figure(group.impurity)}` : say('no rows');
}
