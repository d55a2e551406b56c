/** Screen 6: the choice. Candidates in their order, the rule and its ties, and what other algorithms would take. */
import { featureName, figure } from '../document';
import { InkBar, nodeAmong, NodePicker } from '../parts';
import { Say } from '../Sentences';
import { say } from '../settings';
import type { AlgorithmChoice, Choice, ChoiceScreen as Steps, LessonNode } from '../steps';

export function ChoiceScreen({ screen }: { screen: Steps }) {
  const node = nodeAmong(screen.nodes);
  return (
    <>
      <NodePicker nodes={screen.nodes} />
      {node.choice ? <ChoiceFigure choice={node.choice} /> : <LeafReason node={node} />}
    </>
  );
}

function LeafReason({ node }: { node: LessonNode }) {
  return <p class="statement">{node.leaf && <Say sentence={node.leaf} />}</p>;
}

function ChoiceFigure({ choice }: { choice: Choice }) {
  const own = choice.algorithms[0]!;
  return (
    <div class="halves">
      <section class="card-block">
        <h3>{say('choice.ranking', { algorithm: own.algorithm, by: say(`by.${own.by}`) })}</h3>
        <Ranking choice={own} />
        {choice.sentences.map((sentence) => (
          <p class="more-sentence">
            <Say sentence={sentence} />
          </p>
        ))}
      </section>
      <section class="card-block">
        <h3>{say('choice.others')}</h3>
        <Others algorithms={choice.algorithms} />
      </section>
    </div>
  );
}

function Ranking({ choice }: { choice: AlgorithmChoice }) {
  const most = Math.max(...choice.ranking.map((one) => one.score), 1e-9);
  return (
    <ol class="ranking">
      {choice.ranking.map(({ feature, score }) => (
        <li class={feature === choice.chosen ? 'chosen' : undefined}>
          <span class="name">
            <bdi>{featureName(feature)}</bdi>
          </span>
          <InkBar share={score / most} strong={feature === choice.chosen} />
          <b class="value">{figure(score)}</b>
          <span class="tag">{tagOf(choice, feature)}</span>
        </li>
      ))}
      {choice.left_out.map(({ feature, reason }) => (
        <li class="pale">
          <span class="name">
            <bdi>{featureName(feature)}</bdi>
          </span>
          <span class="reason">{say(`left out.${reason}`)}</span>
        </li>
      ))}
    </ol>
  );
}

function tagOf(choice: AlgorithmChoice, feature: number): string {
  if (feature === choice.chosen) return say('chosen');
  return choice.tied.includes(feature) ? say('tied') : '';
}

/** Each algorithm, the rule it goes by, and its choice. */
function Others({ algorithms }: { algorithms: AlgorithmChoice[] }) {
  return (
    <dl class="algorithms">
      {algorithms.map((one) => (
        <div>
          <dt>
            <b>{one.algorithm}</b>
          </dt>
          <dd>
            <p class="statement">
              {one.chosen === null ? say('choice.none') : <bdi>{featureName(one.chosen)}</bdi>}{' '}
              {one.chosen !== null && <small>{scoreOf(one)}</small>}
            </p>
            <p class="note">
              <Say sentence={one.rule} />
            </p>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function scoreOf(choice: AlgorithmChoice): string {
  const best = choice.ranking.find((one) => one.feature === choice.chosen);
  return best ? `${say(`by.${choice.by}`)} ${figure(best.score)}` : '';
}
