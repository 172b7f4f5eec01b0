import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';

/**
 * Creates the directory and its missing parents, accessible to this user only, and makes their names durable.
 * Without that a power cut may remove the directory's name from its parent, and with it every flushed file in
 * the directory.
 */
export function createDurableDirectory(directory: string): void {
  const target = path.resolve(directory);
  const topmost = mkdirSync(target, { recursive: true, mode: 0o700 });
  if (topmost === undefined) return;
  for (let made = target; made.length >= topmost.length; made = path.dirname(made)) {
    flushDirectory(path.dirname(made));
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
