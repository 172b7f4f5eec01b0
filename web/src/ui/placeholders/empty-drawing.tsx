import type { ReactNode } from 'react';
import classes from './empty-drawing.module.css';

/** One family: a brass thing with a line in ink, on a shadow. */
const DRAWINGS = {
  bag: (
    <>
      <path className={classes.line} d="M46 36v-8a10 10 0 0 1 10-10h16a10 10 0 0 1 10 10v8" />
      <rect className={classes.shape} x="18" y="36" width="92" height="46" rx="12" />
      <path className={classes.line} d="M18 54h92" />
      <rect className={classes.solid} x="56" y="47" width="16" height="15" rx="4" />
      <path className={classes.ink} d="M30 36v46M98 36v46" />
    </>
  ),
  folder: (
    <>
      <path className={classes.shape} d="M20 78V26a6 6 0 0 1 6-6h22l10 10h44a6 6 0 0 1 6 6v42z" />
      <path
        className={classes.solid}
        d="M14 48a5 5 0 0 1 5-6h90a5 5 0 0 1 5 6l-6 29a6 6 0 0 1-6 5H26a6 6 0 0 1-6-5z"
      />
      <path className={classes.ink} d="M52 62h24M64 50v24" />
    </>
  ),
  photos: (
    <>
      <rect className={classes.line} x="34" y="14" width="80" height="56" rx="8" />
      <rect className={classes.shape} x="14" y="26" width="82" height="56" rx="8" />
      <circle className={classes.solid} cx="36" cy="44" r="7" />
      <path className={classes.ink} d="m20 76 22-20 14 12 16-18 20 24" />
    </>
  ),
  star: (
    <>
      <path
        className={classes.shape}
        d="m64 12 11 23 25 3.5-18 18 4.5 25.5L64 70l-22.5 12L46 56.5l-18-18L53 35z"
      />
      <path className={classes.ink} d="M22 18v12M16 24h12M106 62v10M101 67h10" />
    </>
  ),
  clock: (
    <>
      <circle className={classes.shape} cx="64" cy="48" r="34" />
      <path className={classes.line} d="M64 14v5M64 77v5M30 48h5M93 48h5" />
      <path className={classes.ink} d="M64 28v20l14 10" />
    </>
  ),
  bin: (
    <>
      <path className={classes.shape} d="m34 34 5 42a7 7 0 0 0 7 6h36a7 7 0 0 0 7-6l5-42z" />
      <path className={classes.line} d="m28 30 70-10M54 26l-1-6 18-3 1 6" />
      <path className={classes.ink} d="m54 46 2 24M74 46l-2 24" />
    </>
  ),
  links: (
    <>
      <path className={classes.line} d="M58 32H38a18 18 0 0 0 0 36h20M70 32h20a18 18 0 0 1 0 36H70" />
      <path className={classes.ink} d="M46 50h36" />
    </>
  ),
  list: (
    <>
      <rect className={classes.shape} x="30" y="14" width="68" height="68" rx="8" />
      <path className={classes.line} d="M62 34h24M62 50h24M62 66h16" />
      <path className={classes.ink} d="m42 33 4 4 7-8M42 49l4 4 7-8M42 65l4 4 7-8" />
    </>
  ),
  people: (
    <>
      <circle className={classes.line} cx="90" cy="36" r="12" />
      <path className={classes.line} d="M92 58a20 20 0 0 1 18 20v4H92" />
      <circle className={classes.shape} cx="50" cy="32" r="16" />
      <path className={classes.shape} d="M20 82v-2a26 26 0 0 1 26-26h8a26 26 0 0 1 26 26v2z" />
      <path className={classes.ink} d="M38 70h24" />
    </>
  ),
  search: (
    <>
      <circle className={classes.shape} cx="56" cy="44" r="28" />
      <path className={classes.line} d="M44 38h24M44 50h14" />
      <path className={classes.ink} d="m77 65 19 17" />
    </>
  ),
  bell: (
    <>
      <path
        className={classes.shape}
        d="M64 16a24 24 0 0 1 24 24c0 18 4 24 10 30H30c6-6 10-12 10-30a24 24 0 0 1 24-24z"
      />
      <path className={classes.line} d="M64 10v6" />
      <path className={classes.ink} d="M55 76a9 9 0 0 0 18 0" />
    </>
  ),
  lock: (
    <>
      <path className={classes.line} d="M46 42V30a18 18 0 0 1 36 0v12" />
      <rect className={classes.shape} x="32" y="42" width="64" height="40" rx="8" />
      <path className={classes.ink} d="M64 56v12" />
    </>
  ),
} satisfies Record<string, ReactNode>;

export type DrawingName = keyof typeof DRAWINGS;

/** The picture of an empty state. Decorative: the title is below it. */
export function EmptyDrawing({ name }: { readonly name: DrawingName }) {
  return (
    <svg className={classes.drawing} viewBox="0 0 128 92" width="128" height="92" aria-hidden>
      <ellipse className={classes.shadow} cx="64" cy="86" rx="56" ry="5" />
      {DRAWINGS[name]}
    </svg>
  );
}
