/** Controls for a choice of a few: a segmented control, and tabs with their panel. */
import type { ComponentChildren } from 'preact';

interface SegmentedProps<K extends string> {
  label: string;
  choices: readonly (readonly [K, string])[];
  value: K;
  onChange: (choice: K) => void;
  class?: string;
}

export function Segmented<K extends string>({ label, choices, value, onChange, ...rest }: SegmentedProps<K>) {
  return (
    <div class={`seg ${rest.class ?? ''}`} role="group" aria-label={label}>
      {choices.map(([key, words]) => (
        <button key={key} aria-pressed={value === key} onClick={() => onChange(key)}>
          {words}
        </button>
      ))}
    </div>
  );
}

interface TabsProps<K extends string> {
  /** Makes the ids of the page's tabs unique. */
  name: string;
  label: string;
  choices: readonly (readonly [K, string])[];
  value: K;
  onChange: (choice: K) => void;
}

/** Arrow keys go from tab to tab; only the selected one is in the order of the Tab key. */
export function Tabs<K extends string>({ name, label, choices, value, onChange }: TabsProps<K>) {
  const goTo = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const visible = choices.filter(([key]) => document.getElementById(tabId(name, key))?.offsetParent);
    const here = visible.findIndex(([key]) => key === value);
    const [next] = visible[(here + step + visible.length) % visible.length]!;
    onChange(next);
    document.getElementById(tabId(name, next))?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={goTo}>
      {choices.map(([key, words]) => (
        <button
          key={key}
          role="tab"
          id={tabId(name, key)}
          class={`tab-${key}`}
          aria-controls={`${name}-panel`}
          aria-selected={value === key}
          tabIndex={value === key ? 0 : -1}
          onClick={() => onChange(key)}
        >
          {words}
        </button>
      ))}
    </div>
  );
}

interface TabPanelProps {
  name: string;
  value: string;
  class?: string;
  children: ComponentChildren;
}

export function TabPanel({ name, value, children, ...rest }: TabPanelProps) {
  return (
    <div class={rest.class} id={`${name}-panel`} role="tabpanel" aria-labelledby={tabId(name, value)} tabIndex={0}>
      {children}
    </div>
  );
}

function tabId(name: string, key: string): string {
  return `${name}-tab-${key}`;
}
