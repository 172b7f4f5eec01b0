import { open } from 'node:fs/promises';

/** Makes the names in a directory durable: those of newly made files are so only with the directory that holds them. */
export async function flushDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
