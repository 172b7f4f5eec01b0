import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes the directory and those above it that are missing, closed to others, and their names durable: a flushed file
 * in a directory whose own name is lost in a power cut is lost with it.
 */
export function createDurableDirectory(directory: string): void {
  const wanted = path.resolve(directory);
  const topmost = mkdirSync(wanted, { recursive: true, mode: 0o700 });
  if (topmost === undefined) return;
  for (let made = wanted; made.length >= topmost.length; made = path.dirname(made)) {
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
