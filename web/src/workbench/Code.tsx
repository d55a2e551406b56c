/** Text to copy: a command or code. */
import { fillText } from '../texts/say';
import { words } from '../texts/workbench';
import { copyText } from './download';

export function Code({ label, text }: { label: string; text: string }) {
  return (
    <div class="code">
      <div class="line">
        <span>{label}</span>
        <button aria-label={fillText(words.export.copyOf, { what: label })} onClick={() => void copyText(text)}>
          {words.export.copy}
        </button>
      </div>
      <pre tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
    </div>
  );
}
