// Work to do when a test file has ended, before the next one starts in the same process.

const works: (() => void)[] = [];
const listeners: ((file: string) => void)[] = [];

/**
 * Registers work that frees memory. Modules are never unloaded, so their data would stay until the process
 * ends, and would slow down every garbage collection of the following files.
 */
export function onFileEnd(work: () => void): void {
  works.push(work);
}

/** Called when the tests and all `after` hooks of a file have run. */
export function endFile(): void {
  for (const work of works.splice(0)) work();
}

/** Registers a listener that must know which file of the process is running. */
export function onFileStart(listener: (file: string) => void): void {
  listeners.push(listener);
}

/** Called before each file of a shared process is loaded. */
export function startFile(file: string): void {
  for (const listener of listeners) listener(file);
}
