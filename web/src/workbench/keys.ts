/** Keys of the whole page: Alt and a digit opens a screen, Ctrl+Z takes back a decision. */
import { undo } from './actions';
import { SCREENS, screen } from './state';

export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    const chosen = event.altKey && !event.ctrlKey && !event.metaKey ? SCREENS[Number(event.key) - 1] : undefined;
    if (chosen) {
      event.preventDefault();
      screen.value = chosen;
      document.getElementById('screen')?.focus();
    } else if (isUndo(event)) {
      event.preventDefault();
      void undo();
    }
  });
}

/** In a field Ctrl+Z is the field's own, and in the Grow screen that of the tree. */
function isUndo(event: KeyboardEvent): boolean {
  const inField = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
  const pressed = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z';
  return pressed && !inField && screen.value !== 'grow' && !event.defaultPrevented;
}
