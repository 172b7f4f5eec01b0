import { useEffect, useRef } from 'react';

interface FileDrag {
  /** @param path that the element under the pointer names */
  readonly onOver: (path: string | undefined) => void;
  readonly onEnd: () => void;
  readonly onDrop: (path: string | undefined, transfer: DataTransfer) => void;
}

/** Hears of files that are dragged into the page from elsewhere; not of what is moved inside it. */
export function useFileDrag(drag: FileDrag): void {
  const current = useRef(drag);
  useEffect(() => {
    current.current = drag;
  });
  useEffect(() => {
    const listeners = new AbortController();
    const options = { signal: listeners.signal };
    let isOwn = false;
    window.addEventListener('dragstart', () => (isOwn = true), options);
    window.addEventListener('dragend', () => (isOwn = false), options);
    const listen = (
      type: 'dragenter' | 'dragover' | 'dragleave' | 'drop',
      act: (event: DragEvent, transfer: DataTransfer) => void,
    ) => {
      const hear = (event: DragEvent) => {
        const { dataTransfer } = event;
        if (isOwn || event.defaultPrevented || dataTransfer === null) return;
        if (dataTransfer.types.includes('Files')) act(event, dataTransfer);
      };
      window.addEventListener(type, hear, options);
    };
    const accept = (event: DragEvent, transfer: DataTransfer) => {
      event.preventDefault();
      transfer.dropEffect = 'copy';
      current.current.onOver(pathUnder(event));
    };
    listen('dragenter', accept);
    listen('dragover', accept);
    listen('dragleave', (event) => {
      // To nothing at all: the pointer has left the page.
      if (event.relatedTarget === null) current.current.onEnd();
    });
    listen('drop', (event, transfer) => {
      event.preventDefault();
      current.current.onEnd();
      current.current.onDrop(pathUnder(event), transfer);
    });
    return () => listeners.abort();
  }, []);
}

function pathUnder({ target }: DragEvent): string | undefined {
  return target instanceof Element
    ? target.closest<HTMLElement>('[data-drop-path]')?.dataset.dropPath
    : undefined;
}
