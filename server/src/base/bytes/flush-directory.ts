import { open } from 'node:fs/promises';

/**
 * Makes the names in a directory durable. The name of a new file survives a power cut only after its
 * directory was flushed.
 */
export async function flushDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
