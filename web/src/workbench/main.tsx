/** The page of the workbench: the engine, the tables in the page, the address; then the frame. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import { startEngine, takeToken } from './start_engine';
import { openSource } from './actions';
import { App } from './App';
import { listenToKeys } from './keys';
import { followLink, writeLink } from './link';
import { readStart } from './start';
import { engine, failure, mode, screen, sources, target, titles } from './state';
import { describeFailure } from './tasks';
import '../ui/style.css';
import './workbench.css';

async function begin(): Promise<void> {
  const root = document.getElementById('app')!;
  const hash = takeToken(location.hash);
  const start = await readStart();
  sources.value = start.sources;
  titles.value = start.titles;
  mode.value = start.mode;
  render(<App />, root);
  listenToKeys();
  const { core, held } = await startEngine(start.engine);
  engine.value = core;
  const first = held ?? start.first;
  if (first && (await openSource(first, start.algorithm)) && target.value !== null) screen.value = 'grow';
  if (hash.length > 1) await followLink(hash);
  keepLink();
  root.dataset['ready'] = 'true';
}

/** The address follows the state; an address that the user enters is followed. */
function keepLink(): void {
  effect(() => {
    const link = writeLink();
    if (link !== location.hash) history.replaceState(null, '', link);
  });
  window.addEventListener('hashchange', () => {
    if (location.hash !== writeLink()) void followLink(location.hash);
  });
}

begin().catch((error: unknown) => {
  failure.value = describeFailure(error);
});
