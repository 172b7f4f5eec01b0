/** A key with its modifiers, as React and the browser describe it. */
export type PressedKey = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

/**
 * Whether the keys ask for the details of the selection, as in the file managers of Windows and Linux
 * (Alt+Enter) and macOS (⌘I). A letter alone is not possible, because it finds entries by name.
 */
export function asksForDetails({ key, altKey, ctrlKey, metaKey, shiftKey }: PressedKey): boolean {
  if (shiftKey) return false;
  if (key === 'Enter') return altKey && !ctrlKey && !metaKey;
  return key === 'i' && (ctrlKey || metaKey) && !altKey;
}
