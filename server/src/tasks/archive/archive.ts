import type { Accounts } from '../../accounts/accounts.ts';
import { isRefusal } from '../../base/failure.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import { type Drive, type NewFile, type SourceEntry, toNewFile } from '../../drive/drive.ts';
import { writeZip } from '../../formats/zip/writing/writer.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import { type Attempt, type Job, JobFailure } from '../engine/job.ts';
import { sourceIsGone, toJobFailure } from './archive-failures.ts';
import { ArchiveProgress } from './archive-progress.ts';

/**
 * Makes `<full file name>.zip` beside a file or directory: walked, packed and stored at once, none of it kept here. Then
 * one transaction charges it, makes the file and ends the task.
 */
export class ArchiveJob implements Job {
  readonly type = 'ARCHIVE';
  readonly phase = 'archiving';
  readonly #accounts: Accounts;
  readonly #drive: Drive;
  readonly #blobs: Blobs;

  constructor(parts: { accounts: Accounts; drive: Drive; blobs: Blobs }) {
    this.#accounts = parts.accounts;
    this.#drive = parts.drive;
    this.#blobs = parts.blobs;
  }

  async run(attempt: Attempt): Promise<void> {
    try {
      await this.#run(attempt);
    } catch (error) {
      attempt.signal.throwIfAborted();
      throw toJobFailure(error);
    }
  }

  async #run(attempt: Attempt): Promise<void> {
    const { ownerId, entryId, signal } = attempt;
    const source = entryId === null ? undefined : await this.#drive.treeReader.findSource(ownerId, entryId);
    if (source === undefined) throw sourceIsGone();
    await this.#drive.fileCreation.checkCanCreate(ownerId, toPlace(source.entry.name, source.parentPath));
    const limit = await this.#drive.fileCreation.getUploadLimit(ownerId);
    if (limit.maxBytes === 0) throw new JobFailure('DATA_STATE', limit.message);
    const progress = new ArchiveProgress(attempt, await this.#drive.treeReader.countTotals(source));
    signal.throwIfAborted();

    const archive = writeZip(this.#drive.treeReader.readZipEntries(source), {
      deflates: true,
      signal,
      onBytes: (bytes) => progress.addBytes(bytes),
      onEntry: ({ path }) => (path.endsWith('/') ? progress.addDirectory() : progress.addFile()),
    });
    const bytes = await this.#blobs.write(archive, {
      maxBytes: limit.maxBytes,
      overLimitMessage: limit.message,
      signal,
    });
    try {
      await this.#publish(attempt, source, bytes, progress);
    } catch (error) {
      if (isRefusal(error)) await this.#blobs.discard([bytes]);
      throw error;
    }
  }

  /** Beside the original, wherever that lies by now, under the name that it had when the work began. */
  async #publish(
    attempt: Attempt,
    { entry }: SourceEntry,
    bytes: StoredBytes,
    progress: ArchiveProgress,
  ): Promise<void> {
    const actor = { ownerId: attempt.ownerId, clientId: null };
    await this.#accounts.withDriveLock(actor.ownerId, { bytes: bytes.size, files: 1 }, async (tx) => {
      const { parentPath } = await this.#drive.listing.getEntryWithPath(tx, actor.ownerId, entry.id);
      await this.#drive.fileCreation.insertFile(tx, actor, bytes, toPlace(entry.name, parentPath));
      await attempt.complete(tx, progress.end(progress.done));
    });
  }
}

function toPlace(name: string, parentPath: string): NewFile {
  return toNewFile({ path: parentPath, filename: `${name}.zip` });
}
