import { useEffect } from 'react';
import { belongsToField } from '../ui/fields/belongs-to-field.ts';
import { undoLast } from '../ui/notifications/undo.ts';

/**
 * Ctrl+Z and ⌘Z undo the last change, wherever the focus is on the page. A field undoes what was typed in it.
 */
export function useUndoKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { ctrlKey, metaKey, shiftKey, altKey } = event;
      if (!isZ(event) || !(ctrlKey || metaKey) || shiftKey || altKey) return;
      if (event.defaultPrevented || belongsToField(event)) return;
      if (undoLast()) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

/**
 * A keyboard for another script has no letter Z, so there the position of the key decides. Caps lock may be
 * on.
 */
function isZ({ key, code }: KeyboardEvent): boolean {
  const letter = key.toLowerCase();
  return letter === 'z' || (code === 'KeyZ' && !/^[a-z]$/.test(letter));
}
