/** The classes of the target with their rows. */
import type { Table } from '../../contract';
import { ClassList, WideBar } from '../../ui/marks';
import { classSizes, palette } from '../classes';

export function ClassCounts({ table }: { table: Table }) {
  const sizes = classSizes(table);
  return (
    <div class="class-counts">
      <WideBar value={sizes} palette={palette.value} />
      <ClassList value={sizes} classes={table.classes ?? []} palette={palette.value} />
    </div>
  );
}
