import type { HiddenName } from '../../../../../../client/src/transfer/encryption/names.ts';
import { toSafeName } from '../../../../../../client/src/transfer/session/safe-paths.ts';
import type { ChosenFile, ReadableFile } from './chosen-files.ts';

/** Describes the files for the other side. */
export function toAnnounced(chosen: readonly ChosenFile[]): readonly HiddenName[] {
  return chosen.map(({ file, relativePath }) => ({
    name: toSafeName(file.name),
    relativePath: relativePath?.split('/').map(toSafeName).join('/') ?? null,
    size: file.size,
    contentType: file.type || null,
  }));
}

/** Describes the files for the sender's page. */
export function toShown(announced: readonly HiddenName[]): { path: string; size: number }[] {
  return announced.map(({ name, relativePath, size }) => ({ path: relativePath ?? name, size }));
}

/** @param file undefined if the plan names a file that does not exist */
export async function readPart(
  file: ReadableFile | undefined,
  start: number,
  end: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (file === undefined) throw new Error('There is no such file.');
  return new Uint8Array(await file.slice(start, end).arrayBuffer());
}
