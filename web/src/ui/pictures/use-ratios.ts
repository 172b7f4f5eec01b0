import { useCallback, useEffect, useRef, useState } from 'react';
import { toShownRatio } from './justify.ts';
import { carryRatios } from './known-ratios.ts';
import type { PictureGroup } from './picture-lines.ts';

/** A picture whose size may be known. */
interface Sized {
  readonly id: number;
  readonly width: number | null;
  readonly height: number | null;
}

interface Source {
  readonly loaded: (from: number, to: number) => readonly { readonly index: number; readonly entry: Sized }[];
}

/** Pictures around the visible ones whose ratios are learned in advance, so the layout changes rarely. */
const AROUND = 200;

/**
 * The proportions of pictures by index, as far as they are known. They come from the records; those of other
 * pictures from their thumbnails.
 */
export function useRatios(groups: readonly PictureGroup[], source: Source) {
  const known = useRef({ groups: [] as readonly PictureGroup[], ratios: new Float32Array() });
  const [version, setVersion] = useState(0);
  if (known.current.groups !== groups) known.current = { groups, ratios: carryRatios(known.current, groups) };
  const { ratios } = known.current;
  const fromThumbnails = useRef(new Map<number, number>());
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);
  return {
    // Changes whenever a ratio does.
    // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the content
    ratioAt: useCallback((index: number) => toShownRatio(ratios[index]), [ratios, version]),
    /** Called with the loaded thumbnail of a picture. The thumbnails of a frame change the layout once. */
    onThumbnail: useCallback((id: number, ratio: number) => {
      fromThumbnails.current.set(id, ratio);
      frame.current ||= requestAnimationFrame(() => {
        frame.current = 0;
        setVersion((before) => before + 1);
      });
    }, []),
    /** Learns the ratios of loaded pictures. Called after each rendering. */
    learn: (first: number, last: number) => {
      let isNew = false;
      for (const { index, entry } of source.loaded(Math.max(0, first - AROUND), last + AROUND)) {
        const { id, width, height } = entry;
        const ratio = width && height ? width / height : fromThumbnails.current.get(id);
        const before = ratios[index];
        // The records may be newer than the counts, and then be more.
        if (ratio === undefined || before === undefined || before === Math.fround(ratio)) continue;
        ratios[index] = ratio;
        isNew = true;
      }
      if (isNew) setVersion((before) => before + 1);
    },
  };
}
