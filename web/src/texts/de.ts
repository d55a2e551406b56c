/** The shared parts of the pages in German; the workbench itself is in English. */
import { en } from './en';
import type { Texts } from './index';

export const de: Texts = {
  ...en,
  ui: {
    theme: 'Hell oder dunkel',
    formula: 'Formel',
  },
  impurity: {
    entropy: 'Entropie',
    gini: 'Gini-Index',
    variance: 'Varianz',
  },
  tree: {
    ...en.tree,
    allRows: 'alle Zeilen',
    missing: 'fehlt',
    known: 'fehlt nicht',
    isMissing: 'fehlt',
    isKnown: 'fehlt nicht',
    open: 'was fragen?',
    noRows: 'keine Zeilen',
    noRowsMajority: 'keine Zeilen: wie darüber',
    rows: '{n} {n?Zeile|Zeilen}',
    nodes: '{n} Knoten',
    leaves: '{n} {n?Blatt|Blätter}',
    depth: 'Tiefe {n}',
    drawn: '{n} gezeichnet',
    more: '+ {n} weitere · {rows} Zeilen',
    nodeTitle: 'Knoten {id}: {condition}; {n} {n?Zeile|Zeilen}: {counts}',
  },
};
