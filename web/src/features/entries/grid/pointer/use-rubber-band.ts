import { type PointerEvent, useEffect, useRef } from 'react';
import type { EntryRecord } from '../../../../../../client/src/client.ts';
import type { Band, TouchedCells } from '../../../../ui/grid/cells-in-band.ts';
import styles from '../entry-grid.module.css';
import type { EntryGrid } from '../state/use-entry-grid.ts';

/** A movement shorter than this is a click. */
const MIN_PX = 6;
/** If the pointer is this close to the edge, the grid scrolls by at most `SCROLL_PX` per frame. */
const EDGE_PX = 32;
const SCROLL_PX = 16;

/**
 * Selects the entries within a rectangle that the user draws with the mouse, starting next to the entries.
 * The rectangle is a separate element, so only changes of the selection render while it grows.
 *
 * @param cellsIn returns the entries that a rectangle touches; undefined if there are none
 */
export function useRubberBand<T extends EntryRecord>(
  grid: EntryGrid<T>,
  cellsIn: (band: Band, element: HTMLElement) => TouchedCells | undefined,
) {
  const latest = useRef({ grid, cellsIn });
  latest.current = { grid, cellsIn };
  const end = useRef<() => void>(undefined);
  useEffect(() => () => end.current?.(), []);
  return (event: PointerEvent): void => {
    const element = latest.current.grid.ref.current;
    if (element === null || event.pointerType !== 'mouse' || event.button !== 0) return;
    if (!isBeside(event.target)) return;
    end.current?.();
    let before: string | undefined;
    end.current = drawBand(element, event, (band) => {
      const { grid: now, cellsIn: find } = latest.current;
      const cells = find(band, element);
      // These numbers identify the cells of a rectangle.
      const name = [cells?.first, cells?.last, cells?.count].join();
      if (name !== before) now.selectBand(cells);
      before = name;
    });
  };
}

/**
 * Whether the target is not an entry, a column heading or a button. Dragging in a row drags the row instead.
 */
function isBeside(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-index], [role="columnheader"], button') === null;
}

interface Place {
  readonly clientX: number;
  readonly clientY: number;
}

/** Draws the rectangle until the button is released. @returns a function that ends it early */
function drawBand(element: HTMLElement, start: Place, onChange: (band: Band) => void): () => void {
  const listeners = new AbortController();
  const options = { signal: listeners.signal };
  const toContent = ({ clientX, clientY }: Place) => {
    const box = element.getBoundingClientRect();
    return { x: clientX - box.left + element.scrollLeft, y: clientY - box.top + element.scrollTop };
  };
  const from = toContent(start);
  let pointer: Place = start;
  let shown: HTMLElement | undefined;
  let frame = 0;
  const draw = () => {
    const to = toContent(pointer);
    const band = {
      left: Math.min(from.x, to.x),
      top: Math.max(0, Math.min(from.y, to.y)),
      right: Math.max(from.x, to.x),
      bottom: Math.min(element.scrollHeight, Math.max(from.y, to.y)),
    };
    if (shown === undefined) {
      if (Math.hypot(to.x - from.x, to.y - from.y) < MIN_PX) return;
      shown = document.createElement('div');
      shown.className = styles.band ?? '';
      element.append(shown);
    }
    Object.assign(shown.style, {
      transform: `translate(${band.left}px, ${band.top}px)`,
      width: `${band.right - band.left}px`,
      height: `${band.bottom - band.top}px`,
    });
    onChange(band);
  };
  const scroll = () => {
    const { top, bottom } = element.getBoundingClientRect();
    const before = element.scrollTop;
    if (pointer.clientY < top + EDGE_PX) element.scrollTop -= SCROLL_PX;
    else if (pointer.clientY > bottom - EDGE_PX) element.scrollTop += SCROLL_PX;
    if (element.scrollTop !== before) draw();
    frame = requestAnimationFrame(scroll);
  };
  const stop = () => {
    listeners.abort();
    cancelAnimationFrame(frame);
    shown?.remove();
  };
  window.addEventListener(
    'pointermove',
    (event) => {
      pointer = event;
      draw();
      if (shown !== undefined && frame === 0) frame = requestAnimationFrame(scroll);
    },
    options,
  );
  window.addEventListener(
    'click',
    (event) => {
      // The click that follows the rectangle must not clear the selection.
      if (shown !== undefined) event.stopPropagation();
      stop();
    },
    { ...options, capture: true },
  );
  window.addEventListener('pointercancel', stop, options);
  window.addEventListener(
    'pointerup',
    () => {
      // A click follows immediately, unless the button was released outside the window.
      if (shown === undefined) stop();
      else setTimeout(stop);
    },
    options,
  );
  return stop;
}
