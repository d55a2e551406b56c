/** The header: the table, what is predicted, the learner, the screens, undo and the theme. */
import type { Algorithm } from '../contract';
import { fillText } from '../texts/say';
import { words } from '../texts/workbench';
import { showName } from '../ui/names';
import { formatCount as count } from '../ui/numbers';
import { ThemeSwitch } from '../ui/theme';
import { chooseAlgorithm, openSource, undo } from './actions';
import { past } from './history';
import { GROWING, LEARNERS, learnersOf } from './learner/learners';
import { parametersOpen } from './learner/ParameterForm';
import { Logo } from './Logo';
import { SCREENS, isNumeric, screen, setup, sources, table, target } from './state';

export function Header() {
  return (
    <header class="top">
      <h1>
        <Logo />
        <span>treewright</span>
      </h1>
      <TableChooser />
      {target.value !== null && (
        <p class="predicts">
          {words.header.predicts} <b>{showName(target.value)}</b>
        </p>
      )}
      {target.value !== null && <LearnerChooser />}
      {target.value !== null && <ParameterButton />}
      <Navigation />
      <UndoButton />
      <ThemeSwitch />
    </header>
  );
}

function TableChooser() {
  const current = setup.value.source;
  const at = current ? sources.value.indexOf(current) : -1;
  const choose = (value: string) => {
    const source = sources.value[Number(value)];
    if (source) void openSource(source);
  };
  return (
    <select
      class="table-chooser"
      aria-label={words.header.table}
      value={String(at)}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {at < 0 && <option value="-1">{words.header.noTable}</option>}
      {sources.value.map((source, index) => (
        <option key={index} value={String(index)}>
          {showName(source.name)}
          {index === at && table.value ? ` · ${fillText(words.rows, { n: count(table.value.rows) })}` : ''}
        </option>
      ))}
    </select>
  );
}

function LearnerChooser() {
  const able = learnersOf(isNumeric.value ? 'regression' : 'classification');
  const grows = able.filter((name) => GROWING.includes(name));
  const others = able.filter((name) => !GROWING.includes(name));
  const option = (name: Algorithm) => (
    <option key={name} value={name}>
      {LEARNERS[name].name}
    </option>
  );
  return (
    <select
      class="learner-chooser"
      aria-label={words.header.learner}
      value={setup.value.algorithm}
      onChange={(event) => chooseAlgorithm(event.currentTarget.value as Algorithm)}
    >
      <optgroup label={words.header.oneTree}>{grows.map(option)}</optgroup>
      <optgroup label={words.header.others}>{others.map(option)}</optgroup>
    </select>
  );
}

/** Opens the parameters of the algorithm; a dot says that some are not the defaults. */
function ParameterButton() {
  const changed = Object.keys(setup.value.params[setup.value.algorithm] ?? {}).length;
  const label = changed ? fillText(words.header.changed, { n: changed }) : words.header.parameters;
  return (
    <button
      class={`gear ${changed ? 'changed' : ''}`}
      title={label}
      aria-label={label}
      aria-expanded={parametersOpen.value}
      onClick={() => (parametersOpen.value = !parametersOpen.value)}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d="M2 4.5h7M13 4.5h1M2 11.5h1M7 11.5h7" fill="none" stroke="currentColor" stroke-width="1.6" />
        <circle cx="11" cy="4.5" r="2" fill="none" stroke="currentColor" stroke-width="1.6" />
        <circle cx="5" cy="11.5" r="2" fill="none" stroke="currentColor" stroke-width="1.6" />
      </svg>
    </button>
  );
}

function Navigation() {
  return (
    <nav aria-label={words.header.screens}>
      {SCREENS.map((name, index) => (
        <button
          key={name}
          aria-current={screen.value === name ? 'page' : undefined}
          aria-keyshortcuts={`Alt+${index + 1}`}
          onClick={() => (screen.value = name)}
        >
          {words.screens[name]}
        </button>
      ))}
    </nav>
  );
}

/** Takes back the last decision about the table or the learner; the steps of a tree have their own in the Grow screen. */
function UndoButton() {
  const last = past.value.at(-1);
  const label = last ? fillText(words.header.undo, { what: last.words }) : words.header.nothingToUndo;
  return (
    <button class="undo" disabled={!last} title={label} aria-label={label} onClick={() => void undo()}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path
          d="M6.5 3 3 6.5 6.5 10M3.4 6.5H9a3.6 3.6 0 0 1 0 7.2H6"
          fill="none"
          stroke="currentColor"
          stroke-width="1.6"
        />
      </svg>
    </button>
  );
}
