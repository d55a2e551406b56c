/** Ways to open a table: drop a file, choose one, paste text, or take a built-in one. */
import { signal } from '@preact/signals';
import { words } from '../../texts/workbench';
import { FileDrop } from '../FileDrop';
import { openFile, openSource } from '../actions';
import { sources, titles } from '../state';
import { showName } from '../../ui/names';

const pasted = signal('');

export function OpenTable() {
  return (
    <div class="open-table">
      <FileDrop label={words.data.drop} onFile={(file) => void openFile(file)} />
      <PasteBox />
      <h3>{words.data.builtIn}</h3>
      <ul class="tables">
        {sources.value
          .filter((source) => source.builtIn)
          .map((source) => (
            <li key={source.name}>
              <button onClick={() => void openSource(source)}>
                <b>{showName(source.name)}</b>
                <span>{titles.value[source.name] ?? ''}</span>
              </button>
            </li>
          ))}
      </ul>
    </div>
  );
}

function PasteBox() {
  const open = () => {
    const bytes = new TextEncoder().encode(pasted.value);
    void openSource({ name: words.data.pastedName, bytes, builtIn: false, options: {} });
  };
  return (
    <details class="paste">
      <summary>{words.data.paste}</summary>
      <textarea
        rows={6}
        aria-label={words.data.pasteLabel}
        placeholder={words.data.pasteExample}
        value={pasted.value}
        onInput={(event) => (pasted.value = event.currentTarget.value)}
      />
      <button disabled={pasted.value.trim() === ''} onClick={open}>
        {words.data.pasteOpen}
      </button>
    </details>
  );
}
