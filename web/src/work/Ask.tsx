/** A number that a quiz asks for. */
import { useState } from 'preact/hooks';
import { parseNumber } from '../ui/numbers';
import { t } from '../texts';

/** Off by at most half a hundredth is right; of large numbers (variances), by two in a thousand. */
const TOLERANCE = 0.005;
const RELATIVE = 0.002;

/** `also`: the result of a calculation with rounded numbers, as it is done on paper. */
export function isRight(typed: number, exact: number, also?: number): boolean {
  const near = (x: number) =>
    Math.abs(typed - x) <= Math.max(TOLERANCE, Math.abs(x) > 10 ? RELATIVE * Math.abs(x) : 0) + 1e-12;
  return near(exact) || (also !== undefined && near(also));
}

interface AskProps {
  /** The name of the field, for screen readers. */
  name: string;
  exact: number;
  also?: number;
  /** How it is calculated, shown where the number is wrong. */
  formula: string;
  /** What was typed before, and who keeps it. */
  typed?: string;
  onAnswer?: (typed: string, right: boolean) => void;
}

/** Wrong shows a cross, never the number. */
export function Ask({ name, exact, also, formula, typed = '', onAnswer }: AskProps) {
  const [text, setText] = useState(typed);
  const [left, setLeft] = useState(typed !== '');
  const value = parseNumber(text);
  const right = isRight(value, exact, also);
  // While somebody types "0.9", it is not yet wrong.
  const wrong = text !== '' && !right && (left || text.length >= 4);
  const leave = () => {
    setLeft(true);
    if (text !== '') onAnswer?.(text, right);
  };
  const type = (event: Event) => {
    const next = (event.target as HTMLInputElement).value;
    setText(next);
    setLeft(false);
    if (isRight(parseNumber(next), exact, also)) onAnswer?.(next, true);
  };
  return (
    <span class={`ask ${right ? 'right' : wrong ? 'wrong' : ''}`}>
      <input
        inputMode="decimal"
        autocomplete="off"
        placeholder="?"
        aria-label={name}
        aria-invalid={wrong}
        value={text}
        onInput={type}
        onBlur={leave}
        onKeyDown={(event) => event.key === 'Enter' && leave()}
      />
      {right ? (
        <b role="img" aria-label={t.work.correct}>
          ✓
        </b>
      ) : wrong ? (
        <b role="img" aria-label={t.work.notYet}>
          ✗
        </b>
      ) : null}
      {wrong && <small>{formula}</small>}
    </span>
  );
}
