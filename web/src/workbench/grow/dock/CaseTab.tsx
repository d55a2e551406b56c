/** A case to try on the tree that grows; its path lights up. */
import { signal, useSignalEffect } from '@preact/signals';
import type { Cell, Feature, Table } from '../../../contract';
import { CaseForm } from '../../../tree/CaseForm';
import { routeRow } from '../../../tree/route';
import { parseNumber } from '../../../ui/numbers';
import { table } from '../../state';
import * as s from '../state';

/** The case, with the tree that its features belong to. */
const tried = signal<{ features: readonly Feature[]; cells: Cell[] } | null>(null);

/** The first row of the table, as far as its cells are values of the features. */
function firstCase(opened: Table, features: readonly Feature[]): Cell[] {
  const row = opened.head[0] ?? [];
  return features.map((feature) => {
    const text = row[feature.source] ?? '';
    const choices = feature.kind === 'categorical' ? feature.levels : feature.ordered;
    if (choices) return choices.includes(text) ? text : null;
    if (feature.date) return /^\d{4}-\d{2}-\d{2}/.test(text) ? text : null;
    const value = parseNumber(text);
    return Number.isNaN(value) ? null : value;
  });
}

export function CaseTab() {
  const opened = table.value;
  const model = s.model.value;
  useSignalEffect(() => {
    const { features } = s.model.value;
    if (table.value && tried.peek()?.features !== features)
      tried.value = { features, cells: firstCase(table.value, features) };
  });
  useSignalEffect(() => {
    const current = tried.value;
    const tree = s.model.value;
    if (!current || current.features !== tree.features || !tree.nodes[0]) return;
    s.view.path.value = new Set(routeRow(tree, current.cells, (node) => s.view.isLeaf(node)).path);
  });
  const cells = tried.value;
  if (!opened || !cells || cells.features !== model.features || !model.nodes[0]) return null;
  const rangeOf = (feature: number) => {
    const { min, max } = opened.columns[model.features[feature]!.source] ?? {};
    return min === undefined || max === undefined ? 1 : max - min;
  };
  return (
    <CaseForm
      model={model}
      cells={cells.cells}
      onChange={(next) => (tried.value = { features: model.features, cells: next })}
      rangeOf={rangeOf}
      endsAt={(node) => s.view.isLeaf(node)}
    />
  );
}
