/** The Grow screen: the tree, the calculation of the selected node, its rows, cases and pruning. */
import { useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { fillText, t } from '../../texts';
import { GROWING, LEARNERS } from '../learner/learners';
import { chooseAlgorithm } from '../actions';
import { isNumeric, mode, setup } from '../state';
import { Dock } from './Dock';
import { followSetup, followSelection, listenToKeys } from './follow';
import { Stage } from './Stage';
import * as s from './state';
import { WorkSide } from './WorkSide';
import './grow.css';

export function GrowScreen() {
  useSignalEffect(followSetup);
  useSignalEffect(followSelection);
  useEffect(listenToKeys, []);
  if (!LEARNERS[setup.value.algorithm].grows) return <OtherLearner />;
  if (!s.heading.value) return <section class="grow-waiting" aria-busy="true" />;
  return (
    <div class={`grow ${mode.value} ${s.isLarge.value ? 'large' : ''}`}>
      <Stage />
      <section class={`panel t-${s.tab.value}`} aria-label={t.grow.workOf} tabIndex={0}>
        <WorkSide />
      </section>
      <Dock />
    </div>
  );
}

/** Not every learner makes one tree. */
function OtherLearner() {
  const name = LEARNERS[setup.value.algorithm].name;
  const able = GROWING.filter((algorithm) => !isNumeric.value || LEARNERS[algorithm].regressor);
  return (
    <section class="screen">
      <h2>{fillText(t.grow.other.title, { name })}</h2>
      <p>{t.grow.other.words}</p>
      <p class="acts">
        {able.map((algorithm) => (
          <button key={algorithm} onClick={() => chooseAlgorithm(algorithm)}>
            {LEARNERS[algorithm].name}
          </button>
        ))}
      </p>
    </section>
  );
}
