/** The rows of the data that the report contains, as far as they reach the selected node. */
import { fillText, t } from '../texts';
import { formatValue } from '../tree/labels';
import type { Cell, Feature } from '../contract';
import { showName } from '../ui/names';
import { formatCount } from '../ui/numbers';
import type { IncludedRows as Rows } from './document';
import type { ReportState } from './state';

const MOST_SHOWN = 40;

export function IncludedRows({ state, rows }: { state: ReportState; rows: Rows }) {
  const node = state.view.selected.value;
  const all = rows.truth.map((_, row) => rows.cells.map((column) => column[row]!));
  const here = all.map((_, row) => row).filter((row) => state.route(all[row]!).path.includes(node));
  const values = { here: here.length, n: rows.truth.length, node, total: formatCount(rows.total) };
  const { features, target } = state.doc;
  return (
    <section class="included">
      <h3>{t.report.rows.title}</h3>
      <p class="lead">{fillText(here.length > 0 ? t.report.rows.lead : t.report.rows.none, values)}</p>
      {here.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label={t.report.rows.title}>
          <table>
            <thead>
              <tr>
                <th scope="col">{showName(target || '?')}</th>
                {features.map((feature) => (
                  <th scope="col">{showName(feature.name)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {here.slice(0, MOST_SHOWN).map((row) => (
                <tr key={row}>
                  <th scope="row">{showName(rows.truth[row]!)}</th>
                  {features.map((feature, i) => (
                    <td>{cellText(feature, all[row]![i]!)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {here.length > MOST_SHOWN && <p class="note">{fillText(t.report.rows.more, { n: here.length - MOST_SHOWN })}</p>}
    </section>
  );
}

function cellText(feature: Feature, cell: Cell): string {
  if (cell === null) return '·';
  return typeof cell === 'number' ? formatValue(feature, cell) : showName(cell);
}
