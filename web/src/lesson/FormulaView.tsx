/** Formulas of the lesson as MathML. A quiz may hide the numbers of some stages. */
import type { ComponentChildren, JSX } from 'preact';
import { FormulaBox } from '../ui/formula';
import { showName } from '../ui/names';
import { say } from './settings';
import type { Formula, Stage } from './steps';

type Hidden = ReadonlySet<Stage>;
const NONE: Hidden = new Set();

interface FormulaLinesProps {
  formulas: Formula[];
  /** What each of them is, where that is not written in it. */
  names?: string[];
  hidden?: Hidden;
}

/** Formulas in a box, one on a line; the last number of each is strong. */
export function FormulaLines({ formulas, names, hidden = NONE }: FormulaLinesProps) {
  const differences = formulas.flatMap((formula) => findDifferences(formula, hidden));
  return (
    <>
      <FormulaBox>
        <div class={names ? 'formula-lines named' : 'formula-lines'}>
          {formulas.map((formula, at) => (
            <>
              {names && <span>{names[at]}</span>}
              <WrappedFormula formula={formula} hidden={hidden} />
            </>
          ))}
        </div>
      </FormulaBox>
      {differences.length > 0 && <p class="note">{say('formula.differs', { number: differences.join(', ') })}</p>}
    </>
  );
}

/** A formula in pieces that may stand on several lines: browsers do not break a formula by themselves. */
function WrappedFormula({ formula, hidden }: { formula: Formula; hidden: Hidden }) {
  return (
    <div class="wrapped">
      {cutPieces(formula).map(({ sign, of, result }) => (
        <math display="block">
          <mrow>
            {sign && <mo lspace="0.1em" rspace="0.28em">{sign}</mo>}
            <Part of={of} hidden={hidden} result={result} />
          </mrow>
        </math>
      ))}
    </div>
  );
}

interface Piece {
  sign: string;
  of: Formula;
  result: boolean;
}

/** Cut before each sign of equality, and before the terms of a long sum. */
function cutPieces(formula: Formula): Piece[] {
  if (formula.is !== 'equation') return [{ sign: '', of: formula, result: true }];
  const last = formula.sides.length - 1;
  return formula.sides.flatMap((side, at) => {
    const sign = at ? (formula.signs[at - 1] ?? '=') : '';
    if (side.is === 'sum' && side.terms.length > 2) return cutSum(side, sign);
    return [{ sign, of: side, result: at === last }];
  });
}

function cutSum(sum: Extract<Formula, { is: 'sum' }>, before: string): Piece[] {
  return sum.terms.map((term, at) => {
    const first: Formula = { is: 'sum', terms: [term] };
    if (at === 0) return { sign: before, of: first, result: false };
    return { sign: term.sign < 0 ? '−' : '+', of: term.of, result: false };
  });
}

interface PartProps {
  of: Formula;
  hidden: Hidden;
  /** Whether the last number of an equation is printed strong. */
  result?: boolean;
}

function Part({ of, hidden, result = false }: PartProps): JSX.Element {
  const part = (formula: Formula) => <Part of={formula} hidden={hidden} />;
  switch (of.is) {
    case 'name':
      return isHidden(of.stage, hidden) ? <Blank /> : <Symbol text={of.text} />;
    case 'number':
      return isHidden(of.stage, hidden) ? <Blank /> : <Printed of={of} strong={result} />;
    case 'ratio':
      return isHidden(of.stage, hidden) ? <Blank /> : <Fraction top={of.top} bottom={of.bottom} />;
    case 'log':
      return <Logarithm of={of} part={part} />;
    case 'call':
      return (
        <mrow>
          <mi>{of.name}</mi>
          {grouped(of.of, part)}
        </mrow>
      );
    case 'parentheses':
      return grouped(of.of, part);
    case 'root':
      return <msqrt>{part(of.of.is === 'parentheses' ? of.of.of : of.of)}</msqrt>;
    case 'power': {
      const simple = of.of.is === 'name' || of.of.is === 'number' || of.of.is === 'parentheses';
      return (
        <msup>
          {simple ? part(of.of) : grouped(of.of, part)}
          {of.to ? part(of.to) : <mn>2</mn>}
        </msup>
      );
    }
    case 'product':
      return <mrow>{joined(of.factors.map(part), of.wide ? '×' : '·')}</mrow>;
    case 'quotient':
      return (
        <mrow>
          {part(of.top)}
          <mo>/</mo>
          {part(of.bottom)}
        </mrow>
      );
    case 'sum':
      return <mrow>{of.terms.map((term, at) => signed(term.sign, at, part(term.of)))}</mrow>;
    case 'equation':
      return (
        <mrow>{of.sides.flatMap((side, at) => (at ? [<mo>{of.signs[at - 1]}</mo>, part(side)] : [part(side)]))}</mrow>
      );
  }
}

