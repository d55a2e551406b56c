/** The tree: buttons, the picture or the outline, the sentence of a lesson, the overview of a large tree. */
import { t, fillText } from '../../texts';
import { Icicle } from '../../tree/Icicle';
import { Outline } from '../../tree/Outline';
import { TreePicture, TreeSum } from '../../tree/TreePicture';
import { mode } from '../state';
import { selectNode } from './actions';
import { caption, visitNode } from './lesson';
import { score, verdict } from './quiz';
import * as s from './state';
import { Tools } from './Tools';

/** A caption covers so many pixels of the picture. */
const CAPTION = 74;

export function Stage() {
  const large = s.isLarge.value;
  const teaching = mode.value !== 'explore';
  const select = mode.value === 'lesson' ? visitNode : selectNode;
  return (
    <section class="stage" aria-label={t.grow.tree}>
      <Tools />
      {s.outline.value ? (
        <>
          <Outline view={s.view} label={t.grow.tree} onSelect={select} />
          <div class="below-outline">
            <TreeSum view={s.view} />
          </div>
        </>
      ) : (
        <TreePicture
          view={s.view}
          form={large ? 'list' : 'cards'}
          below={teaching ? CAPTION : 24}
          largest={teaching ? 1.3 : 1.15}
          onSelect={select}
        />
      )}
      {teaching && <Caption />}
      {large && <Icicle view={s.view} />}
    </section>
  );
}

/** One sentence: the idea of the step, or what a quiz asks for. */
function Caption() {
  if (mode.value === 'lesson') {
    return (
      <p class="caption" aria-live="polite">
        {caption.value}
      </p>
    );
  }
  const { asked, first } = score.value;
  return (
    <p class="caption" aria-live="polite">
      {verdict.value || (s.openNodes.value.length === 0 ? t.grow.quiz.finished : t.grow.quiz.task)}
      {asked > 0 && <small>{fillText(t.grow.quiz.score, { first, asked })}</small>}
    </p>
  );
}
