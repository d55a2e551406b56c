/** The Compare screen: several learners on the same folds, beside the baseline. */
import { computed, effect, signal } from '@preact/signals';
import type { Algorithm, Comparison } from '../../contract';
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import { LEARNERS, learnersOf } from '../learner/learners';
import { Code } from '../Code';
import { compareCommand, withTask } from '../export/commands';
import { engine, isNumeric, setup, table } from '../state';
import { busy, run } from '../tasks';
import { DotPlot } from './DotPlot';
import { Verdict } from './Verdict';

/** Always included: a learner that does not beat them has learned nothing. */
const BASELINES: Algorithm[] = ['zero-r', 'one-r'];
const FIRST: Algorithm[] = ['id3', 'c45', 'cart', 'forest', 'knn'];

const chosen = signal<ReadonlySet<Algorithm>>(new Set(FIRST));
const folds = signal(10);
const result = signal<Comparison | null>(null);
const able = computed(() => learnersOf(isNumeric.value ? 'regression' : 'classification'));

// A result of another table, or of other parameters, would be misread.
const params = computed(() => setup.value.params);
effect(() => {
  void table.value;
  void params.value;
  result.value = null;
});

export function CompareScreen() {
  return (
    <section class="screen">
      <h2>{words.compare.title}</h2>
      <p class="lead">{words.compare.lead}</p>
      <LearnerChoice />
      <div class="line">
        <label class="inline">
          <span>{words.compare.folds}</span>
          <input
            type="number"
            min={2}
            max={mostFolds()}
            value={String(Math.min(folds.value, mostFolds()))}
            onChange={(event) => setFolds(event.currentTarget)}
          />
        </label>
        <button class="primary" disabled={busy.value !== null} onClick={() => void compare()}>
          {words.compare.run}
        </button>
      </div>
      {result.value && <Outcome comparison={result.value} />}
    </section>
  );
}

function LearnerChoice() {
  const toggle = (name: Algorithm) => {
    const next = new Set(chosen.value);
    if (!next.delete(name)) next.add(name);
    chosen.value = next;
  };
  return (
    <fieldset class="checks">
      <legend>{words.compare.learners}</legend>
      {able.value.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={BASELINES.includes(name) || chosen.value.has(name)}
            disabled={BASELINES.includes(name)}
            onChange={() => toggle(name)}
          />
          {LEARNERS[name].name}
          {BASELINES.includes(name) && <span>{words.compare.baseline}</span>}
        </label>
      ))}
    </fieldset>
  );
}

function Outcome({ comparison }: { comparison: Comparison }) {
  return (
    <div aria-live="polite">
      <h3>
        {isNumeric.value ? words.compare.squared : words.compare.errors}{' '}
        <small>{fillText(words.compare.how, { n: comparison.folds })}</small>
      </h3>
      <Verdict comparison={comparison} />
      <DotPlot comparison={comparison} />
      <p class="note">{words.compare.caveat}</p>
      {Object.values(params.value).every((own) => Object.keys(own).length === 0) && (
        <Code
          label={words.export.command}
          text={compareCommand(
            withTask(setup.value, table.value!),
            comparison.results.map((each) => each.spec.algorithm),
            comparison.folds,
          )}
        />
      )}
    </div>
  );
}

function mostFolds(): number {
  return Math.max(2, Math.min(100, table.value?.rows ?? 10));
}

function setFolds(input: HTMLInputElement): void {
  if (input.validity.valid && input.value !== '') folds.value = Number(input.value);
  else input.reportValidity();
}

async function compare(): Promise<void> {
  const core = engine.value;
  const open = table.value;
  if (!core || !open) return;
  const specs = able.value
    .filter((name) => BASELINES.includes(name) || chosen.value.has(name))
    .map((name) => ({ table: open.id, algorithm: name, params: setup.value.params[name] ?? {} }));
  const found = await run(words.busy.compare, (on) => core.compare(specs, Math.min(folds.value, mostFolds()), on));
  if (found && table.value === open) result.value = found;
}
