/** The quiz on paper: lines to write on, and the key on a page of its own. */
import type { JSX } from 'preact';
import { nodeOf } from './document';
import { groupWords, nodeWords } from './parts';
import { quizNodes } from './screens/QuizScreen';
import { Say } from './Sentences';
import { say } from './settings';
import type { Blank, QuizScreen } from './steps';

export function QuizSheet({ screen }: { screen: QuizScreen }) {
  return (
    <>
      <p class="name-line">
        {say('quiz.name')} <span /> {say('quiz.date')} <span />
      </p>
      <Blanks screen={screen} answer={() => <span class="write" />} />
      <section class="answer-key">
        <h2>{say('quiz.key')}</h2>
        <Blanks screen={screen} answer={(blank) => <b>{blank.text}</b>} />
      </section>
    </>
  );
}

function Blanks({ screen, answer }: { screen: QuizScreen; answer: (blank: Blank) => JSX.Element }) {
  return (
    <>
      {quizNodes(screen).map((node) => (
        <section class="quiz-node">
          <h3>
            #{node} <bdi>{nodeWords(node)}</bdi> <small>{groupWords(nodeOf(node).group)}</small>
          </h3>
          <ol class="blanks">
            {screen.blanks
              .filter((blank) => blank.node === node)
              .map((blank) => (
                <li class="blank-item">
                  <span class="question">
                    <Say sentence={blank.question} />
                  </span>
                  {answer(blank)}
                </li>
              ))}
          </ol>
        </section>
      ))}
    </>
  );
}
