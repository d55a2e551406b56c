/** The field of one column in the form for a row: a choice of categories, a date, or a number. */
import { useEffect, useState } from 'preact/hooks';
import type { Cell, Feature } from '../contract';
import { fillText, t } from '../texts';
import { formatValue } from '../tree/labels';
import { numberOf } from '../tree/route';
import { showName } from '../ui/names';
import { parseNumber } from '../ui/numbers';

interface FieldProps {
  feature: Feature;
  cell: Cell;
  onChange: (cell: Cell) => void;
}

export function RowField({ feature, cell, onChange }: FieldProps) {
  const Field = feature.kind === 'categorical' || feature.ordered ? Choice : feature.date ? DateField : NumberField;
  return (
    <label>
      <span>{showName(feature.name)}</span>
      <Field feature={feature} cell={cell} onChange={onChange} />
    </label>
  );
}

/** A category; of ordered ones its position. */
function Choice({ feature, cell, onChange }: FieldProps) {
  const names = feature.ordered ?? feature.levels ?? [];
  const here = cell === null ? -1 : feature.ordered ? Number(cell) : names.indexOf(String(cell));
  const choose = (place: number) => onChange(place < 0 ? null : feature.ordered ? place : names[place]!);
  return (
    <select value={here} onChange={(event) => choose(Number((event.target as HTMLSelectElement).value))}>
      <option value={-1}>{t.report.try.missing}</option>
      {names.map((name, place) => (
        <option value={place}>{showName(name)}</option>
      ))}
    </select>
  );
}

function DateField({ feature, cell, onChange }: FieldProps) {
  const change = (text: string) => onChange(text === '' ? null : numberOf(feature, text));
  return (
    <input
      type="date"
      value={typeof cell === 'number' ? formatValue(feature, cell) : ''}
      onInput={(event) => change((event.target as HTMLInputElement).value)}
    />
  );
}

/** A comma may stand for the point; what is not a number counts as missing, and the field says so. */
function NumberField({ cell, onChange }: FieldProps) {
  const [text, setText] = useState(cell === null ? '' : String(cell));
  const value = parseNumber(text);
  const invalid = text.trim() !== '' && Number.isNaN(value);
  useEffect(() => {
    if (cell !== (Number.isNaN(value) ? null : value)) setText(cell === null ? '' : String(cell));
  }, [cell]);
  const change = (typed: string) => {
    setText(typed);
    const number = parseNumber(typed);
    onChange(Number.isNaN(number) ? null : number);
  };
  return (
    <input
      inputMode="decimal"
      value={text}
      placeholder={t.report.try.missing}
      aria-invalid={invalid}
      title={invalid ? fillText(t.report.try.invalid, { text: showName(text) }) : undefined}
      onInput={(event) => change((event.target as HTMLInputElement).value)}
    />
  );
}
