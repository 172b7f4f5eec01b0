import { IconMusic } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import classes from '../preview.module.css';
import { useAddress } from '../use-address.ts';

interface PlayerProps {
  readonly entry: EntryRecord;
  readonly isVideo: boolean;
  /** Shown if the browser cannot play the file. */
  readonly instead: ReactNode;
}

/** Plays video or sound with the browser's player. When its URL is renewed, it continues where it was. */
export function Player({ entry, isVideo, instead }: PlayerProps) {
  const { url, round, error, renew } = useAddress(entry);
  const [hasFailed, setHasFailed] = useState(false);
  const goOn = useRef<{ at: number; isPlaying: boolean } | undefined>(undefined);
  const player = useRef<HTMLMediaElement>(null);
  if (hasFailed || error !== undefined) return instead;
  const common = {
    controls: true,
    preload: 'metadata',
    src: url,
    'aria-label': entry.filename,
    onError: () => {
      const { currentTime = 0, paused = true } = player.current ?? {};
      goOn.current = { at: currentTime, isPlaying: !paused };
      if (!renew()) setHasFailed(true);
    },
    onLoadedMetadata: () => {
      const media = player.current;
      const place = goOn.current;
      goOn.current = undefined;
      if (media === null || place === undefined) return;
      media.currentTime = place.at;
      // The player stays paused if the browser requires a user action first.
      if (place.isPlaying) media.play().catch(() => undefined);
    },
  } as const;
  if (url === undefined) return null;
  if (isVideo) {
    return (
      <video
        key={round}
        {...common}
        ref={(element) => {
          player.current = element;
        }}
        className={classes.video}
        playsInline
      />
    );
  }
  return (
    <div className={classes.card}>
      <IconMusic size={96} stroke={1} aria-hidden />
      <audio
        key={round}
        {...common}
        ref={(element) => {
          player.current = element;
        }}
        className={classes.audio}
      />
    </div>
  );
}
