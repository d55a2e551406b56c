/** The tree of a report, with the calculation of the selected node beside it. */
import { useState } from 'preact/hooks';
import { fillText, t } from '../texts';
import { Icicle } from '../tree/Icicle';
import { Outline } from '../tree/Outline';
import { TreePicture, TreeSum } from '../tree/TreePicture';
import { MOST_DRAWN } from '../tree/view';
import { Segmented } from '../ui/controls';
import { formatCount } from '../ui/numbers';
import { WorkPanel } from '../work/WorkPanel';
import { IncludedRows } from './IncludedRows';
import type { Picture, ReportState } from './state';

export function TreeSection({ state }: { state: ReportState }) {
  const { view } = state;
  const picture = state.picture.value ?? 'cards';
  const large = state.isLarge();
  return (
    <div class="tree-and-work">
      <div class="stage">
        <TreeTools state={state} />
        {picture === 'outline' ? (
          <>
            <Outline view={view} label={t.report.tree} onSelect={(id) => state.select(id)} />
            <TreeSum view={view} />
          </>
        ) : (
          <TreePicture view={view} form={picture} onSelect={(id) => state.select(id)} />
        )}
        {large && <Icicle view={view} />}
      </div>
      <div class="panel" role="region" aria-label={t.report.calculation} tabIndex={0}>
        <NodeCalculation state={state} />
        {state.doc.rows && state.doc.n_trees === 1 && <IncludedRows state={state} rows={state.doc.rows} />}
      </div>
    </div>
  );
}

function TreeTools({ state }: { state: ReportState }) {
  const pictures: [Picture, string][] = [
    ['cards', t.report.cards],
    ['list', t.report.list],
    ['outline', t.report.outline],
  ];
  return (
    <div class="tools">
      {(state.doc.shown ?? 1) > 1 && <TreeChoice state={state} />}
      <Segmented
        label={t.report.picture}
        choices={pictures}
        value={state.picture.value ?? 'cards'}
        onChange={(choice) => {
          state.picture.value = choice;
          state.view.fits.value++;
        }}
      />
      {state.isLarge() && (
        <button onClick={() => state.view.openLargest(MOST_DRAWN)}>{t.report.moreNodes}</button>
      )}
      {state.isLarge() && <GoTo state={state} />}
    </div>
  );
}

function TreeChoice({ state }: { state: ReportState }) {
  const n = formatCount(state.doc.n_trees);
  return (
    <select
      aria-label={fillText(t.report.whichTree, { n })}
      value={state.shown.value}
      onChange={(event) => state.showTree(Number((event.target as HTMLSelectElement).value))}
    >
      {state.models.slice(0, state.doc.shown).map((_, tree) => (
        <option value={tree}>{fillText(t.report.treeOf, { n: tree })}</option>
      ))}
    </select>
  );
}

/** A field for the number of a node. */
function GoTo({ state }: { state: ReportState }) {
  const [typed, setTyped] = useState('');
  const last = state.view.model.value.nodes.length - 1;
  const id = /^#?\d+$/.test(typed.trim()) ? Number(typed.trim().replace('#', '')) : NaN;
  const wrong = typed.trim() !== '' && !(id <= last);
  const go = (event: Event) => {
    event.preventDefault();
    if (id <= last) state.goTo(id);
  };
  return (
    <form class="go-to" onSubmit={go}>
      <input
        aria-label={t.report.goTo}
        placeholder="#17"
        value={typed}
        aria-invalid={wrong}
        title={wrong ? fillText(t.report.noSuchNode, { id: typed, last: formatCount(last) }) : t.report.goTo}
        onInput={(event) => setTyped((event.target as HTMLInputElement).value)}
      />
      <button disabled={!(id <= last)}>{t.report.goToButton}</button>
    </form>
  );
}

function NodeCalculation({ state }: { state: ReportState }) {
  const { view } = state;
  const work = state.work(view.selected.value);
  const place = work?.candidates.findIndex((c) => c.split.feature === view.node(view.selected.value)?.split?.feature);
  const taken = place === undefined || place < 0 ? (work?.chosen ?? null) : place;
  return (
    <WorkPanel
      view={view}
      work={work}
      choosesBy={state.doc.chooses_by ?? 'gain'}
      looked={state.looked.value ?? taken}
      onLook={(candidate) => {
        state.looked.value = candidate;
        state.threshold.value = null;
      }}
      onSelect={(id) => state.select(id)}
      threshold={state.threshold.value}
      onMove={(threshold) => (state.threshold.value = threshold)}
      noWork={t.report.noWork}
    />
  );
}
