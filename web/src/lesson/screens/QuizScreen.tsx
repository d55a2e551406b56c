/** Screen 12: the quiz. A wrong number shows the formula, never the number; the key comes at the end. */
import { useState } from 'preact/hooks';
import { featureName, lesson, nodeOf } from '../document';
import { FormulaLines } from '../FormulaView';
import { groupWords, nodeWords } from '../parts';
import { answer, answers, countVerdicts, judge, keyShown, rounds, startAgain, type Verdict } from '../quiz';
import { RowsTable } from '../RowsTable';
import { Say } from '../Sentences';
import { say } from '../settings';
import type { Blank, QuizScreen as Steps, Stage } from '../steps';

export function QuizScreen({ screen, step }: { screen: Steps; step: number }) {
  const nodes = quizNodes(screen);
  const node = nodes[Math.min(step, nodes.length - 1)] ?? 0;
  const blanks = screen.blanks.filter((blank) => blank.node === node);
  return (
    <>
      <Score blanks={screen.blanks} />
      {lesson().settings.quiz && !keyShown.value && <p class="note">{say('quiz.chapters')}</p>}
      <QuizNode key={node} node={node} blanks={blanks} />
      <p class="acts">
        <button onClick={() => (keyShown.value = true)} disabled={keyShown.value}>
          {say('quiz.show key')}
        </button>
        <button onClick={startAgain}>{say('quiz.again')}</button>
      </p>
    </>
  );
}

/** The nodes that the quiz asks about, one on a page. */
export function quizNodes(screen: Steps): number[] {
  return [...new Set(screen.blanks.map((blank) => blank.node))];
}

export function QuizNode({ node, blanks }: { node: number; blanks: Blank[] }) {
  return (
    <section class="card-block quiz-node">
      <h3>
        #{node} <bdi>{nodeWords(node)}</bdi> <small>{groupWords(nodeOf(node).group)}</small>
      </h3>
      <details>
        <summary>{say('quiz.rows')}</summary>
        <RowsTable rows={nodeOf(node).rows} />
      </details>
      <ol class="blanks">
        {blanks.map((blank) => (
          <BlankItem key={`${blank.id} ${rounds.value}`} blank={blank} />
        ))}
      </ol>
    </section>
  );
}

function Score({ blanks }: { blanks: Blank[] }) {
  const counts = countVerdicts(blanks);
  return (
    <p class="score" role="status">
      <b>{say('quiz.score', { right: counts.right, all: blanks.length })}</b>
      {counts.wrong > 0 && <span> · {say('quiz.wrong', { wrong: counts.wrong })}</span>}
    </p>
  );
}

function BlankItem({ blank }: { blank: Blank }) {
  const typed = answers.value.get(blank.id);
  const verdict = judge(blank, typed);
  return (
    <li class={`blank-item ${verdict}`}>
      <label for={blank.id}>
        <Say sentence={blank.question} />
      </label>
      {Array.isArray(blank.expected) ? <ChoiceField blank={blank} /> : <NumberField blank={blank} />}
      <VerdictSign verdict={verdict} />
      {keyShown.value && <b class="key">{blank.text}</b>}
      {verdict === 'wrong' && !keyShown.value && <Hint blank={blank} />}
    </li>
  );
}

/** A number is judged when it is complete: at Enter, or when the field is left. */
function NumberField({ blank }: { blank: Blank }) {
  const [draft, setDraft] = useState(answers.value.get(blank.id) ?? '');
  const done = () => answer(blank.id, draft);
  return (
    <input
      id={blank.id}
      inputMode="decimal"
      autocomplete="off"
      placeholder="?"
      value={draft}
      disabled={keyShown.value}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onBlur={done}
      onKeyDown={(event) => event.key === 'Enter' && done()}
    />
  );
}

function ChoiceField({ blank }: { blank: Blank }) {
  const features = nodeOf(blank.node).candidates.map((candidate) => candidate.feature);
  return (
    <select
      id={blank.id}
      value={answers.value.get(blank.id) ?? ''}
      disabled={keyShown.value}
      onChange={(event) => answer(blank.id, event.currentTarget.value)}
    >
      <option value="">?</option>
      {[...features]
        .sort((a, b) => a - b)
        .map((feature) => (
          <option value={feature}>{featureName(feature)}</option>
        ))}
    </select>
  );
}

function VerdictSign({ verdict }: { verdict: Verdict }) {
  if (verdict === 'empty') return null;
  return (
    <b class="verdict">
      <span aria-hidden="true">{verdict === 'right' ? '✓' : '✗'}</span>
      <span class="vh">{say(verdict === 'right' ? 'quiz.is right' : 'quiz.is wrong')}</span>
    </b>
  );
}

/** How it is calculated, with the result left out. */
function Hint({ blank }: { blank: Blank }) {
  if (!blank.formula) return <p class="note">{say('quiz.choose again')}</p>;
  return <FormulaLines formulas={[blank.formula]} hidden={hiddenStages(blank)} />;
}

/** The result, and what other blanks of the same calculation ask for, until they are right. */
function hiddenStages(blank: Blank): Set<Stage> {
  const quiz = lesson().screens.find((screen) => screen.id === 'quiz');
  const open = (quiz?.blanks ?? []).filter(
    (other) =>
      other.node === blank.node &&
      (other.feature === null || other.feature === blank.feature) &&
      judge(other, answers.value.get(other.id)) !== 'right',
  );
  return new Set([blank.stage, ...open.map((other) => other.stage)]);
}
