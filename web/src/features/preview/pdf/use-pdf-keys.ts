import { useEffect, useEffectEvent } from 'react';
import { isInDialogAbove } from '../dialog-above.ts';
import type { Viewer } from './make-viewer.ts';

interface PdfKeys {
  /** The scrolling element. Null while the pages are not ready. */
  readonly box: HTMLElement | null;
  readonly viewer: Viewer | undefined;
  readonly onSearch: () => void;
}

const LINE_PX = 48;
/** Elements that need the keys themselves. */
const FIELDS = 'input, textarea, select, [contenteditable]';

/** The keys of a PDF viewer, wherever the focus is in its dialog, and Ctrl+F to search. */
export function usePdfKeys({ box, viewer, onSearch }: PdfKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
    if (box === null || viewer === undefined || isInDialogAbove(target)) return;
    const isFind = (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'f';
    if (isFind) onSearch();
    else if (ctrlKey || metaKey || altKey || shiftKey || event.defaultPrevented) return;
    else if (target instanceof Element && target.closest(FIELDS) !== null) return;
    else if (!isOwn(box, target) || !scroll(box, viewer, key)) return;
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

/** Whether a key at that element is meant for the PDF: on a page with other content, only inside the pages. */
function isOwn(box: HTMLElement, target: EventTarget | null): boolean {
  const dialog = box.closest('[role="dialog"]');
  return target instanceof Node && (dialog ?? box).contains(target);
}

function scroll(box: HTMLElement, { pages }: Viewer, key: string): boolean {
  switch (key) {
    case 'ArrowDown':
      box.scrollBy(0, LINE_PX);
      return true;
    case 'ArrowUp':
      box.scrollBy(0, -LINE_PX);
      return true;
    case 'PageDown':
      pages.nextPage();
      return true;
    case 'PageUp':
      pages.previousPage();
      return true;
    case 'Home':
      box.scrollTo(0, 0);
      return true;
    case 'End':
      box.scrollTo(0, box.scrollHeight);
      return true;
    default:
      return false;
  }
}
