/** Sentences of the lesson, in the language of the page. Names from the data are isolated from the text around them. */
import type { ComponentChildren } from 'preact';
import { fillParts } from '../texts/say';
import { showName } from '../ui/names';
import { formatCount } from '../ui/numbers';
import { lessonTexts } from './document';
import { language } from './settings';
import type { Arg, Sentence } from './steps';

export function Say({ sentence }: { sentence: Sentence }) {
  const tables = lessonTexts();
  const text = tables[language.value]?.[sentence.key] ?? tables.en[sentence.key] ?? sentence.key;
  const values = Object.fromEntries(Object.entries(sentence.args).map(([name, arg]) => [name, showArg(arg)]));
  return <>{fillParts(text, values)}</>;
}

function showArg(arg: Arg): ComponentChildren {
  if (typeof arg === 'string') return <bdi>{showName(arg)}</bdi>;
  if ('count' in arg) return formatCount(arg.count);
  if ('list' in arg) return joinNames(arg.list);
  return <b>{arg.text.replace(/^-/, '−')}</b>;
}

/** Names joined as the language does it: "A, B and C". */
function joinNames(names: string[]): ComponentChildren[] {
  const parts = new Intl.ListFormat(language.value, { type: 'conjunction' }).formatToParts(names.map(showName));
  return parts.map((part) => (part.type === 'element' ? <bdi>{part.value}</bdi> : part.value));
}

/** The sentences of a screen: the first one says what it is about, the others follow in smaller type. */
export function Lead({ title, sentences }: { title?: Sentence; sentences: Sentence[] }) {
  const [first, ...others] = sentences;
  return (
    <div class="lead-block">
      {title && (
        <h2>
          <Say sentence={title} />
        </h2>
      )}
      {first && (
        <p class="lead-sentence">
          <Say sentence={first} />
        </p>
      )}
      {others.map((sentence) => (
        <p class="more-sentence">
          <Say sentence={sentence} />
        </p>
      ))}
    </div>
  );
}
