import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { FITTING, kept, type Lie, type Point, panned, zoomed } from './zoom.ts';

const STEP = 1.5;
const DOUBLE_CLICK = 2.5;
/** The zoom factor per pixel of wheel movement. */
const WHEEL = 0.002;

/** Zooms a picture by wheel, fingers, double click and keys, and moves it. */
export function useZoom(onZoom: (isZoomed: boolean) => void) {
  const [lie, setLie] = useState(FITTING);
  const [isMoving, setIsMoving] = useState(false);
  const stage = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLImageElement>(null);
  const pointers = useRef(new Map<number, Point>());

  const change = (next: (before: Lie) => Lie) => {
    setLie((before) => {
      const room = stage.current;
      const image = picture.current;
      if (room === null || image === null) return before;
      const size = { width: image.offsetWidth, height: image.offsetHeight };
      return kept(next(before), size, { width: room.clientWidth, height: room.clientHeight });
    });
  };
  const zoom = (factor: number, at?: Point) => change((before) => zoomed(before, factor, at));

  const fromMiddle = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const box = stage.current?.getBoundingClientRect();
    if (box === undefined) return { x: 0, y: 0 };
    return { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 };
  };

  const isZoomed = lie.scale > 1;
  useEffect(() => onZoom(isZoomed), [isZoomed, onZoom]);

  useWheelAndKeys(stage, { zoom, fromMiddle, reset: () => setLie(FITTING) });

  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      pointers.current.set(event.pointerId, fromMiddle(event));
      event.currentTarget.setPointerCapture(event.pointerId);
      setIsMoving(true);
    },
    onPointerMove: (event: PointerEvent) => {
      const before = pointers.current.get(event.pointerId);
      if (before === undefined) return;
      const now = fromMiddle(event);
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      pointers.current.set(event.pointerId, now);
      if (other !== undefined) {
        const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
        zoom(distance(now, other) / Math.max(1, distance(before, other)), middle);
      } else if (isZoomed)
        change((lieBefore) => panned(lieBefore, { x: now.x - before.x, y: now.y - before.y }));
    },
    onPointerUp: (event: PointerEvent) => release(event),
    onPointerCancel: (event: PointerEvent) => release(event),
    onDoubleClick: (event: MouseEvent) => {
      if (isZoomed) setLie(FITTING);
      else zoom(DOUBLE_CLICK, fromMiddle(event));
    },
  };
  const release = ({ pointerId }: PointerEvent) => {
    pointers.current.delete(pointerId);
    setIsMoving(pointers.current.size > 0);
  };

  return {
    ...{ lie, isMoving, stage, picture, handlers },
    zoomIn: () => zoom(STEP),
    zoomOut: () => zoom(1 / STEP),
    fit: () => setLie(FITTING),
  };
}

interface ZoomCommands {
  readonly zoom: (factor: number, at?: Point) => void;
  readonly fromMiddle: (event: WheelEvent) => Point;
  readonly reset: () => void;
}

/** Zooms by the wheel over the stage and by the keys `+`, `-` and `0`. */
function useWheelAndKeys(stage: RefObject<HTMLElement | null>, commands: ZoomCommands): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    const room = stage.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      latest.current.zoom(Math.exp(-event.deltaY * WHEEL), latest.current.fromMiddle(event));
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '+' || event.key === '=') latest.current.zoom(STEP);
      else if (event.key === '-') latest.current.zoom(1 / STEP);
      else if (event.key === '0') latest.current.reset();
    };
    // React's wheel listener is passive and cannot prevent scrolling.
    room?.addEventListener('wheel', onWheel, { passive: false });
    window.addEventListener('keydown', onKey);
    return () => {
      room?.removeEventListener('wheel', onWheel);
      window.removeEventListener('keydown', onKey);
    };
  }, [stage]);
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
