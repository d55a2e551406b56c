/** The rule by which printed numbers are rounded, the same as in the package: halves go up, no negative zero. */

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
