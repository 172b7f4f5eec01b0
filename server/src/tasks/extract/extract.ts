import type { Accounts } from '../../accounts/accounts.ts';
import { isRefusal } from '../../base/failure.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database } from '../../database/database.ts';
import type { Drive, SourceEntry, TargetDirectory } from '../../drive/drive.ts';
import { quoteName } from '../../formats/zip/reading/fault.ts';
import type { ZipArchive } from '../../formats/zip/reading/listing.ts';
import { type ReadingLimits, readArchive } from '../../formats/zip/reading/reader.ts';
import type { ArchiveBytes } from '../../formats/zip/reading/windows.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import { sourceIsGone, toJobFailure } from '../archive/archive-failures.ts';
import { ArchiveProgress } from '../archive/archive-progress.ts';
import { type Attempt, type Job, JobFailure } from '../engine/job.ts';
import { type ExtractedTree, toTree } from './extract-tree.ts';
import { storeFiles } from './extract-writing.ts';

const LIMITS: ReadingLimits = { maxEntries: 100_000, maxRatio: 1_000 };

/**
 * Unpacks a ZIP archive into the directory that it lies in. All that its directory tells is looked at before anything is
 * read, every content is held against it while it is stored aside, and then all results appear in one transaction.
 */
export class ExtractJob implements Job {
  readonly type = 'EXTRACT';
  readonly phase = 'extracting';
  readonly #database: Database;
  readonly #accounts: Accounts;
  readonly #drive: Drive;
  readonly #blobs: Blobs;

  constructor(parts: { database: Database; accounts: Accounts; drive: Drive; blobs: Blobs }) {
    this.#database = parts.database;
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
    const archive = await readArchive(this.#toBytes(source), LIMITS, signal);
    const tree = toTree(archive.entries, LIMITS.maxEntries);
    const totalBytes = await this.#checkRoom(ownerId, source, tree);

    const directories = tree.nodes.length - tree.files.length;
    const progress = new ArchiveProgress(attempt, {
      files: tree.files.length,
      directories,
      bytes: totalBytes,
    });
    const stored = await this.#store(archive, tree, signal, progress);
    try {
      await this.#publish(attempt, tree, stored, { totalBytes, progress });
    } catch (error) {
      if (isRefusal(error)) await this.#blobs.discard([...stored.values()]);
      throw error;
    }
  }

  #toBytes({ entry, place }: SourceEntry): ArchiveBytes {
    if (place === null) throw new JobFailure('UNSUPPORTED_INPUT', 'A directory cannot be unpacked.');
    return {
      size: entry.size,
      read: (range) => this.#blobs.read(place, range),
      open: (range) => this.#blobs.open(place, range),
    };
  }

  /** Refuses early what would be refused at the end. Gives the bytes of all files. */
  async #checkRoom(ownerId: number, source: SourceEntry, { nodes, files }: ExtractedTree): Promise<number> {
    await this.#drive.treeInsertion.checkCanInsert(toPlace(source), nodes);
    const limit = await this.#drive.fileCreation.getUploadLimit(ownerId);
    let totalBytes = 0;
    for (const { entry } of files) {
      totalBytes += entry.size;
      if (entry.size <= limit.maxBytes) continue;
      throw new JobFailure('DATA_STATE', `The entry ${quoteName(entry.name)}: ${limit.message}`);
    }
    const freeBytes = await this.#accounts.getFreeBytes(this.#database.db, ownerId);
    if (totalBytes > freeBytes) {
      const message = `There is not enough storage space left: the archive unpacks to ${totalBytes} bytes, and ${freeBytes} are free.`;
      throw new JobFailure('DATA_STATE', message);
    }
    return totalBytes;
  }

  #store(
    archive: ZipArchive,
    { files }: ExtractedTree,
    signal: AbortSignal,
    progress: ArchiveProgress,
  ): Promise<ReadonlyMap<number, StoredBytes>> {
    return storeFiles(archive, files, {
      blobs: this.#blobs,
      signal,
      onBytes: (bytes) => progress.addBytes(bytes),
      onFile: () => progress.addFile(),
    });
  }

  /** In the directory that the archive lies in by now. */
  async #publish(
    attempt: Attempt,
    { nodes, files }: ExtractedTree,
    stored: ReadonlyMap<number, StoredBytes>,
    { totalBytes, progress }: { totalBytes: number; progress: ArchiveProgress },
  ): Promise<void> {
    const { ownerId, entryId } = attempt;
    const actor = { ownerId, clientId: null };
    const bytesOf = (node: number) => {
      const bytes = stored.get(node);
      if (bytes === undefined) throw new Error(`The file ${node} of an archive was not stored.`);
      return bytes;
    };
    const usage = { bytes: totalBytes, files: files.length };
    await this.#accounts.withDriveLock(ownerId, usage, async (tx) => {
      const source = await this.#drive.listing.getEntryWithPath(tx, ownerId, entryId ?? 0);
      await this.#drive.treeInsertion.insertTree(tx, actor, toPlace(source), nodes, bytesOf);
      const done = { files: files.length, directories: nodes.length - files.length };
      await attempt.complete(tx, progress.end(done));
    });
  }
}

function toPlace({ entry, parentPath: path }: Pick<SourceEntry, 'entry' | 'parentPath'>): TargetDirectory {
  // The root of a drive is nobody's file, so what lies in a drive lies in a directory.
  if (entry.parentId === null) throw new Error(`The entry ${entry.id} lies nowhere.`);
  return { directoryId: entry.parentId, path };
}
