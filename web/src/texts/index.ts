/** The sentences of the page in the language that it shows: `t.tree.root`, `fillText(t.tree.nodes, { n })`. */
import { en } from './en';

export type Texts = typeof en;

export let t: Texts = en;

/** Call it before the first render: a page has one language. */
export function useTexts(texts: Texts): void {
  t = texts;
}

export { fillParts, fillText } from './say';
