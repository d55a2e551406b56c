/** Screen 2: the predictions to beat, without a tree: always the same (0-R), and by one column (1-R). */
import { WideBar } from '../../ui/marks';
import { showName } from '../../ui/names';
import { formatCount } from '../../ui/numbers';
import { featureName, figure, isRegression, nodeOf, palette } from '../document';
import { classWords, GroupBar, InkBar, ofAll, Outcome, TableBox } from '../parts';
import { say } from '../settings';
import type { BaselinesScreen as Steps, OneRColumn } from '../steps';

export function BaselinesScreen({ screen }: { screen: Steps }) {
  return (
    <div class="halves">
      <section class="card-block">
        <h3>0-R</h3>
        <ZeroR steps={screen.zero_r} />
      </section>
      {screen.one_r && (
        <section class="card-block">
          <h3>1-R</h3>
          <OneR steps={screen.one_r} weight={screen.zero_r.weight} />
        </section>
      )}
    </div>
  );
}

function ZeroR({ steps }: { steps: Steps['zero_r'] }) {
  const error = isRegression() ? figure(steps.errors / steps.weight) : ofAll(steps.errors, steps.weight);
  return (
    <>
      <p class="statement">
        {say('baselines.always')} <Outcome value={steps.prediction} />
      </p>
      <GroupBar group={nodeOf(0).group} list />
      <p class="result-line">
        {say(isRegression() ? 'mean squared error' : 'errors')} <b>{error}</b>
      </p>
    </>
  );
}

function OneR({ steps, weight }: { steps: NonNullable<Steps['one_r']>; weight: number }) {
  const columns = [...steps.columns].sort((a, b) => a.errors - b.errors || a.feature - b.feature);
  const most = Math.max(...columns.map((column) => column.errors), 1e-9);
  return (
    <>
      <p class="statement">{say('baselines.one column')}</p>
      <div class="one-r">
        {columns.map((column) => (
          <OneRDetails
            column={column}
            most={most}
            weight={weight}
            chosen={column.feature === steps.chosen}
            tied={steps.tied.includes(column.feature)}
          />
        ))}
      </div>
    </>
  );
}

interface OneRDetailsProps {
  column: OneRColumn;
  most: number;
  weight: number;
  chosen: boolean;
  tied: boolean;
}

/** A column with its errors; unfolded, the class that each of its values predicts. */
function OneRDetails({ column, most, weight, chosen, tied }: OneRDetailsProps) {
  const tag = chosen ? say('chosen') : tied ? say('tied') : '';
  return (
    <details open={chosen} class={chosen ? 'chosen' : undefined}>
      <summary>
        <span class="name">
          <bdi>{featureName(column.feature)}</bdi>
        </span>
        <InkBar share={column.errors / most} strong={chosen} />
        <span class="value">{ofAll(column.errors, weight)}</span>
        <span class="tag">{tag}</span>
      </summary>
      <OneRTable column={column} />
    </details>
  );
}

function OneRTable({ column }: { column: OneRColumn }) {
  return (
    <TableBox label={featureName(column.feature)}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <bdi>{featureName(column.feature)}</bdi>
            </th>
            <th scope="col">{say('rows')}</th>
            <th scope="col">{say('predicts')}</th>
            <th scope="col">{say('errors')}</th>
          </tr>
        </thead>
        <tbody>
          {column.parts.map((part) => (
            <tr>
              <th scope="row">
                <bdi>{showName(part.branch)}</bdi>
              </th>
              <td class="bar-cell">
                <WideBar value={part.class_weights} palette={palette()} height={10} />
                <small>{classWords(part.class_weights)}</small>
              </td>
              <td>
                <Outcome value={part.prediction} />
                {part.tied && <small> ({say('tie')})</small>}
              </td>
              <td>{formatCount(part.errors)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}
