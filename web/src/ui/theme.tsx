/** Light or dark: as the system has it, until the reader chooses. */
import { signal } from '@preact/signals';
import { t } from '../texts';

/** Counts changes, so that drawings on a canvas are drawn anew. */
export const themeChanges = signal(0);

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
prefersDark.addEventListener('change', () => {
  themeChanges.value++;
});

export function switchTheme(): void {
  const root = document.documentElement;
  const dark = root.dataset['theme'] ? root.dataset['theme'] === 'dark' : prefersDark.matches;
  root.dataset['theme'] = dark ? 'light' : 'dark';
  themeChanges.value++;
}

export function ThemeSwitch() {
  return (
    <button class="theme" aria-label={t.ui.theme} title={t.ui.theme} onClick={switchTheme}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <circle cx="8" cy="8" r="5.4" fill="none" stroke="currentColor" stroke-width="1.6" />
        <path d="M8 2.6a5.4 5.4 0 0 1 0 10.8z" fill="currentColor" />
      </svg>
    </button>
  );
}