interface LogarithmProps {
  of: Extract<Formula, { is: 'log' }>;
  part: (formula: Formula) => JSX.Element;
}

/** A fraction needs no parentheses. */
function Logarithm({ of, part }: LogarithmProps) {
  const name = (
    <msub>
      <mi>log</mi>
      <mn>{of.base}</mn>
    </msub>
  );
  return (
    <mrow>
      {of.base === 'e' ? <mi>ln</mi> : name}
      {of.of.is === 'ratio' && <mspace width="0.14em" />}
      {of.of.is === 'ratio' ? part(of.of) : grouped(of.of, part)}
    </mrow>
  );
}

function Symbol({ text }: { text: string }) {
  const shown = showName(text);
  return [...shown].length === 1 ? <mi>{shown}</mi> : <mtext>{shown}</mtext>;
}

function Printed({ of, strong }: { of: Extract<Formula, { is: 'number' }>; strong: boolean }) {
  const number = <mn class={strong ? 'result' : undefined}>{of.text.replace(/^-/, '−')}</mn>;
  return of.differs ? (
    <msup>
      {number}
      <mo>†</mo>
    </msup>
  ) : (
    number
  );
}

function Fraction({ top, bottom }: { top: string; bottom: string }) {
  return (
    <mfrac>
      <mn>{top}</mn>
      <mn>{bottom}</mn>
    </mfrac>
  );
}

const Blank = () => <mtext class="blank">?</mtext>;

function grouped(formula: Formula, part: (formula: Formula) => JSX.Element): JSX.Element {
  return (
    <mrow>
      <mo>(</mo>
      {part(formula.is === 'parentheses' ? formula.of : formula)}
      <mo>)</mo>
    </mrow>
  );
}

function joined(parts: JSX.Element[], sign: string): ComponentChildren[] {
  return parts.flatMap((part, at) => (at ? [<mo>{sign}</mo>, part] : [part]));
}

function signed(sign: 1 | -1, at: number, part: JSX.Element): ComponentChildren[] {
  if (sign > 0 && at === 0) return [part];
  return [<mo>{sign < 0 ? '−' : '+'}</mo>, part];
}

const isHidden = (stage: Stage | undefined, hidden: Hidden): boolean => stage !== undefined && hidden.has(stage);

/** What the printed operands give where that is not the printed result: the footnote of †. */
function findDifferences(formula: Formula, hidden: Hidden): string[] {
  if (formula.is !== 'number') return innerParts(formula).flatMap((inner) => findDifferences(inner, hidden));
  return formula.differs && !isHidden(formula.stage, hidden) ? [formula.differs] : [];
}

function innerParts(formula: Formula): Formula[] {
  switch (formula.is) {
    case 'equation':
      return formula.sides;
    case 'sum':
      return formula.terms.map((term) => term.of);
    case 'product':
      return formula.factors;
    case 'quotient':
      return [formula.top, formula.bottom];
    case 'power':
      return formula.to ? [formula.of, formula.to] : [formula.of];
    case 'log':
    case 'root':
    case 'call':
    case 'parentheses':
      return [formula.of];
    default:
      return [];
  }
}
