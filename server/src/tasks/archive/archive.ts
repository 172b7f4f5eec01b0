import { type NewFile, type SourceEntry, toNewFile } from '../../drive/drive.ts';
import { writeZip } from '../../formats/zip/writing/writer.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import { type Attempt, type Job, JobFailure } from '../engine/job.ts';
import { toFinalState, ZipProgress } from '../zip/progress.ts';
import { commitOrDiscard, runZipJob, type ZipJobParts } from '../zip/zip-job.ts';

/**
 * Creates `<full file name>.zip` next to a file or directory. The tree is read, packed and stored as one
 * stream, so memory use does not depend on its size. One transaction then charges the bytes, inserts the file
 * and completes the task.
 */
export class ArchiveJob implements Job {
  readonly type = 'ARCHIVE';
  readonly phase = 'archiving';
  readonly #parts: ZipJobParts;

  constructor(parts: ZipJobParts) {
    this.#parts = parts;
  }

  run(attempt: Attempt): Promise<void> {
    return runZipJob(this.#parts, attempt, (source) => this.#archive(attempt, source));
  }

  async #archive(attempt: Attempt, source: SourceEntry): Promise<void> {
    const { drive, blobs } = this.#parts;
    const { ownerId, signal } = attempt;
    await drive.fileCreation.checkCanCreate(ownerId, toZipFile(source.entry.name, source.parentPath));
    const limit = await drive.fileCreation.getUploadLimit(ownerId);
    if (limit.maxBytes === 0) throw new JobFailure('DATA_STATE', limit.message);
    const progress = new ZipProgress(attempt, await drive.treeReader.countTotals(source));
    signal.throwIfAborted();

    const archive = writeZip(drive.treeReader.readZipEntries(source), {
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
    await commitOrDiscard(this.#parts, [bytes], () => this.#commit(attempt, source, bytes, progress));
  }

  /**
   * Inserts the archive next to the source, wherever that is by now, under the name that the source had at
   * the start.
   */
  async #commit(
    attempt: Attempt,
    { entry }: SourceEntry,
    bytes: StoredBytes,
    progress: ZipProgress,
  ): Promise<void> {
    const { accounts, drive } = this.#parts;
    const actor = { ownerId: attempt.ownerId, clientId: null };
    await accounts.withDriveLock(actor.ownerId, { bytes: bytes.size, files: 1, entries: 1 }, async (tx) => {
      const { parentPath } = await drive.listing.getEntryWithPath(tx, actor.ownerId, entry.id);
      await drive.fileCreation.insertFile(tx, actor, bytes, toZipFile(entry.name, parentPath));
      await attempt.complete(tx, toFinalState(progress.processed));
    });
  }
}

function toZipFile(name: string, parentPath: string): NewFile {
  return toNewFile({ path: parentPath, filename: `${name}.zip` });
}
