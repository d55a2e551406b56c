/** What is running: its words, its progress, and a button that stops it. */
import { words } from '../texts/workbench';
import { busy, stop } from './tasks';

export function BusyBar() {
  const task = busy.value;
  if (!task) return null;
  const known = task.of > 0;
  return (
    <div class="busy" role="status">
      <span>{task.words}</span>
      <progress max={known ? task.of : undefined} value={known ? task.done : undefined} aria-label={task.words} />
      {known && (
        <span class="figures">
          {task.done} / {task.of}
        </span>
      )}
      <button onClick={stop}>{words.stop}</button>
    </div>
  );
}
