import { ask } from '../../../api/ask.ts';
import type { EntryRecord, TransferRecord } from '../../../api/contract.ts';
import { importAddress } from './sessions.ts';

/** The path of a transferred file in the drive: the chosen folder and the file's own folders. */
function folderOf(target: string, path: readonly string[]): string {
  return `${target}/${path.slice(0, -1).join('/')}`;
}

/** Imports stored files into the drive without copying bytes. @throws ApiError */
export async function importStored(
  session: TransferRecord,
  files: readonly number[],
  paths: readonly (readonly string[])[],
  target: string,
): Promise<void> {
  for (const index of files) {
    const file = session.files[index];
    const body = { path: folderOf(target, paths[index] ?? []) };
    if (file !== undefined)
      await ask<EntryRecord>('POST', importAddress(session.sessionId, file.id), { body });
  }
}

/** Uploads files that came from browser to browser. @throws ApiError */
export async function uploadReceived(
  files: Iterable<readonly [path: readonly string[], find: () => Promise<File | undefined>]>,
  target: string,
): Promise<void> {
  for (const [path, find] of files) {
    const file = await find();
    if (file === undefined) continue;
    const form = new FormData();
    form.set('path', folderOf(target, path));
    form.set('file', file, path.at(-1) ?? file.name);
    await ask<EntryRecord>('POST', '/api/files/upload', { body: form });
  }
}
