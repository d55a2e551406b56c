/** The parameters of the learner: each with its range, its default and one sentence on what it does. */
import { signal } from '@preact/signals';
import type { Algorithm } from '../../contract';
import { fillText } from '../../texts/say';
import { words } from '../../texts/workbench';
import { changeParameter } from '../actions';
import { isNumeric, setup } from '../state';
import { LEARNERS, parametersInUse, type Parameter, type Value } from './learners';

export const parametersOpen = signal(false);

export function ParameterPanel() {
  if (!parametersOpen.value) return null;
  const algorithm = setup.value.algorithm;
  return (
    <section class="parameters" aria-label={words.parameters.title}>
      <div class="line">
        <h2>{fillText(words.parameters.of, { name: LEARNERS[algorithm].name })}</h2>
        <button onClick={() => (parametersOpen.value = false)}>{words.close}</button>
      </div>
      <ParameterFields algorithm={algorithm} />
    </section>
  );
}

function ParameterFields({ algorithm }: { algorithm: Algorithm }) {
  const parameters = parametersInUse(
    algorithm,
    isNumeric.value ? 'regression' : 'classification',
    setup.value.params[algorithm] ?? {},
  );
  if (parameters.length === 0) return <p class="note">{words.parameters.none}</p>;
  return (
    <div class="fields">
      {parameters.map((parameter) => (
        <Field key={`${algorithm} ${parameter.name}`} algorithm={algorithm} parameter={parameter} />
      ))}
    </div>
  );
}

function Field({ algorithm, parameter }: { algorithm: Algorithm; parameter: Parameter }) {
  const given = setup.value.params[algorithm]?.[parameter.name];
  const said = words.parameters.known[parameter.name as keyof typeof words.parameters.known];
  const id = `parameter-${parameter.name}`;
  const set = (value: Value | undefined) => changeParameter(algorithm, parameter.name, value);
  return (
    <div class={`field ${given === undefined ? '' : 'changed'}`}>
      <label for={id}>{said?.name ?? parameter.name}</label>
      {parameter.kind === 'choice' ? (
        <ChoiceInput id={id} parameter={parameter} given={given} onChange={set} />
      ) : (
        <NumberInput id={id} parameter={parameter} given={given} onChange={set} />
      )}
      <p id={`${id}-about`}>{said?.about ?? ''}</p>
    </div>
  );
}

interface InputProps {
  id: string;
  parameter: Parameter;
  given: Value | undefined;
  onChange: (value: Value | undefined) => void;
}

/** In Python these choices are None. */
const NOTHING = ['none', 'all'];

function ChoiceInput({ id, parameter, given, onChange }: InputProps) {
  const choices = parameter.choices ?? [];
  const shown =
    given === undefined ? parameter.standard : given === null ? choices.find((key) => NOTHING.includes(key)) : given;
  const choose = (key: string) => onChange(key === parameter.standard ? undefined : NOTHING.includes(key) ? null : key);
  return (
    <select
      id={id}
      aria-describedby={`${id}-about`}
      value={String(shown)}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {choices.map((key) => (
        <option key={key} value={key}>
          {words.parameters.choices[key as keyof typeof words.parameters.choices] ?? key}
        </option>
      ))}
    </select>
  );
}

/** These are chosen from the table where nothing is given. */
const AUTOMATIC = ['ccp_alpha', 'min_samples_leaf'];

function NumberInput({ id, parameter, given, onChange }: InputProps) {
  const unset = AUTOMATIC.includes(parameter.name) ? words.parameters.automatic : words.parameters.noLimit;
  const standard = parameter.standard === null ? unset : String(parameter.standard);
  const read = (input: HTMLInputElement) => {
    if (!input.validity.valid) return input.reportValidity();
    const value = input.value === '' ? undefined : Number(input.value);
    return onChange(value === parameter.standard ? undefined : value);
  };
  return (
    <input
      id={id}
      type="number"
      aria-describedby={`${id}-about`}
      min={parameter.min}
      max={parameter.max}
      step={parameter.kind === 'whole' ? 1 : 'any'}
      placeholder={standard}
      value={given === undefined || given === null ? '' : String(given)}
      onChange={(event) => read(event.currentTarget)}
    />
  );
}
