import type { KeyboardEvent } from 'react';

/**
 * Whether the keys ask for the details of what is selected, as in the file managers of Windows and Linux
 * (Alt+Enter) and of macOS (⌘I). A letter alone finds entries by their names.
 */
export function asksForDetails({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  if (shiftKey) return false;
  if (key === 'Enter') return altKey && !ctrlKey && !metaKey;
  return key === 'i' && (ctrlKey || metaKey) && !altKey;
}
