/** A key with its modifiers, as React and the browser describe it. */
export type PressedKey = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

/**
 * Whether the keys ask for the details of what is selected, as in the file managers of Windows and Linux
 * (Alt+Enter) and of macOS (⌘I). A letter alone finds entries by their names.
 */
export function asksForDetails({ key, altKey, ctrlKey, metaKey, shiftKey }: PressedKey): boolean {
  if (shiftKey) return false;
  if (key === 'Enter') return altKey && !ctrlKey && !metaKey;
  return key === 'i' && (ctrlKey || metaKey) && !altKey;
}
