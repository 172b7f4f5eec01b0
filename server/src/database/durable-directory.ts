import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';

/**
 * Creates the directory and its missing parents, accessible to this user only, and makes their names durable.
 * Otherwise, a power cut may remove the directory's name from its parent, and with it every flushed file in
 * the directory.
 * @throws Error with a sentence for the operator if the path is not a directory
 */
export function createDurableDirectory(directory: string): void {
  const target = path.resolve(directory);
  const topmost = create(target);
  if (topmost === undefined) return;
  for (let made = target; made.length >= topmost.length; made = path.dirname(made)) {
    flushDirectory(path.dirname(made));
  }
}

function create(target: string): string | undefined {
  try {
    return mkdirSync(target, { recursive: true, mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw error;
    throw new Error(`${target} must be a directory, but it is a file or is below one.`, { cause: error });
  }
}

function flushDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
