/** How mixed a node is: its rows by class and the formula of its impurity; for numbers, their mean and variance. */
import type { ComponentChildren } from 'preact';
import type { Group } from '../contract';
import { fillText, t } from '../texts';
import type { TreeModel } from '../tree/model';
import { ClassFormula, FormulaBox, Result, VarianceFormula } from '../ui/formula';
import { ClassList, WideBar } from '../ui/marks';
import { formatCount, formatFixed, formatMean } from '../ui/numbers';
import { WideScale } from '../ui/scale';

/** An impurity as it is printed: three decimals, or four digits of a variance. */
export function formatImpurity(model: Pick<TreeModel, 'criterion'>, impurity: number): string {
  return model.criterion === 'variance' ? formatMean(impurity) : formatFixed(impurity);
}

export function Counts({ model, group }: { model: TreeModel; group: Group }) {
  if (model.classes) {
    return (
      <div class="counts">
        <WideBar value={group.value} palette={model.palette} />
        <ClassList value={group.value} classes={model.classes} palette={model.palette} />
      </div>
    );
  }
  return (
    <div class="counts">
      <WideScale mean={group.value[0]!} variance={group.impurity} range={model.range ?? [0, 1]} />
      <ul class="class-list">
        <li>
          {t.work.mean} <b>{formatMean(group.value[0]!)}</b>
        </li>
        <li>
          sd <b>{formatMean(Math.sqrt(Math.max(group.impurity, 0)))}</b>
        </li>
        <li>{fillText(t.tree.rows, { n: formatCount(group.rows) })}</li>
      </ul>
    </div>
  );
}

interface ImpurityProps {
  model: TreeModel;
  group: Group;
  /** A field of a quiz in place of the result. */
  ask?: ComponentChildren;
}

export function Impurity({ model, group, ask }: ImpurityProps) {
  const { criterion } = model;
  const result = ask ? null : <Result>{formatImpurity(model, group.impurity)}</Result>;
  return (
    <section>
      <h3>{criterion === 'variance' ? t.work.spread : t.work.mixed}</h3>
      <FormulaBox>
        {criterion === 'variance' ? (
          <VarianceFormula weight={group.weight} variance={group.impurity} result={result} />
        ) : (
          <ClassFormula criterion={criterion} value={group.value} result={result} />
        )}
        {ask}
      </FormulaBox>
    </section>
  );
}
