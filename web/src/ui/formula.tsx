/** Impurities as formulas with their numbers, in MathML. */
import type { ComponentChildren } from 'preact';
import { t } from '../texts';
import { formatCount, formatFixed, formatMean } from './numbers';
import { sumOf } from './palette';

/** Above so many rows a fraction is written as a decimal: the line would be too long. */
const LONG_FRACTION = 1000;
/** Of more classes than this only the largest are written out, so that the result is in view. */
const MOST_TERMS = 4;
const FIRST_TERMS = 2;

export function Fraction({ part, whole }: { part: number; whole: number }) {
  if (whole >= LONG_FRACTION) return <mn>{formatFixed(part / whole)}</mn>;
  return (
    <mfrac>
      <mn>{formatCount(part)}</mn>
      <mn>{formatCount(whole)}</mn>
    </mfrac>
  );
}

function EntropyTerm({ part, whole }: { part: number; whole: number }) {
  return (
    <>
      <mo>−</mo>
      <Fraction part={part} whole={whole} />
      <mspace width="0.12em" />
      <msub>
        <mi>log</mi>
        <mn>2</mn>
      </msub>
      <mspace width="0.12em" />
      <Fraction part={part} whole={whole} />
    </>
  );
}

function GiniTerm({ part, whole }: { part: number; whole: number }) {
  return (
    <>
      <mo>−</mo>
      <msup>
        <mrow>
          <mo>(</mo>
          <Fraction part={part} whole={whole} />
          <mo>)</mo>
        </mrow>
        <mn>2</mn>
      </msup>
    </>
  );
}

interface ClassFormulaProps {
  criterion: 'entropy' | 'gini';
  value: readonly number[];
  /** What stands after the last "=": a number, or nothing where the reader is asked for it. */
  result: ComponentChildren;
}

/** H = − 9/14 log₂ 9/14 − …, or G = 1 − (9/14)² − …; the largest classes first. */
export function ClassFormula({ criterion, value, result }: ClassFormulaProps) {
  const whole = sumOf(value);
  const parts = value.filter((part) => part > 0).sort((a, b) => b - a);
  const shown = parts.length > MOST_TERMS ? parts.slice(0, FIRST_TERMS) : parts;
  const Term = criterion === 'gini' ? GiniTerm : EntropyTerm;
  return (
    <math display="block">
      <mrow>
        <mi>{criterion === 'gini' ? 'G' : 'H'}</mi>
        <mo>=</mo>
        {criterion === 'gini' && <mn>1</mn>}
        {shown.map((part) => (
          <Term part={part} whole={whole} />
        ))}
        {shown.length < parts.length && (
          <>
            <mo>−</mo>
            <mo>…</mo>
          </>
        )}
        <mo>=</mo>
        {result}
      </mrow>
    </math>
  );
}

/** Var = sum of squares / weight. */
export function VarianceFormula({
  weight,
  variance,
  result,
}: {
  weight: number;
  variance: number;
  result: ComponentChildren;
}) {
  return (
    <math display="block">
      <mrow>
        <mi mathvariant="normal">Var</mi>
        <mo>=</mo>
        <mfrac>
          <mrow>
            <mo>∑</mo>
            <msup>
              <mrow>
                <mo>(</mo>
                <mi>y</mi>
                <mo>−</mo>
                <mover>
                  <mi>y</mi>
                  <mo>¯</mo>
                </mover>
                <mo>)</mo>
              </mrow>
              <mn>2</mn>
            </msup>
          </mrow>
          <mi>n</mi>
        </mfrac>
        <mo>=</mo>
        <mfrac>
          <mn>{formatMean(variance * weight)}</mn>
          <mn>{formatCount(weight)}</mn>
        </mfrac>
        <mo>=</mo>
        {result}
      </mrow>
    </math>
  );
}

/** The number that a formula ends with. */
export function Result({ children }: { children: ComponentChildren }) {
  return <mn class="result">{children}</mn>;
}

/** A box for a formula that may be wider than the page. */
export function FormulaBox({ children }: { children: ComponentChildren }) {
  return (
    <div class="formula" tabIndex={0} role="region" aria-label={t.ui.formula}>
      {children}
    </div>
  );
}
