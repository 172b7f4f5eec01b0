import { MAX_NAME_BYTES, shortenFileName } from '../../base/text/names/file-name.ts';
import { parentOf, toLogicalPath } from '../../base/text/names/logical-path.ts';
import { type EntryWithPath, type NewFile, toNewFile } from '../../drive/drive.ts';
import { writeZip } from '../../formats/zip/writing/writer.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import { type Attempt, type Job, JobFailure, type JsonObject } from '../engine/job.ts';
import { toFinalState, ZipProgress } from '../zip/progress.ts';
import { commitOrDiscard, runZipJob, type ZipJobParts } from '../zip/zip-job.ts';

/**
 * Creates `<full file name>.zip` next to a file or directory, or one archive of several entries at the
 * requested path. The trees are read, packed and stored as one stream, so memory use does not depend on their
 * size. One transaction then charges the bytes, inserts the file and completes the task.
 */
export class ArchiveJob implements Job {
  readonly type = 'ARCHIVE';
  readonly phase = 'archiving';
  readonly #parts: ZipJobParts;

  constructor(parts: ZipJobParts) {
    this.#parts = parts;
  }

  run(attempt: Attempt): Promise<void> {
    return runZipJob(attempt, () => this.#archive(attempt));
  }

  async #archive(attempt: Attempt): Promise<void> {
    const { drive, blobs } = this.#parts;
    const { driveId, entryId, signal } = attempt;
    const ids = entryId === null ? readFileIds(attempt.input) : [entryId];
    const entries = await drive.treeReader.getTopEntries(driveId, ids);
    const name = entries[0]?.name ?? '';
    const file = await toFile(attempt, name, (id) => drive.listing.getEntry(driveId, id));
    await drive.content.checkCanCreate(driveId, file);
    const limit = await drive.content.getLimit(driveId);
    if (limit.maxBytes === 0) throw new JobFailure('DATA_STATE', limit.message);
    const progress = new ZipProgress(attempt, await drive.treeReader.countTotals(entries));
    signal.throwIfAborted();

    const archive = writeZip(drive.treeReader.readZipEntries(entries), {
      deflates: true,
      signal,
      onBytes: (bytes) => progress.addBytes(bytes),
      onEntry: ({ path }) => (path.endsWith('/') ? progress.addDirectory() : progress.addFile()),
    });
    const bytes = await blobs.write(archive, {
      maxBytes: limit.maxBytes,
      overLimitMessage: limit.message,
      signal,
    });
    await commitOrDiscard(this.#parts, [bytes], () => this.#commit(attempt, name, bytes, progress));
  }

  /** Inserts the archive under the name chosen at the start. */
  async #commit(attempt: Attempt, name: string, bytes: StoredBytes, progress: ZipProgress): Promise<void> {
    const { drives, drive } = this.#parts;
    const { driveId, accountId } = attempt;
    const actor = { driveId, accountId, clientId: null };
    await drives.withDriveLock(actor, { bytes: bytes.size, files: 1, entries: 1 }, async (tx) => {
      const file = await toFile(attempt, name, (id) => drive.listing.getEntryWithPath(tx, driveId, id));
      await drive.contentChanges.add(tx, actor, bytes, { file, isCharged: true });
      await attempt.complete(tx, toFinalState(progress.processed));
    });
  }
}

/**
 * The directory and name of the archive. It is next to the task's entry, even if that was moved meanwhile, or
 * at the requested path.
 * @param name the name of the entry at the start
 */
async function toFile(
  { entryId, input }: Attempt,
  name: string,
  getEntry: (id: number) => Promise<EntryWithPath>,
): Promise<NewFile> {
  if (entryId === null) {
    const { path, filename } = input;
    return toNewFile({ path: parentOf(toLogicalPath(String(path))), filename: String(filename) });
  }
  const { parentPath } = await getEntry(entryId);
  return toNewFile({ path: parentPath, filename: shortenFileName(`${name}.zip`, MAX_NAME_BYTES) });
}

function readFileIds({ fileIds }: JsonObject): readonly number[] {
  if (!Array.isArray(fileIds)) throw new Error('The input of an archive task must have fileIds.');
  return fileIds.map(Number);
}
