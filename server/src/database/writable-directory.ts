import { accessSync, constants, existsSync } from 'node:fs';

/** Why a data directory cannot be written, as a sentence; undefined if it can be, or does not exist. */
export function findWriteFault(directory: string, files: readonly string[] = []): string | undefined {
  for (const place of [directory, ...files]) {
    if (!existsSync(place)) continue;
    try {
      accessSync(place, constants.W_OK);
    } catch (error) {
      const isReadOnly = error instanceof Error && 'code' in error && error.code === 'EROFS';
      if (isReadOnly) return `The disk of ${directory} is read-only.`;
      return `This user may not write ${place}.`;
    }
  }
  return undefined;
}
