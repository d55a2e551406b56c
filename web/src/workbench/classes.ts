/** The classes of the open table: their rows, and the colors that follow from them on every screen. */
import { computed } from '@preact/signals';
import type { Table } from '../contract';
import { makePalette } from '../ui/palette';
import { table } from './state';

/** The rows of each class, in the order of the classes. */
export function classSizes(open: Table): number[] {
  const column = open.columns.find((each) => each.role === 'target');
  const rows = new Map(column?.levels?.map((level) => [level.name, level.rows]));
  return (open.classes ?? []).map((name) => rows.get(name) ?? 0);
}

export const palette = computed(() => makePalette(table.value ? classSizes(table.value) : []));
