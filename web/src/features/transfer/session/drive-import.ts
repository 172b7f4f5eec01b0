import { ask } from '../../../api/ask.ts';
import type { ConflictRule, EntryRecord, TransferRecord } from '../../../api/contract.ts';
import { childOf } from '../../../common/drive-paths.ts';
import { ConflictDecisions, Skipped } from '../../entries/conflicts/conflict-decisions.ts';
import { findEntry, findFreeName } from '../../entries/find-entry.ts';
import { BlockPlan } from '../blocks/block-plan.ts';
import { Incoming } from '../blocks/incoming.ts';
import { openHiddenPlace } from '../saving/places.ts';
import { fetchStored } from './fetch-stored.ts';
import { type OpenedTransfer, onlyFile } from './opened-transfer.ts';
import { importAddress } from './sessions.ts';

/** The path of a transferred file in the drive: the chosen folder and the file's own folders. */
function folderOf(target: string, path: readonly string[]): string {
  return path.slice(0, -1).reduce(childOf, target);
}

/**
 * Imports stored files into the drive without copying bytes. The user decides about names that are taken.
 * @throws ApiError
 */
export async function importStored(
  session: TransferRecord,
  files: readonly number[],
  paths: readonly (readonly string[])[],
  target: string,
): Promise<void> {
  const decisions = new ConflictDecisions(files.length);
  for (const index of files) {
    const file = session.files[index];
    const path = folderOf(target, paths[index] ?? []);
    if (file === undefined) continue;
    const conflict = {
      name: paths[index]?.at(-1) ?? '',
      directory: path,
      isDirectory: false,
      size: file.size,
    };
    await unlessSkipped(
      decisions.run(conflict, (onConflict) =>
        ask<EntryRecord>('POST', importAddress(session.sessionId, file.id), { body: { path, onConflict } }),
      ),
    );
  }
}

/**
 * Decrypts stored files one after another and uploads each, because the service cannot read them. The user
 * decides about names that are taken.
 * @throws ApiError; TransferFault; NoPlace
 */
export async function importSealed(
  opened: OpenedTransfer,
  paths: readonly (readonly string[])[],
  target: string,
): Promise<void> {
  const sizes = opened.session.files.map(({ size }) => size);
  // Each file is removed before the next one is fetched.
  const place = await openHiddenPlace(paths, Math.max(...sizes));
  const stop = new AbortController();
  let kept: number | undefined;
  const removeKept = async () => {
    if (kept !== undefined) await place.remove(kept);
  };
  const fetchFile = async (index: number) => {
    await removeKept();
    const plan = new BlockPlan(sizes.slice(index, index + 1));
    const incoming = new Incoming(plan, { begin: () => place.begin(index) }, () => undefined);
    try {
      await fetchStored(onlyFile(opened, index), incoming, stop.signal);
    } catch (error) {
      await incoming.abort();
      throw error;
    }
    kept = index;
    return await place.find(index);
  };
  try {
    const files = paths.map((path, index) => [path, () => fetchFile(index)] as const);
    await uploadReceived(files, target);
  } finally {
    await removeKept();
  }
}

/**
 * Uploads files that came from browser to browser. The user decides about names that are taken.
 * @throws ApiError
 */
export async function uploadReceived(
  files: readonly (readonly [path: readonly string[], find: () => Promise<File | undefined>])[],
  target: string,
): Promise<void> {
  const decisions = new ConflictDecisions(files.length);
  for (const [path, find] of files) {
    const file = await find();
    if (file === undefined) continue;
    const directory = folderOf(target, path);
    const name = path.at(-1) ?? file.name;
    const conflict = { name, directory, isDirectory: false, size: file.size };
    await unlessSkipped(
      decisions.run(conflict, (onConflict) => uploadWith(file, { directory, name }, onConflict)),
    );
  }
}

/** Uploads have no conflict rules, so the rule is applied here. @throws ApiError */
async function uploadWith(
  file: File,
  { directory, name }: { readonly directory: string; readonly name: string },
  onConflict: ConflictRule,
): Promise<void> {
  const form = new FormData();
  form.set('path', directory);
  form.set('file', file, onConflict === 'RENAME' ? await findFreeName(directory, name) : name);
  if (onConflict === 'REPLACE') {
    const existing = await findEntry(directory, name);
    if (existing !== undefined) await ask('DELETE', `/api/files/${existing.id}`);
  }
  await ask<EntryRecord>('POST', '/api/files/upload', { body: form });
}

async function unlessSkipped(importing: Promise<unknown>): Promise<void> {
  try {
    await importing;
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
  }
}
