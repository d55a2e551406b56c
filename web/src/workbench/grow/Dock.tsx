/** Below the tree: the rows of the node, a case to try, pruning; on a phone the calculation too. */
import { t } from '../../texts';
import { pathTo } from '../../tree/model';
import { TabPanel, Tabs } from '../../ui/controls';
import { CaseTab } from './dock/CaseTab';
import { PruneTab } from './dock/PruneTab';
import { RowsTab } from './dock/RowsTab';
import * as s from './state';

const TABS: readonly s.DockTab[] = ['work', 'rows', 'case', 'prune'];

export function Dock() {
  const choices = TABS.map((name) => [name, t.grow.tabs[name]] as const);
  const choose = (name: s.DockTab) => {
    s.chooseTab(name);
    // The case lights up its own path; elsewhere it is that of the selected node.
    if (name !== 'case') s.view.path.value = new Set(pathTo(s.model.value, s.view.selected.value));
  };
  return (
    <section class={`dock t-${s.tab.value}`} aria-label={t.grow.dock}>
      <Tabs name="dock" label={t.grow.dock} choices={choices} value={s.tab.value} onChange={choose} />
      <TabPanel name="dock" value={s.tab.value} class="pane">
        {s.tab.value === 'case' ? <CaseTab /> : s.tab.value === 'prune' ? <PruneTab /> : <RowsTab />}
      </TabPanel>
    </section>
  );
}
