import { useEffect, useRef } from 'react';
import { readDropFolder } from '../../entries/drop-folder.ts';
import type { DirectoryPlace } from '../../entries/find-entry.ts';

/** The browser fires several events per second during a drag. After this silence, the drag has ended. */
const SILENT_MS = 1_500;

interface FileDrag {
  /** @param folder the directory of the element under the pointer */
  readonly onOver: (folder: DirectoryPlace | undefined) => void;
  readonly onEnd: () => void;
  readonly onDrop: (folder: DirectoryPlace | undefined, transfer: DataTransfer) => void;
}

/** Reports files that are dragged into the page from outside, but not drags within the page. */
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
    // An element that was removed during its drag sends no `dragend`. Pointers do not move during drags.
    for (const type of ['dragend', 'drop', 'pointermove'])
      window.addEventListener(type, () => (isOwn = false), options);
    const listen = (
      type: 'dragenter' | 'dragover' | 'dragleave' | 'drop',
      act: (event: DragEvent, transfer: DataTransfer) => void,
    ) => {
      const onEvent = (event: DragEvent) => {
        const { dataTransfer } = event;
        if (isOwn || event.defaultPrevented || dataTransfer === null) return;
        if (dataTransfer.types.includes('Files')) act(event, dataTransfer);
      };
      // Runs before the listeners of the window, which prevent the browser from opening files that no drop
      // target accepts.
      document.addEventListener(type, onEvent, options);
    };
    let silence: ReturnType<typeof setTimeout> | undefined;
    const end = () => {
      clearTimeout(silence);
      current.current.onEnd();
    };
    const accept = (event: DragEvent, transfer: DataTransfer) => {
      event.preventDefault();
      // A drag that ends elsewhere does not always fire an event.
      clearTimeout(silence);
      silence = setTimeout(end, SILENT_MS);
      transfer.dropEffect = 'copy';
      current.current.onOver(folderUnder(event));
    };
    listen('dragenter', accept);
    listen('dragover', accept);
    listen('dragleave', (event) => {
      // No related target: the pointer has left the page.
      if (event.relatedTarget === null) end();
    });
    listen('drop', (event, transfer) => {
      event.preventDefault();
      end();
      current.current.onDrop(folderUnder(event), transfer);
    });
    return () => {
      clearTimeout(silence);
      listeners.abort();
    };
  }, []);
}

function folderUnder({ target }: DragEvent): DirectoryPlace | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-drop-path]') : null;
  return element === null ? undefined : readDropFolder(element.dataset);
}
