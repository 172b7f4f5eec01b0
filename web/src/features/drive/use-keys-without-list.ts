import { useEffect, useEffectEvent } from 'react';
import type { EntryRecord } from '../../../../client/src/client.ts';
import type { PressedKey } from '../details/details-key.ts';

/** Handles the keys of the page while there is no list that could have the focus, as in an empty folder. */
export function useKeysWithoutList(
  hasNoList: boolean,
  onKey: (event: PressedKey, active: EntryRecord | undefined) => boolean,
) {
  const onKeyDown = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (document.activeElement !== document.body || event.defaultPrevented) return;
    if (onKey(event, undefined)) event.preventDefault();
  });
  useEffect(() => {
    if (!hasNoList) return;
    const handle = (event: globalThis.KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', handle);
    return () => window.removeEventListener('keydown', handle);
  }, [hasNoList]);
}
