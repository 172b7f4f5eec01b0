// What is done when a test file has ended, before the next one starts in the same process.

const works: (() => void)[] = [];
const listeners: ((file: string) => void)[] = [];

/**
 * For what would stay in memory until the process ends, because modules are never unloaded: with it, every collection
 * of garbage in the files that follow would take longer.
 */
export function onFileEnd(work: () => void): void {
  works.push(work);
}

/** Called when the tests and all `after` hooks of a file have run. */
export function endFile(): void {
  for (const work of works.splice(0)) work();
}

/** For what has to know which file of the process runs. */
export function onFileStart(listener: (file: string) => void): void {
  listeners.push(listener);
}

/** Called before a file of several is loaded. */
export function startFile(file: string): void {
  for (const listener of listeners) listener(file);
}
