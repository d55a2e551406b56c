/** The Export screen: the model and the tree as files, sheets for a class, and the commands that reproduce it. */
import { useEffect } from 'preact/hooks';
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import { Segmented } from '../../ui/controls';
import { Code } from '../Code';
import { copyText, download } from '../download';
import { LEARNERS } from '../learner/learners';
import { isNumeric, setup, spec, table } from '../state';
import { chooseModel, choice, fitModel, grownModel, modelId } from '../use/models';
import { asGrown, fitCommand, isByHand, pythonCode, withTask } from './commands';
import { FILES, type ExportFile } from './files';

export function ExportScreen() {
  const needsFit = choice.value === 'fitted' && modelId.value === null;
  useEffect(() => {
    if (needsFit) void fitModel();
  }, [needsFit, spec.value]);
  const name = LEARNERS[setup.value.algorithm].name;
  const choices = [
    ['grown', fillText(words.use.grown, { name })],
    ['fitted', fillText(words.use.fitted, { name })],
  ] as const;
  return (
    <section class="screen">
      <h2>{words.export.title}</h2>
      {grownModel.value && (
        <Segmented label={words.use.model} choices={choices} value={choice.value} onChange={chooseModel} />
      )}
      <Reproduce />
      <h3>{words.export.files}</h3>
      <ul class="files">
        {FILES.map((file) => (
          <FileRow key={file.key} file={file} />
        ))}
      </ul>
      <h3>{words.export.link}</h3>
      <p class="lead">{words.export.linkLead}</p>
      <p class="acts">
        <button onClick={() => void copyText(location.href)}>{words.export.copyLink}</button>
      </p>
    </section>
  );
}

function Reproduce() {
  const task = isNumeric.value ? 'regression' : 'classification';
  const tree = grownModel.value;
  const byHand = choice.value === 'grown' && tree && isByHand(tree) ? tree : null;
  const open = table.value;
  if (!open) return null;
  const asked = withTask(setup.value, open);
  const shown = choice.value === 'grown' && tree ? asGrown(asked, tree) : asked;
  const command = fitCommand(shown, task, 'model.tree');
  const code = pythonCode(byHand ? setup.value : shown, task, byHand);
  return (
    <>
      <h3>{words.export.reproduce}</h3>
      {byHand ? <p class="lead">{words.export.byHand}</p> : <Code label={words.export.command} text={command} />}
      <Code label={words.export.python} text={code} />
    </>
  );
}

function FileRow({ file }: { file: ExportFile }) {
  const obstacle = file.obstacle();
  const save = async () => {
    const made = await file.make();
    if (made) download(made.name, made.content, made.type);
  };
  const said = words.export.kinds[file.key];
  return (
    <li>
      <div>
        <b>{said.name}</b>
        <span>{obstacle ?? said.about}</span>
      </div>
      <button
        disabled={obstacle !== null}
        aria-label={fillText(words.export.downloadOf, { what: said.name })}
        onClick={() => void save()}
      >
        {words.export.download}
      </button>
    </li>
  );
}
