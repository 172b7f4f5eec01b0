import { useEffect } from 'react';
import { belongsToField } from '../ui/belongs-to-field.ts';
import { undoLast } from '../ui/notifications/undo.ts';

/** Ctrl+Z and ⌘Z undo the last change, wherever the focus is on the page. A field undoes what was typed in it. */
export function useUndoKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
      if (key !== 'z' || !(ctrlKey || metaKey) || shiftKey || altKey) return;
      if (event.defaultPrevented || belongsToField(event)) return;
      if (undoLast()) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
