// The File System Access API, which only Chromium browsers have. TypeScript's DOM types lack it.

interface Pickers {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
  showDirectoryPicker?: (options: { mode: 'readwrite' }) => Promise<FileSystemDirectoryHandle>;
}

function pickers(): Pickers {
  return globalThis as Pickers;
}

export function canPickFile(): boolean {
  return pickers().showSaveFilePicker !== undefined;
}

export function canPickFolder(): boolean {
  return pickers().showDirectoryPicker !== undefined;
}

/** Undefined if the user cancels. */
export async function pickFile(suggestedName: string): Promise<FileSystemFileHandle | undefined> {
  return await unlessCancelled(async () => await pickers().showSaveFilePicker?.({ suggestedName }));
}

/** Undefined if the user cancels. */
export async function pickFolder(): Promise<FileSystemDirectoryHandle | undefined> {
  return await unlessCancelled(async () => await pickers().showDirectoryPicker?.({ mode: 'readwrite' }));
}

async function unlessCancelled<T>(pick: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await pick();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  }
}
