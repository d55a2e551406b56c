/** The models that can predict: the tree of the Grow screen, and the learner of the setup, trained on all rows. */
import { computed, signal } from '@preact/signals';
import type { Fitted, Spec } from '../../contract';
import { words } from '../../texts/workbench';
import { engine, grown, spec } from '../state';
import { run } from '../tasks';

export type ModelChoice = 'grown' | 'fitted';

const wanted = signal<ModelChoice>('grown');
const fits = signal<{ spec: Spec; fitted: Fitted } | null>(null);

/** A tree that is only a root predicts nothing of interest, so it is not offered. */
export const grownModel = computed(() => {
  const tree = grown.value;
  return tree && tree.nodes.length > 1 && sameSpec(tree.spec, spec.value) ? tree : null;
});
export const choice = computed<ModelChoice>(() => (grownModel.value ? wanted.value : 'fitted'));
export const fitted = computed(() => (fits.value && sameSpec(fits.value.spec, spec.value) ? fits.value.fitted : null));

/** The id of the model that predicts, null while it is trained. */
export const modelId = computed(() => (choice.value === 'grown' ? grownModel.value?.id : fitted.value?.id) ?? null);

export function chooseModel(next: ModelChoice): void {
  wanted.value = next;
}

/** Train the learner of the setup, unless that has been done. */
export async function fitModel(): Promise<Fitted | null> {
  const core = engine.value;
  const asked = spec.value;
  if (fitted.value || !core || !asked) return fitted.value;
  const found = await run(words.busy.fit, (on) => core.fit(asked, on));
  if (found) fits.value = { spec: asked, fitted: found };
  return found ?? null;
}

function sameSpec(one: Spec, other: Spec | null): boolean {
  return other !== null && JSON.stringify(one) === JSON.stringify(other);
}
