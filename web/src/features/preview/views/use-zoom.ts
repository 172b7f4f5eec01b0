import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import {
  FITTING,
  fitSize,
  limitToStage,
  MAX_SCALE,
  type Point,
  panned,
  type Size,
  turnSize,
  type ViewPosition,
  zoomed,
} from './zoom.ts';

const STEP = 1.5;
const DOUBLE_CLICK = 2.5;
/** The zoom factor per pixel of wheel movement. */
const ZOOM_PER_PIXEL = 0.002;
/** Scales that differ by less look the same. */
const SCALE_TOLERANCE = 0.005;
const QUARTER_DEGREES = 90;
const NO_SIZE: Size = { width: 0, height: 0 };

/** Zooms a picture by wheel, pinch, double click and keys, and moves and rotates it in the view. */
export function useZoom(onZoom: (isZoomed: boolean) => void) {
  const [position, setPosition] = useState(FITTING);
  const [isMoving, setIsMoving] = useState(false);
  const stage = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLImageElement>(null);
  const pointers = useRef(new Map<number, Point>());

  const [quarters, setQuarters] = useState(0);
  const [natural, setNatural] = useState(NO_SIZE);
  const room = useSize(stage);
  const isSideways = quarters % 2 === 1;
  const shown = fitSize(isSideways ? turnSize(natural) : natural, room);
  const upright = fitSize(natural, room);
  /** The size of the rotated picture relative to the upright one, when each fits the view. */
  const turnScale = (isSideways ? shown.height : shown.width) / upright.width || 1;
  /** The scale at which one picture pixel is one page pixel. */
  const actual = (isSideways ? natural.height : natural.width) / shown.width || 1;
  const mostScale = Math.max(MAX_SCALE, actual);

  const change = (next: (before: ViewPosition) => ViewPosition) =>
    setPosition((before) => limitToStage(next(before), shown, room));
  const zoom = (factor: number, at?: Point) => change((before) => zoomed(before, factor, at, mostScale));

  const fromMiddle = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const box = stage.current?.getBoundingClientRect();
    if (box === undefined) return { x: 0, y: 0 };
    return { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 };
  };

  const isZoomed = position.scale > 1;
  useEffect(() => onZoom(isZoomed), [isZoomed, onZoom]);

  const fit = () => setPosition(FITTING);
  const turn = () => {
    fit();
    setQuarters((before) => before + 1);
  };
  useWheelAndKeys(stage, { zoom, fromMiddle, fit, turn });

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
        change((position) => panned(position, { x: now.x - before.x, y: now.y - before.y }));
    },
    onPointerUp: (event: PointerEvent) => release(event),
    onPointerCancel: (event: PointerEvent) => release(event),
    onDoubleClick: (event: MouseEvent) => {
      if (isZoomed) setPosition(FITTING);
      else zoom(DOUBLE_CLICK, fromMiddle(event));
    },
  };
  const release = ({ pointerId }: PointerEvent) => {
    pointers.current.delete(pointerId);
    setIsMoving(pointers.current.size > 0);
  };

  return {
    ...{ isMoving, isZoomed, stage, picture, handlers, fit, turn },
    zoomIn: () => zoom(STEP),
    zoomOut: () => zoom(1 / STEP),
    showActual: () => change(() => zoomed(FITTING, actual, undefined, mostScale)),
    /** The scale relative to the actual size. It exceeds 1 only if the user zooms in. */
    ratio: position.scale / actual,
    isActual: Math.abs(position.scale - actual) < SCALE_TOLERANCE,
    /** The transform of the image element, which is laid out at the fitted upright size. */
    transform: `translate(${position.x}px, ${position.y}px) scale(${position.scale * turnScale}) rotate(${quarters * QUARTER_DEGREES}deg)`,
    /** Reads the size of the loaded picture. */
    measure: () => {
      const { naturalWidth = 0, naturalHeight = 0 } = picture.current ?? {};
      setNatural({ width: naturalWidth, height: naturalHeight });
    },
  };
}

/** Tracks the size of an element. */
function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState(NO_SIZE);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

interface ZoomCommands {
  readonly zoom: (factor: number, at?: Point) => void;
  readonly fromMiddle: (event: WheelEvent) => Point;
  readonly fit: () => void;
  readonly turn: () => void;
}

/** Zooms with the wheel over the stage and the keys `+`, `-` and `0`, and rotates with `r`. */
function useWheelAndKeys(stage: RefObject<HTMLElement | null>, commands: ZoomCommands): void {
  const latest = useRef(commands);
  latest.current = commands;
  useEffect(() => {
    const element = stage.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      latest.current.zoom(Math.exp(-event.deltaY * ZOOM_PER_PIXEL), latest.current.fromMiddle(event));
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '+' || event.key === '=') latest.current.zoom(STEP);
      else if (event.key === '-') latest.current.zoom(1 / STEP);
      else if (event.key === '0') latest.current.fit();
      else if (event.key === 'r') latest.current.turn();
    };
    // React's wheel listener is passive and cannot prevent scrolling.
    element?.addEventListener('wheel', onWheel, { passive: false });
    window.addEventListener('keydown', onKey);
    return () => {
      element?.removeEventListener('wheel', onWheel);
      window.removeEventListener('keydown', onKey);
    };
  }, [stage]);
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
