/**
 * A report. What is written in the file can be read without this script; the script puts the interactive parts in
 * their places. On paper the written form is printed.
 */
import { type ComponentChildren, render } from 'preact';
import { readEmbedded } from '../embedded';
import { t } from '../texts';
import { LiveRegion } from '../ui/live';
import { Hatches } from '../ui/marks';
import { ThemeSwitch } from '../ui/theme';
import '../ui/style.css';
import './report.css';
import type { ReportDoc } from './document';
import { PruneSection } from './PruneSection';
import { RulesSection } from './RulesSection';
import { ReportState } from './state';
import { TreeSection } from './TreeSection';
import { TrySection } from './TrySection';

/** Puts a part into its place in a section, whose written form is then for paper only. */
function mount(section: string, part: ComponentChildren): void {
  const place = document.querySelector<HTMLElement>(`[data-live="${section}"]`);
  if (!place) return;
  render(part, place);
  place.parentElement?.classList.add('replaced');
}

function mountAll(state: ReportState): void {
  const { doc } = state;
  mount('tree', <TreeSection state={state} />);
  mount('try', <TrySection state={state} />);
  if (doc.n_trees === 1) mount('rules', <RulesSection state={state} />);
  if (doc.curve && doc.curve.leaves.length > 1) mount('pruning', <PruneSection state={state} curve={doc.curve} />);
  // The calculation of every node is beside the tree.
  if (doc.work?.['0']) document.getElementById('calculation')?.classList.add('on-paper');
  const link = document.querySelector('a[href="#calculation"]');
  if (doc.work?.['0']) link?.setAttribute('href', '#tree');
  selectFromAddress(state);
  addEventListener('hashchange', () => selectFromAddress(state));
}

/** `#node=17` leads to a node. */
function selectFromAddress(state: ReportState): void {
  const node = Number(/^#node=(\d+)$/.exec(location.hash)?.[1] ?? NaN);
  if (!state.view.node(node)) return;
  state.goTo(node);
  document.getElementById('tree')?.scrollIntoView();
}

/** Tables that are wider than the page can be scrolled with the keyboard. */
function focusWideParts(): void {
  for (const part of document.querySelectorAll<HTMLElement>('.static .scroll, .static .formulas, .static pre, .static figure')) {
    if (part.scrollWidth <= part.clientWidth) continue;
    part.tabIndex = 0;
    part.setAttribute('role', 'group');
    part.setAttribute('aria-label', part.closest('section')?.querySelector('h2')?.textContent ?? t.report.tree);
  }
}

function addPageParts(): void {
  const parts = document.createElement('div');
  parts.className = 'page-parts';
  document.body.append(parts);
  const PageParts = () => (
    <>
      <Hatches />
      <LiveRegion />
      <ThemeSwitch />
    </>
  );
  render(<PageParts />, parts);
}

async function start(): Promise<void> {
  addPageParts();
  const doc = await readEmbedded<ReportDoc>('document');
  if (doc?.trees) mountAll(new ReportState(doc));
  focusWideParts();
  document.documentElement.dataset['ready'] = 'true';
}

void start();
