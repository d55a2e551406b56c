/** Numbers as people read them: thousands with commas, a real minus sign, no digit without meaning. */
import type { Num } from '../contract';
import { rounded } from './rounding';

const MINUS = '\u2212';

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A decimal of JavaScript with separators: "-12345.6" to "−12,345.6". */
function decorate(decimal: string): string {
  const [, sign, whole, rest] = /^(-?)(\d+)(.*)$/.exec(decimal) ?? ['', '', decimal, ''];
  return (sign ? MINUS : '') + groupThousands(whole!) + rest!.replace('e-', `e${MINUS}`);
}

/** The shortest decimal that is this number. */
export function formatNumber(x: Num, decimals?: number): string {
  const value = Number(x === 'inf' ? Infinity : x === '-inf' ? -Infinity : x);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '?' : value > 0 ? '∞' : `${MINUS}∞`;
  const short = decimals === undefined ? value : Number(value.toFixed(Math.min(decimals, 20)));
  return decorate(String(short === 0 ? 0 : short));
}

/** A fixed number of decimals, rounded as the package does. */
export function formatFixed(x: number, digits = 3): string {
  return rounded(x, digits);
}

/** Rows, or the weight of rows: at most two decimals. */
export function formatCount(x: number): string {
  return formatNumber(x, 2);
}

/** Four significant digits; digits before the point are never dropped. */
export function formatMean(x: number): string {
  if (!Number.isFinite(x)) return formatNumber(x);
  const digits = Math.abs(x) >= 1000 ? 0 : Math.max(0, 3 - Math.floor(Math.log10(Math.abs(x) || 1)));
  return formatNumber(x, digits);
}

/** No decimals below 200 rows, one from 200 on; 0% and 100% only where they are exact. */
export function formatPercent(part: number, whole: number): string {
  if (!(whole > 0)) return '0%';
  const digits = whole >= 200 ? 1 : 0;
  const smallest = 10 ** -digits;
  const percent = (100 * part) / whole;
  const inside = part > 0 && part < whole;
  const bounded = inside ? Math.min(Math.max(percent, smallest), 100 - smallest) : percent;
  return `${bounded.toFixed(digits).replace(/^100\.0$/, '100')}%`.replace(/^0\.0%$/, '0%');
}

/** A count on a badge: 940, 1.7k, 25k. */
export function formatShort(x: number): string {
  if (x < 1000) return String(x);
  return `${(x / 1000).toFixed(x < 10_000 ? 1 : 0)}k`;
}

/** The number that was typed: a comma may stand for the point. NaN where it is none. */
export function parseNumber(text: string): number {
  const clean = text.trim().replace(MINUS, '-').replace(',', '.');
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(clean) ? Number(clean) : NaN;
}
