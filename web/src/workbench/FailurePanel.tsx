/** What went wrong: the message, what to do, and its slug, as on the command line. */
import { words } from '../texts/workbench';
import { showName } from '../ui/names';
import { failure } from './state';

export function FailurePanel() {
  const seen = failure.value;
  if (!seen) return null;
  return (
    <div class="failure" role="alert">
      <div>
        <p>
          <b>{words.error}</b> {showLines(seen.message)} <code>{seen.slug}</code>
        </p>
        {seen.hint && seen.hint.split('\n').map((line) => <p class="hint">{showName(line)}</p>)}
      </div>
      <button onClick={() => (failure.value = null)}>{words.close}</button>
    </div>
  );
}

function showLines(message: string) {
  return message.split('\n').map((line, index) => (index ? [<br key={index} />, showName(line)] : showName(line)));
}
