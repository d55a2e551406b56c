/** A random forest: the rows that each tree drew, the columns it could ask about, and the votes of the others. */
import { useState } from 'preact/hooks';
import { Segmented } from '../../ui/controls';
import { featureName, figure, isRegression, lesson } from '../document';
import { ofAll, Outcome, TableBox } from '../parts';
import { followed } from '../place';
import { say } from '../settings';
import type { ForestSteps } from '../steps';
import { TreeFigure, useTreeView } from '../TreeFigure';

type ForestTree = ForestSteps['trees'][number];
const SHOWN = 40;

export function ForestFigure({ steps }: { steps: ForestSteps }) {
  const [at, setAt] = useState('0');
  const tree = steps.trees[Number(at)]!;
  return (
    <>
      <Segmented
        label={say('forest.trees')}
        choices={steps.trees.map((_, index) => [String(index), say('forest.tree', { n: index })] as const)}
        value={at}
        onChange={setAt}
      />
      <OneTree key={at} tree={tree} />
      <VoteTable steps={steps} tree={Number(at)} />
      <ForestError steps={steps} />
    </>
  );
}

function OneTree({ tree }: { tree: ForestTree }) {
  const view = useTreeView(tree.tree);
  return (
    <>
      <TreeFigure view={view} label={say('forest.picture')} />
      <details>
        <summary>{say('forest.columns')}</summary>
        <ul class="drawn-columns">
          {tree.columns.map(({ node, drawn, chosen }) => (
            <li>
              #{node}:{' '}
              {drawn.map((feature, at) => (
                <>
                  {at > 0 && ', '}
                  {feature === chosen ? (
                    <b>
                      <bdi>{featureName(feature)}</bdi>
                    </b>
                  ) : (
                    <bdi>{featureName(feature)}</bdi>
                  )}
                </>
              ))}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** Rows against trees: how often a row was drawn; where it was not, what the tree predicts for it. */
function VoteTable({ steps, tree }: { steps: ForestSteps; tree: number }) {
  const targets = lesson().table.target_values;
  return (
    <TableBox label={say('forest.table')}>
      <table class="draws">
        <thead>
          <tr>
            <th scope="col">{say('row')}</th>
            <th scope="col">{say('target')}</th>
            {steps.trees.map((_, at) => (
              <th scope="col" class={at === tree ? 'asked' : undefined}>
                {say('forest.tree', { n: at })}
              </th>
            ))}
            <th scope="col">{say('forest.vote')}</th>
          </tr>
        </thead>
        <tbody>
          {steps.votes.slice(0, SHOWN).map((vote) => (
            <tr class={followed.value === vote.row ? 'followed' : undefined}>
              <th scope="row">{vote.row + 1}</th>
              <td>
                <Outcome value={targets[vote.row]!} />
              </td>
              {steps.trees.map((one, at) => (
                <td class={at === tree ? 'asked' : undefined}>
                  <Draw times={one.drawn[vote.row]!} vote={vote.trees.find((each) => each.tree === at)?.prediction} />
                </td>
              ))}
              <td>
                {vote.prediction === null ? '–' : <Outcome value={vote.prediction} />} <Check correct={vote.correct} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {steps.votes.length > SHOWN && <p class="note">{say('more rows', { rows: steps.votes.length - SHOWN })}</p>}
    </TableBox>
  );
}

function Draw({ times, vote }: { times: number; vote: number | undefined }) {
  if (times > 0) return <span class="drawn">{say('forest.drawn', { n: times })}</span>;
  return vote === undefined ? <>–</> : <Outcome value={vote} />;
}

function Check({ correct }: { correct: boolean | null }) {
  if (correct === null) return null;
  return (
    <b>
      <span aria-hidden="true">{correct ? '✓' : '✗'}</span>
      <span class="vh">{say(correct ? 'path.correct' : 'path.wrong')}</span>
    </b>
  );
}

function ForestError({ steps }: { steps: ForestSteps }) {
  if (steps.error === null) return null;
  const voted = steps.votes.filter((vote) => vote.prediction !== null).length;
  const wrong = Math.round(steps.error * voted);
  return (
    <p class="result-line">
      {say('forest.error')} <b>{isRegression() ? figure(steps.error) : ofAll(wrong, voted)}</b>
    </p>
  );
}
