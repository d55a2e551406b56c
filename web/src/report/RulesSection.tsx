/** The rules of a report: they can be searched, follow the pruning, and are copied as SQL. */
import { useMemo, useState } from 'preact/hooks';
import { fillText, t } from '../texts';
import { type Rule, conditionText, listRules, whereClause } from '../tree/rules';
import type { TreeModel } from '../tree/model';
import { announce } from '../ui/live';
import { showName } from '../ui/names';
import { formatCount, formatFixed, formatMean, formatPercent } from '../ui/numbers';
import { colorClass } from '../ui/palette';
import { TextMark } from '../ui/marks';
import type { ReportState } from './state';

const FIRST_SHOWN = 20;
const STEP = 100;

export function RulesSection({ state }: { state: ReportState }) {
  const { view } = state;
  const model = view.model.value;
  const rules = useMemo(() => listRules(view), [model, view.alpha.value]);
  const [words, setWords] = useState('');
  const [least, setLeast] = useState(0);
  const [predicted, setPredicted] = useState(-1);
  const [most, setMost] = useState(FIRST_SHOWN);
  // The words of thousands of rules are written once, at the first search.
  const texts = useMemo(() => new Map<number, string>(), [rules]);
  const textOf = (rule: Rule) => {
    const text = texts.get(rule.node) ?? rule.conditions.map((each) => conditionText(model, each).toLowerCase()).join('\n');
    texts.set(rule.node, text);
    return text;
  };
  const found = useMemo(
    () => rules.filter((rule) => matches(rule, textOf, words, least, predicted)),
    [rules, words, least, predicted],
  );
  return (
    <div class="rules">
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>{t.report.rules.search}</span>
          <input
            type="search"
            placeholder={t.report.rules.searchHint}
            value={words}
            onInput={(event) => setWords((event.target as HTMLInputElement).value)}
          />
        </label>
        <label>
          <span>{t.report.rules.minRows}</span>
          <input
            type="number"
            min={0}
            value={least}
            onInput={(event) => setLeast(Number((event.target as HTMLInputElement).value) || 0)}
          />
        </label>
        {model.classes && <ClassChoice classes={model.classes} value={predicted} onChange={setPredicted} />}
        <p class="lead" role="status">
          {fillText(t.report.rules.found, { shown: formatCount(found.length), n: formatCount(rules.length) })}
        </p>
      </form>
      <RuleTable state={state} rules={found.slice(0, most)} />
      {found.length > most && (
        <p class="acts">
          <button onClick={() => setMost(most + STEP)}>
            {fillText(t.report.rules.showMore, { n: formatCount(Math.min(STEP, found.length - most)) })}
          </button>
        </p>
      )}
    </div>
  );
}

type TextOf = (rule: Rule) => string;

function matches(rule: Rule, textOf: TextOf, words: string, least: number, predicted: number): boolean {
  if (rule.rows < least || (predicted >= 0 && rule.answer !== predicted)) return false;
  const wanted = words.trim().toLowerCase();
  return !wanted || textOf(rule).includes(wanted);
}

interface ChoiceProps {
  classes: readonly string[];
  value: number;
  onChange: (predicted: number) => void;
}

function ClassChoice({ classes, value, onChange }: ChoiceProps) {
  return (
    <label>
      <span>{t.report.rules.predicted}</span>
      <select value={value} onChange={(event) => onChange(Number((event.target as HTMLSelectElement).value))}>
        <option value={-1}>{t.report.rules.anyClass}</option>
        {classes.map((name, k) => (
          <option value={k}>{showName(name)}</option>
        ))}
      </select>
    </label>
  );
}

function RuleTable({ state, rules }: { state: ReportState; rules: readonly Rule[] }) {
  const model = state.view.model.value;
  const words = t.report.rules;
  // Rows may be divided or weighted: then their weight is counted, too.
  const weighted = rules.some((rule) => Math.abs(rule.weight - rule.rows) > 1e-9);
  const heads = [words.rows, ...(weighted ? [words.weight] : [])];
  heads.push(...(model.classes ? [words.correct, words.interval, words.lift] : [words.deviation]));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={t.report.rules.condition}>
      <table>
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col" class="l">
              {words.condition}
            </th>
            <th scope="col" class="l">
              {words.then}
            </th>
            {heads.map((head) => (
              <th scope="col">{head}</th>
            ))}
            <th scope="col">{words.sql}</th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <RuleLine key={rule.node} state={state} rule={rule} weighted={weighted} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RuleLine({ state, rule, weighted }: { state: ReportState; rule: Rule; weighted: boolean }) {
  const model = state.view.model.value;
  const texts = rule.conditions.map((condition) => conditionText(model, condition));
  const show = () => {
    state.goTo(rule.node);
    document.getElementById('tree')?.scrollIntoView({ block: 'start' });
  };
  return (
    <tr>
      <th scope="row">
        <button class="link" aria-label={fillText(t.report.rules.show, { node: rule.node })} onClick={show}>
          #{rule.node}
        </button>
      </th>
      <td class="l">{texts.join(' and ') || t.report.rules.always}</td>
      <td class="l nowrap">
        <RuleAnswer model={model} rule={rule} />
      </td>
      <td>{formatCount(rule.rows)}</td>
      {weighted && <td>{formatCount(rule.weight)}</td>}
      {model.classes ? <Precision rule={rule} /> : <td>{formatMean(rule.deviation)}</td>}
      <td>
        <CopySql rule={rule} model={model} />
      </td>
    </tr>
  );
}

function RuleAnswer({ model, rule }: { model: TreeModel; rule: Rule }) {
  if (!model.classes) return <b>{formatMean(rule.mean)}</b>;
  return (
    <>
      <TextMark of={rule.answer} palette={model.palette} />{' '}
      <em class={colorClass(model.palette, rule.answer)}>{showName(model.classes[rule.answer]!)}</em>
    </>
  );
}

function Precision({ rule }: { rule: Rule }) {
  const [low, high] = rule.interval;
  const percent = (share: number) => formatPercent(share * 1000, 1000);
  return (
    <>
      <td class="nowrap">
        {formatCount(rule.correct)} <small>({formatPercent(rule.correct, rule.weight)})</small>
      </td>
      <td class="nowrap">
        {percent(low)} to {percent(high)}
      </td>
      <td>{formatFixed(rule.lift, 2)}</td>
    </>
  );
}

/** Copies the condition; where the browser does not allow it, the text is shown and selected. */
function CopySql({ rule, model }: { rule: Rule; model: TreeModel }) {
  const [state, setState] = useState<'' | 'copied' | 'shown'>('');
  const sql = `WHERE ${whereClause(model, rule.conditions)}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(sql);
      setState('copied');
      announce(t.report.rules.copied);
    } catch {
      setState('shown');
      announce(t.report.rules.notCopied);
    }
  };
  if (state === 'shown') {
    const label = fillText(t.report.rules.copyLabel, { node: rule.node });
    const select = (field: HTMLTextAreaElement | null) => field?.select();
    return <textarea class="sql" readOnly aria-label={label} title={t.report.rules.notCopied} value={sql} ref={select} />;
  }
  return (
    <button aria-label={fillText(t.report.rules.copyLabel, { node: rule.node })} title={sql} onClick={copy}>
      {state === 'copied' ? t.report.rules.copied : t.report.rules.copy}
    </button>
  );
}
