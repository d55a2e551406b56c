/** The conditions from the root to a node; each leads to its node. */
import { t } from '../texts';
import { nodeCondition } from '../tree/labels';
import { type TreeModel, pathTo } from '../tree/model';

const MOST_SHOWN = 5;

export function Trail({ model, node, onSelect }: { model: TreeModel; node: number; onSelect: (id: number) => void }) {
  const path = pathTo(model, node);
  return (
    <nav aria-label={t.work.path} class="trail">
      {path.length > MOST_SHOWN && <span>… </span>}
      {path.slice(-MOST_SHOWN).map((id) =>
        id === node ? (
          <span key={id} aria-current="true">
            {nodeCondition(model, id)}
          </span>
        ) : (
          <button key={id} onClick={() => onSelect(id)}>
            {nodeCondition(model, id)}
          </button>
        ),
      )}
    </nav>
  );
}
