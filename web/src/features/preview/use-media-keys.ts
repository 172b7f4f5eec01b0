import { type KeyboardEvent, useEffect, useRef } from 'react';

/**
 * Gives a video or sound the focus that the viewer would give to its Close button, so that Space plays and
 * pauses. It is the place around the player: in the player itself the arrow keys would seek.
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
      // The browser may refuse, or the file be broken: the player shows it.
      if (player.paused) player.play().catch(() => undefined);
      else player.pause();
    },
  } as const;
}
