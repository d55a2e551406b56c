/** Names from data: any text can be one. */

// Control characters, and characters that turn the direction of the text around them.
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** A name as it is shown: what cannot be seen has a visible sign in its place. */
export function showName(name: string): string {
  return name === '' ? '(empty)' : name.replace(INVISIBLE, '\u25a1');
}

/** At most so many characters, the last one "…" where something was left out. */
export function clipText(text: string, length: number): string {
  if (text.length <= length) return text;
  const letters = Array.from(text);
  return letters.length > length ? `${letters.slice(0, length - 1).join('')}…` : text;
}
