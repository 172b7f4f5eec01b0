import { useMemo } from 'react';
import { toQrPath } from './qr-path.ts';

/** Black on white even in dark mode, because not every reader supports inverted codes. */
export function QrCode({ text, label, width = 200 }: { text: string; label: string; width?: number }) {
  const { size, path } = useMemo(() => toQrPath(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={width}
      height={width}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" rx={1.5} shapeRendering="auto" />
      <path d={path} fill="#000" />
    </svg>
  );
}
