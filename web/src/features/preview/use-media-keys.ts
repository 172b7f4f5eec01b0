import { type KeyboardEvent, useEffect, useRef } from 'react';

/**
 * Focuses the element around the player instead of the viewer's Close button, so that Space plays and pauses.
 * The player itself is not focused, because its arrow keys would seek instead of changing the file.
 * @param shown identifies the shown file
 */
export function useMediaKeys(isMedia: boolean, shown: unknown) {
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each file may need the focus
  useEffect(() => {
    const { activeElement } = document;
    const isFree = activeElement === document.body || activeElement?.hasAttribute('data-close') === true;
    if (isMedia && isFree) place.current?.focus({ preventScroll: true });
  }, [isMedia, shown]);
  return {
    ref: place,
    tabIndex: -1,
    'data-autofocus': isMedia || undefined,
    onKeyDown: (event: KeyboardEvent) => {
      if (!isMedia || event.key !== ' ' || event.target !== place.current) return;
      const player = place.current?.querySelector<HTMLMediaElement>('video, audio');
      if (player == null) return;
      event.preventDefault();
      // If the browser does not allow it or the file is broken, the player shows that.
      if (player.paused) player.play().catch(() => undefined);
      else player.pause();
    },
  } as const;
}
