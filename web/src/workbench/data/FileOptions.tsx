/** How the file as a whole is read: what separates fields, whether there is a header, what means "missing". */
import type { OpenOptions } from '../../contract';
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import { changeOptions } from '../actions';
import { setup } from '../state';

const DELIMITERS: [string, string][] = [
  ['', words.data.detected],
  [',', words.data.comma],
  [';', words.data.semicolon],
  ['\t', words.data.tab],
  ['|', words.data.bar],
  ['whitespace', words.data.blanks],
];
const DECIMALS: [string, string][] = [
  ['', words.data.point],
  [',', words.data.commaDecimal],
];

export function FileOptions({ builtIn }: { builtIn: boolean }) {
  if (builtIn) return null;
  const options = setup.value.options;
  const set = (change: Partial<OpenOptions>, name: string) =>
    void changeOptions(change, fillText(words.undo.option, { name }));
  return (
    <details class="file-options">
      <summary>{words.data.fileOptions}</summary>
      <div class="fields">
        <Choice
          label={words.data.delimiter}
          choices={DELIMITERS}
          value={options.delimiter ?? ''}
          onChange={(value) => set({ delimiter: value || undefined }, words.data.delimiter)}
        />
        <Choice
          label={words.data.header}
          choices={[
            ['', words.data.headerYes],
            ['no', words.data.headerNo],
          ]}
          value={options.header === false ? 'no' : ''}
          onChange={(value) =>
            set(
              { header: value === 'no' ? false : undefined, columns: undefined, target: undefined, task: undefined },
              words.data.header,
            )
          }
        />
        <Choice
          label={words.data.decimal}
          choices={DECIMALS}
          value={options.decimal === ',' ? ',' : ''}
          onChange={(value) => set({ decimal: value === ',' ? ',' : undefined }, words.data.decimal)}
        />
        <Choice
          label={words.data.ragged}
          choices={[
            ['', words.data.raggedError],
            ['drop', words.data.raggedDrop],
          ]}
          value={options.ragged ?? ''}
          onChange={(value) => set({ ragged: value === 'drop' ? 'drop' : undefined }, words.data.ragged)}
        />
        <MissingWords value={options.missing} onChange={(missing) => set({ missing }, words.data.missingWords)} />
      </div>
    </details>
  );
}

interface ChoiceProps {
  label: string;
  choices: [string, string][];
  value: string;
  onChange: (value: string) => void;
}

function Choice({ label, choices, value, onChange }: ChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface MissingWordsProps {
  value: string[] | undefined;
  onChange: (value: string[] | undefined) => void;
}

/** An empty cell is always missing; the field holds the other words, separated by blanks. */
function MissingWords({ value, onChange }: MissingWordsProps) {
  const shown = (value ?? []).filter((word) => word !== '').join(' ');
  const read = (text: string) => {
    const typed = text.split(/\s+/).filter((word) => word !== '');
    if (typed.join(' ') !== shown) onChange(typed.length ? ['', ...typed] : undefined);
  };
  return (
    <label>
      <span>{words.data.missingWords}</span>
      <input
        value={shown}
        placeholder={words.data.missingUsual}
        onChange={(event) => read(event.currentTarget.value)}
      />
    </label>
  );
}
