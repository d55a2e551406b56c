/** Screen 4: what the node could ask. Each candidate unfolds into its counts and its calculation, step by step. */
import type { Candidate, Group } from '../../contract';
import { TextMark, WideBar } from '../../ui/marks';
import { showName } from '../../ui/names';
import { formatCount } from '../../ui/numbers';
import { byColor } from '../../ui/palette';
import { branchOfRow, candidateOf, className, featureName, figure, isRegression, palette } from '../document';
import { FormulaLines } from '../FormulaView';
import { GroupBar, measureName, nodeAmong, NodePicker, Outcome, TableBox } from '../parts';
import { followed, go } from '../place';
import { say, sayParts } from '../settings';
import type { CandidatesScreen as Steps, CandidateSteps, LessonNode } from '../steps';

/** The parts of a candidate's calculation, in their order. */
const CALCULATION = ['remaining', 'gain', 'price', 'net', 'split_information', 'gain_ratio'] as const;

export function CandidatesScreen({ screen, step }: { screen: Steps; step: number }) {
  const node = nodeAmong(screen.nodes);
  const at = Math.min(step, node.candidates.length - 1);
  const steps = node.candidates[at];
  return (
    <>
      <NodePicker nodes={screen.nodes} />
      <div class="list-and-detail">
        <ul class="candidate-list">
          {node.candidates.map((one, index) => (
            <li>
              <button aria-pressed={index === at} onClick={() => go({ step: index })}>
                <span class="name">
                  <bdi>{featureName(one.feature)}</bdi>
                </span>
                <BranchBars candidate={candidateOf(node, one.feature)} />
              </button>
            </li>
          ))}
        </ul>
        {steps && <CandidateDetail key={steps.feature} node={node} steps={steps} />}
      </div>
    </>
  );
}

/** The branches as short bars, their lengths in proportion to their rows. */
function BranchBars({ candidate }: { candidate: Candidate | undefined }) {
  if (!candidate) return null;
  const most = Math.max(...candidate.children.map((child) => child.weight), 1e-9);
  return (
    <span class="branch-bars" aria-hidden="true">
      {candidate.children.slice(0, 5).map((child) => (
        <span style={{ width: `${(100 * child.weight) / most}%` }}>
          {isRegression() ? <GroupBar group={child} /> : <WideBar value={child.value} palette={palette()} height={8} />}
        </span>
      ))}
    </span>
  );
}

function CandidateDetail({ node, steps }: { node: LessonNode; steps: CandidateSteps }) {
  const candidate = candidateOf(node, steps.feature);
  if (!candidate) return null;
  const whole = CALCULATION.filter((part) => steps[part] !== undefined);
  return (
    <section class="card-block" aria-live="polite">
      <h3>{sayParts('candidates.asking', { column: <bdi>{featureName(steps.feature)}</bdi> })}</h3>
      <BranchTable node={node} steps={steps} candidate={candidate} />
      <details>
        <summary>{say('candidates.branches', { measure: measureName() })}</summary>
        {steps.impurity.map((formula, branch) => (
          <>
            <p class="formula-name">
              <bdi>{showName(steps.branches[branch] ?? '')}</bdi>
            </p>
            <FormulaLines formulas={[formula]} />
          </>
        ))}
      </details>
      <FormulaLines formulas={whole.map((part) => steps[part]!)} names={whole.map((part) => say(`part.${part}`))} />
    </section>
  );
}

interface BranchTableProps {
  node: LessonNode;
  steps: CandidateSteps;
  candidate: Candidate;
}

/** Branches against classes; the branch of the followed row is marked. */
function BranchTable({ node, steps, candidate }: BranchTableProps) {
  const classes = isRegression() ? [] : byColor(palette());
  const row = followed.value;
  const mine = row !== null && node.rows.includes(row) ? branchOfRow(candidate, row) : -1;
  return (
    <TableBox label={say('candidates.table')}>
      <table class="branches">
        <thead>
          <tr>
            <th scope="col">
              <bdi>{featureName(steps.feature)}</bdi>
            </th>
            <th scope="col">{say('rows')}</th>
            {classes.map((index) => (
              <th scope="col">
                <TextMark of={index} palette={palette()} size={9} /> <bdi>{className(index)}</bdi>
              </th>
            ))}
            {isRegression() && <th scope="col">{say('mean')}</th>}
            <th scope="col">{measureName()}</th>
          </tr>
        </thead>
        <tbody>
          {candidate.children.map((child, branch) => (
            <tr class={branch === mine ? 'followed' : undefined}>
              <th scope="row">
                <bdi>{showName(steps.branches[branch] ?? '')}</bdi>
              </th>
              <GroupCells group={child} classes={classes} />
            </tr>
          ))}
          {candidate.unknown && (
            <tr class="pale">
              <th scope="row">{say('missing')}</th>
              <GroupCells group={candidate.unknown} classes={classes} />
            </tr>
          )}
        </tbody>
      </table>
    </TableBox>
  );
}

function GroupCells({ group, classes }: { group: Group; classes: number[] }) {
  return (
    <>
      <td>{formatCount(group.weight)}</td>
      {classes.map((index) => (
        <td>{formatCount(group.value[index] ?? 0)}</td>
      ))}
      {isRegression() && <td>{group.weight > 0 ? <Outcome value={group.value[0] ?? 0} /> : '–'}</td>}
      <td>
        <b>{group.weight > 0 ? figure(group.impurity) : '–'}</b>
      </td>
    </>
  );
}
