/** The Use screen: try a case with a model, or predict the rows of a file. */
import { useEffect } from 'preact/hooks';
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import { Segmented } from '../../ui/controls';
import { LEARNERS } from '../learner/learners';
import { setup, spec, table } from '../state';
import { Batch } from './Batch';
import { CaseForm } from './CaseForm';
import { chooseModel, choice, fitModel, grownModel, modelId } from './models';

export function UseScreen() {
  const open = table.value;
  const name = LEARNERS[setup.value.algorithm].name;
  const needsFit = choice.value === 'fitted' && modelId.value === null;
  useEffect(() => {
    if (needsFit) void fitModel();
  }, [needsFit, spec.value]);
  if (!open) return null;
  const choices = [
    ['grown', fillText(words.use.grown, { name })],
    ['fitted', fillText(words.use.fitted, { name })],
  ] as const;
  return (
    <section class="screen">
      <h2>{words.use.title}</h2>
      {grownModel.value ? (
        <Segmented label={words.use.model} choices={choices} value={choice.value} onChange={chooseModel} />
      ) : (
        <p class="lead">{fillText(words.use.trained, { name, n: open.rows })}</p>
      )}
      {modelId.value !== null && <CaseForm table={open} model={modelId.value} />}
      {modelId.value !== null && <Batch table={open} model={modelId.value} />}
    </section>
  );
}
