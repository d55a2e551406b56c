/** One region of the page whose text is read aloud when it changes. */
import { signal } from '@preact/signals';

const said = signal('');

export function announce(text: string): void {
  said.value = text;
}

/** Render it once on a page. */
export function LiveRegion() {
  return (
    <p class="vh" aria-live="polite">
      {said.value}
    </p>
  );
}
