/**
 * Where the user is, in the address: `#table=golf&algo=id3&mode=lesson&screen=grow&step=3&node=2&level=1`.
 * Settings only, never data: a table of the user is named, and found only where the page has it.
 */
import type { Algorithm } from '../contract';
import { chooseAlgorithm, openSource } from './actions';
import { GROWING } from './learner/learners';
import { MODES, SCREENS, mode, place, screen, setup, sources, table, type Mode, type Screen } from './state';

/** The address of the present state. */
export function writeLink(): string {
  const link = new URLSearchParams();
  const { source, algorithm } = setup.value;
  if (source) link.set('table', source.name);
  if (table.value) link.set('algo', algorithm);
  link.set('mode', mode.value);
  link.set('screen', screen.value);
  for (const [name, value] of Object.entries(place.value)) if (value !== null) link.set(name, String(value));
  return `#${link}`;
}

/** Go to where an address points; what it does not say stays, and what is unknown is not obeyed. */
export async function followLink(hash: string): Promise<void> {
  const link = new URLSearchParams(hash.replace(/^#/, ''));
  const source = sources.value.find((known) => known.name === link.get('table'));
  const algorithm = GROWING.find((name) => name === link.get('algo')) ?? null;
  if (source && source !== setup.value.source) await openSource(source, algorithm);
  else if (algorithm && table.value) chooseAlgorithm(algorithm as Algorithm);
  mode.value = oneOf(MODES, link.get('mode')) ?? mode.value;
  screen.value = (oneOf(SCREENS, link.get('screen')) as Screen | undefined) ?? screen.value;
  place.value = { step: whole(link, 'step'), node: whole(link, 'node'), level: whole(link, 'level') };
}

function oneOf<Word extends string>(words: readonly Word[], word: string | null): Word | undefined {
  return words.find((known) => known === word);
}

function whole(link: URLSearchParams, name: string): number | null {
  const text = link.get(name) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

export type { Mode };
