import { useMemo } from 'react';
import { encode } from 'uqr';
import classes from './transfer.module.css';

/** @param label what a screen reader says in its place */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = useMemo(() => toPath(text), [text]);
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}

function toPath(text: string): { size: number; path: string } {
  const { data: rows, size } = encode(text, { ecc: 'M', border: 2 });
  const squares = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return { size, path: squares.join('') };
}
