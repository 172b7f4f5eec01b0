import { type FocusEvent, useRef } from 'react';
import { stemLength } from '../entry-kind.ts';

/** When a name field is first focused, selects the name without its extension. */
export function useStemSelection(entry: Parameters<typeof stemLength>[0]) {
  const hasSelected = useRef(false);
  return ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
    // When the user comes back from another window, the next key must not replace the typed text.
    if (hasSelected.current) return;
    hasSelected.current = true;
    currentTarget.setSelectionRange(0, stemLength(entry));
  };
}
