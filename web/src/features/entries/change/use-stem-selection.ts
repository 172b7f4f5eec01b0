import { type FocusEvent, useRef } from 'react';
import { stemLength } from '../entry-kind.ts';

/** Handles the first focus of a field for a name: selects the name without its extension, which stays. */
export function useStemSelection(entry: Parameters<typeof stemLength>[0]) {
  const hasSelected = useRef(false);
  return ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
    // When the user comes back from another window, the next key must not replace what they typed.
    if (hasSelected.current) return;
    hasSelected.current = true;
    currentTarget.setSelectionRange(0, stemLength(entry));
  };
}
