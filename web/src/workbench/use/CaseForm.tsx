/** A form with a field for each column; the prediction follows every change. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Cell, Prediction, SourceColumn, Table } from '../../contract';
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import { TextMark, WideBar } from '../../ui/marks';
import { showName } from '../../ui/names';
import { formatFixed, formatMean as significant } from '../../ui/numbers';
import { palette } from '../classes';
import { byColor } from '../../ui/palette';
import { engine, failure, grown } from '../state';
import { describeFailure } from '../tasks';

export function CaseForm({ table, model }: { table: Table; model: number }) {
  const cells = useSignal<Cell[]>([]);
  const answer = useSignal<Prediction | null>(null);
  useEffect(() => {
    cells.value = firstRow(table);
  }, [table.id]);
  const grownRevision = grown.value?.rev;
  useEffect(() => {
    let wanted = true;
    if (cells.value.length === table.columns.length) {
      engine.value?.predict(model, [cells.value]).then(
        ([found]) => wanted && (answer.value = found ?? null),
        (error: unknown) => wanted && (failure.value = describeFailure(error)),
      );
    }
    return () => {
      wanted = false;
    };
  }, [model, table.id, cells.value, grownRevision]);
  const set = (index: number, cell: Cell) => (cells.value = cells.value.map((old, at) => (at === index ? cell : old)));
  return (
    <>
      <h3>{words.use.case}</h3>
      <div class="case">
        <Answer table={table} answer={answer.value} />
        <form onSubmit={(event) => event.preventDefault()}>
          {table.columns.map(
            (column, index) =>
              column.role === 'feature' && (
                <Field
                  key={column.name}
                  column={column}
                  value={cells.value[index] ?? null}
                  onChange={(cell) => set(index, cell)}
                />
              ),
          )}
        </form>
      </div>
    </>
  );
}

/** A case to begin with: the first row of the table. */
function firstRow(table: Table): Cell[] {
  const first = table.head[0] ?? [];
  return table.columns.map((column, index) => {
    const cell = (first[index] ?? '').trim();
    const known = column.kind !== 'categorical' || column.levels?.some((level) => level.name === cell);
    return column.role === 'feature' && cell !== '' && known ? cell : null;
  });
}

interface FieldProps {
  column: SourceColumn;
  value: Cell;
  onChange: (cell: Cell) => void;
}

function Field({ column, value, onChange }: FieldProps) {
  const text = value === null ? '' : String(value);
  const read = (typed: string) => onChange(typed === '' ? null : typed);
  return (
    <label>
      <span>{showName(column.name)}</span>
      {column.levels && column.kind !== 'numeric' ? (
        <select value={text} onChange={(event) => read(event.currentTarget.value)}>
          <option value="">{words.use.missing}</option>
          {column.levels.map((level) => (
            <option key={level.name} value={level.name}>
              {showName(level.name)}
            </option>
          ))}
        </select>
      ) : (
        <input
          value={text}
          inputMode={column.kind === 'numeric' ? 'decimal' : 'text'}
          placeholder={words.use.missing}
          onInput={(event) => read(event.currentTarget.value.trim())}
        />
      )}
    </label>
  );
}

function Answer({ table, answer }: { table: Table; answer: Prediction | null }) {
  if (!answer) return <div class="answer" />;
  const { classes } = table;
  if (!classes || !answer.probabilities) {
    return (
      <div class="answer" aria-live="polite">
        <p class="lead">{fillText(words.use.predicted, { name: showName(table.target) })}</p>
        <p class="big">
          {typeof answer.prediction === 'number' ? significant(answer.prediction) : showName(answer.prediction)}
        </p>
      </div>
    );
  }
  const at = classes.indexOf(String(answer.prediction));
  return (
    <div class="answer" aria-live="polite">
      <p class="lead">{fillText(words.use.predicted, { name: showName(table.target) })}</p>
      <p class="big">
        {at >= 0 && <TextMark of={at} palette={palette.value} size={15} />}
        {showName(String(answer.prediction))}
      </p>
      <WideBar value={answer.probabilities} palette={palette.value} />
      <Probabilities value={answer.probabilities} classes={classes} />
    </div>
  );
}

/** Classes that are listed; the bar shows all. */
const LISTED = 8;

function Probabilities({ value, classes }: { value: number[]; classes: string[] }) {
  return (
    <ul class="class-list">
      {byColor(palette.value)
        .slice(0, LISTED)
        .map((index) => (
          <li key={index}>
            <TextMark of={index} palette={palette.value} />
            {showName(classes[index]!)} <b>{formatFixed(value[index] ?? 0)}</b>
          </li>
        ))}
    </ul>
  );
}
