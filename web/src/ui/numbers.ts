/** Numbers as text, by the rules of the package: thousands separated, halves rounded up, no negative zero. */

/** Digits of a float that errors of rounding do not reach. */
const SIGNIFICANT = 13;

/**
 * A number with so many decimals, halves away from zero, or cut off. The float stands for the nearest decimal number of
 * 13 significant digits: 3.65 / 4 is 0.9125 and printed 0.913, even if the float is slightly below.
 */
export function rounded(value: number, digits: number, truncate = false): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : value < 0 ? '−∞' : '–';
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toExponential(SIGNIFICANT - 1).split('e');
  const shift = Number(exponent) - (SIGNIFICANT - 1) + digits;
  let units = BigInt(mantissa.replace('.', ''));
  if (shift >= 0) units *= 10n ** BigInt(shift);
  else {
    const power = 10n ** BigInt(-shift);
    units = (units + (truncate ? 0n : power / 2n)) / power;
  }
  const text = units.toString().padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits).replace(/\B(?=(\d{3})+$)/g, ',');
  const sign = value < 0 && units > 0n ? '−' : '';
  return sign + whole + (digits ? `.${text.slice(text.length - digits)}` : '');
}

/** A whole number, or a weight of rows with its decimals. */
export function count(value: number, digits = 2): string {
  return Math.abs(value - Math.round(value)) < 1e-9 ? rounded(value, 0) : rounded(value, digits);
}

/** A percentage: no decimals below 200 rows; 0% and 100% only where exact. */
export function percent(share: number, rows: number): string {
  const digits = rows < 200 ? 0 : 1;
  const text = rounded(100 * share, digits);
  const least = digits ? '0.1%' : '1%';
  const most = digits ? '99.9%' : '99%';
  if (Number(text) === 0 && share > 1e-12) return `<${least}`;
  if (Number(text) === 100 && share < 1 - 1e-12) return `>${most}`;
  return share <= 1e-12 ? '0%' : share >= 1 - 1e-12 ? '100%' : `${text}%`;
}

/** A number of its own unit (a mean, a value of a column): so many significant digits, zeros at the end dropped. */
export function significant(value: number, digits = 4): string {
  if (value === 0 || !Number.isFinite(value)) return rounded(value, 0);
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value))));
  const text = rounded(value, Math.min(decimals, 15));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
