import { type MouseEvent, type PointerEvent, useRef } from 'react';
import type { EntryRecord } from '../../../../../../client/src/client.ts';
import { useDisplaySettings } from '../state/display-settings.ts';
import type { EntryGrid } from '../state/use-entry-grid.ts';

const LONG_PRESS_MS = 450;
/** A touch that moves further than this is a scroll. */
const MAX_TAP_MOVE_PX = 10;
/**
 * Browsers also fire a context menu event this soon after the menu key, which the grid has already handled.
 */
const KEY_MENU_MS = 400;

/** The last press of a pointer. */
interface Press {
  /** The value of `PointerEvent.pointerType`. */
  readonly type: string;
  readonly x: number;
  readonly y: number;
  isLong: boolean;
}

/**
 * Handles the pointer events of all entries of a grid. A mouse click on a name (a link with `data-opens`)
 * opens the entry, unless the user prefers double clicks. Elsewhere, a click selects and a double click opens.
 * A tap opens. A long press selects, and further taps then extend the selection.
 */
export function useGridPointer<T extends EntryRecord>(grid: EntryGrid<T>) {
  const press = useRef<Press>({ type: 'mouse', x: 0, y: 0, isLong: false });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keyMenuAt = useRef(Number.NEGATIVE_INFINITY);
  const { opensOnDoubleClick } = useDisplaySettings();
  const stop = () => clearTimeout(timer.current);

  const onPointerDown = (event: PointerEvent) => {
    stop();
    press.current = { type: event.pointerType, x: event.clientX, y: event.clientY, isLong: false };
    const index = indexAt(event.target);
    if (event.pointerType !== 'touch' || index === undefined || isControl(event.target)) return;
    timer.current = setTimeout(() => {
      press.current.isLong = true;
      navigator.vibrate?.(10);
      grid.pick(index, 'toggle');
    }, LONG_PRESS_MS);
  };
  const onPointerMove = (event: PointerEvent) => {
    const { x, y } = press.current;
    if (Math.hypot(event.clientX - x, event.clientY - y) > MAX_TAP_MOVE_PX) stop();
  };
  const onClick = (event: MouseEvent) => {
    stop();
    handleClick(event, grid, { press: press.current, opensOnDoubleClick });
  };
  const onDoubleClick = (event: MouseEvent) => {
    const index = indexAt(event.target);
    if (hasClickOpened) return;
    if (index === undefined || press.current.type === 'touch' || isControl(event.target)) return;
    if (!event.shiftKey && !event.ctrlKey && !event.metaKey) grid.open(index);
  };
  const onContextMenu = (event: MouseEvent) => {
    const index = indexAt(event.target);
    if (event.target instanceof Element && event.target.closest('[data-rename]') !== null) return;
    const isTouch = press.current.type === 'touch' && index !== undefined;
    if (isTouch || event.timeStamp - keyMenuAt.current < KEY_MENU_MS) return event.preventDefault();
    if (index === undefined) {
      if (grid.openBackgroundMenu === undefined || isHeading(event.target)) return;
      event.preventDefault();
      grid.clear();
      grid.openBackgroundMenu({ x: event.clientX, y: event.clientY });
      return;
    }
    event.preventDefault();
    grid.include(index);
    grid.focus();
    grid.openMenu({ x: event.clientX, y: event.clientY }, index);
  };
  return {
    'data-double-click': opensOnDoubleClick || undefined,
    onKeyDown: grid.onKeyDown,
    onFocus: grid.onFocus,
    onPointerDown,
    onPointerMove,
    onPointerUp: stop,
    onPointerCancel: stop,
    onScroll: stop,
    onClick,
    onDoubleClick,
    onContextMenu,
    onKeyDownCapture: ({
      key,
      shiftKey,
      timeStamp,
    }: {
      key: string;
      shiftKey: boolean;
      timeStamp: number;
    }) => {
      if (key === 'ContextMenu' || (shiftKey && key === 'F10')) keyMenuAt.current = timeStamp;
    },
  };
}

/**
 * Whether the first click of a double click has opened something. The second click may hit the list of the
 * opened folder, and must do nothing there. It is not in the hook, because that list is another grid.
 */
let hasClickOpened = false;

function isRepeated({ detail }: MouseEvent): boolean {
  if (detail <= 1) hasClickOpened = false;
  return hasClickOpened;
}

interface ClickContext {
  readonly press: Press;
  readonly opensOnDoubleClick: boolean;
}

function handleClick<T extends EntryRecord>(
  event: MouseEvent,
  grid: EntryGrid<T>,
  { press, opensOnDoubleClick }: ClickContext,
): void {
  const index = indexAt(event.target);
  if (index === undefined || !(event.target instanceof Element)) {
    clearOnClickBeside(event, grid);
    return;
  }
  if (event.target.closest('[data-rename]') !== null) return;
  const link = event.target.closest('a');
  const isOnLink = link?.hasAttribute('data-opens') === true;
  if (link !== null && !isOnLink) {
    // Other links, such as the one to the folder, work by themselves.
    hasClickOpened = event.detail > 0;
    return;
  }
  // It is still a real link, for the middle button, the address and screen readers.
  if (isOnLink) event.preventDefault();
  if (press.isLong || isRepeated(event)) return;
  const more = event.target.closest('[data-more]');
  if (more !== null) {
    grid.focus();
    // On touch, opening the menu does not start a selection.
    if (press.type !== 'touch') grid.include(index);
    const { left, bottom } = more.getBoundingClientRect();
    grid.openMenu({ x: left, y: bottom }, index);
    return;
  }
  grid.focus();
  const isTouch = press.type === 'touch';
  if (event.shiftKey) grid.pick(index, 'range');
  else if (event.target.closest('[data-check]') !== null) grid.pick(index, 'toggle');
  else if (event.ctrlKey || event.metaKey || (isTouch && grid.count > 0)) grid.pick(index, 'toggle');
  // A click without a pointer comes from a screen reader, which cannot double-click.
  else if (isTouch || (isOnLink && !opensOnDoubleClick) || event.detail === 0) {
    // On touch, a second tap counts as a new tap.
    hasClickOpened = !isTouch && event.detail > 0;
    grid.open(index);
  } else grid.pick(index, 'only');
}

/** The index of the entry under an event. */
export function indexAt(target: EventTarget): number | undefined {
  if (!(target instanceof Element)) return undefined;
  const text = target.closest('[data-index]')?.getAttribute('data-index');
  return text === null || text === undefined ? undefined : Number(text);
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-more], [data-check], [data-rename]') !== null;
}

/** A click next to the entries clears the selection, except on a column heading. */
function clearOnClickBeside<T>({ target }: MouseEvent, grid: EntryGrid<T>): void {
  if (!isHeading(target)) grid.clear();
}

function isHeading(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[role="columnheader"]') !== null;
}
