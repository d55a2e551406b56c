/** Which column to predict, and whether it is a class or a number. Never guessed. */
import type { Table } from '../../contract';
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import { Segmented } from '../../ui/controls';
import { showName } from '../../ui/names';
import { changeOptions, chooseTarget, undecided } from '../actions';
import { ClassCounts } from './ClassCounts';

type Task = 'classification' | 'regression';
const TASKS: readonly (readonly [Task, string])[] = [
  ['classification', words.data.classes],
  ['regression', words.data.numbers],
];

export function TargetChoice({ table }: { table: Table }) {
  const chosen = undecided.value ?? table.target;
  return (
    <div class="target-choice">
      <label>
        <span>{words.data.predict}</span>
        <select value={chosen} onChange={(event) => void chooseTarget(event.currentTarget.value)}>
          {chosen === '' && <option value="">{words.data.chooseTarget}</option>}
          {table.columns.map((column) => (
            <option key={column.name} value={column.name}>
              {showName(column.name)}
            </option>
          ))}
        </select>
      </label>
      <TaskChoice table={table} />
      {undecided.value === null && table.classes && <ClassCounts table={table} />}
    </div>
  );
}

/** A column of numbers can be either; the reader decides by its values, and stops where they leave it open. */
function TaskChoice({ table }: { table: Table }) {
  const name = undecided.value ?? table.target;
  const column = table.columns.find((each) => each.name === name);
  if (!column) return null;
  const open = undecided.value !== null;
  if (!open && (name === '' || column.kind !== 'numeric')) return null;
  const task = table.classes === null ? 'regression' : 'classification';
  const choose = (next: Task) =>
    void changeOptions({ target: name, task: next }, fillText(words.undo.task, { name, task: words.tasks[next] }));
  return (
    <div class="task">
      <span>{open ? fillText(words.data.whichTask, { name: showName(name) }) : words.data.as}</span>
      <Segmented label={words.data.task} choices={TASKS} value={open ? ('' as Task) : task} onChange={choose} />
    </div>
  );
}
