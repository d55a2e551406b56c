/** The frame of the workbench: header, the screen that is open, what is running, what went wrong. */
import type { ComponentType } from 'preact';
import { LiveRegion } from '../ui/live';
import { Hatches } from '../ui/marks';
import { words } from '../texts/workbench';
import { BusyBar } from './BusyBar';
import { CompareScreen } from './compare/CompareScreen';
import { DataScreen } from './data/DataScreen';
import { ExportScreen } from './export/ExportScreen';
import { FailurePanel } from './FailurePanel';
import { GrowScreen } from './grow/GrowScreen';
import { Header } from './Header';
import { ParameterPanel } from './learner/ParameterForm';
import { screen, target, type Screen } from './state';
import { UseScreen } from './use/UseScreen';
import './workbench.css';
import './screens.css';

const VIEWS: Record<Screen, ComponentType> = {
  data: DataScreen,
  grow: GrowScreen,
  compare: CompareScreen,
  use: UseScreen,
  export: ExportScreen,
};

export function App() {
  const View = screen.value === 'data' || target.value !== null ? VIEWS[screen.value] : NoTarget;
  return (
    <div class={`app on-${screen.value}`}>
      <Hatches />
      <LiveRegion />
      <Header />
      {target.value !== null && <ParameterPanel />}
      <BusyBar />
      <FailurePanel />
      <main id="screen" tabIndex={-1}>
        <View />
      </main>
    </div>
  );
}

/** Every screen but Data needs a target. */
function NoTarget() {
  return (
    <section class="screen">
      <h2>{words.noTarget.title}</h2>
      <p>{words.noTarget.words}</p>
      <p class="acts">
        <button class="primary" onClick={() => (screen.value = 'data')}>
          {words.noTarget.action}
        </button>
      </p>
    </section>
  );
}
