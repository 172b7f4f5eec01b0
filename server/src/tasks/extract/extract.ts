import { CONFLICT_RULES, type ConflictRule } from '../../base/domain/conflict-rules.ts';
import { type FileName, toFileName } from '../../base/text/names/file-name.ts';
import { childOf } from '../../base/text/names/logical-path.ts';
import type { Database, Db, Tx } from '../../database/database.ts';
import {
  insertsEntries,
  longIfReplacing,
  type SourceEntry,
  type TargetDirectory,
} from '../../drive/drive.ts';
import { getAllowance } from '../../drives/drives.ts';
import { ENCODINGS, type Encoding } from '../../formats/encodings/encodings.ts';
import { quoteName } from '../../formats/zip/reading/fault.ts';
import { readArchive } from '../../formats/zip/reading/reader.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import { type Attempt, type Job, JobFailure, type JsonObject } from '../engine/job.ts';
import { type EntryCounts, toFinalState, ZipProgress } from '../zip/progress.ts';
import { commitOrDiscard, runZipJob, type ZipJobParts } from '../zip/zip-job.ts';
import { READING_LIMITS, toArchiveBytes } from './archive-contents.ts';
import { ArchiveSelection } from './selection.ts';
import { storeFiles } from './store-files.ts';
import { type ExtractedTree, toTree } from './tree.ts';

/**
 * Unpacks a ZIP archive into the directory that contains it. The archive's central directory is checked
 * before any content is read. All content is checked against the central directory while it is stored. Then
 * one transaction inserts all results.
 */
export class ExtractJob implements Job {
  readonly type = 'EXTRACT';
  readonly phase = 'extracting';
  readonly #parts: ZipJobParts & { readonly database: Database };

  constructor(parts: ZipJobParts & { readonly database: Database }) {
    this.#parts = parts;
  }

  run(attempt: Attempt): Promise<void> {
    return runZipJob(attempt, async () => this.#extract(attempt, await this.#getSource(attempt)));
  }

  async #extract(attempt: Attempt, source: SourceEntry): Promise<void> {
    const { signal } = attempt;
    const encoding = readEncoding(attempt.input);
    const bytes = toArchiveBytes(this.#parts.blobs, source);
    if (bytes === undefined) throw new JobFailure('UNSUPPORTED_INPUT', 'A directory cannot be unpacked.');
    const archive = await readArchive(bytes, READING_LIMITS, { signal, encoding });
    const folder = readFolder(attempt.input);
    const selection = readSelection(attempt.input);
    const tree = await toTree(archive.entries, { maxNodes: READING_LIMITS.maxEntries, folder, selection });
    const totalBytes = await this.#checkFits(attempt, source, tree);
    const progress = new ZipProgress(attempt, { ...countEntries(tree), bytes: totalBytes });
    const stored = await storeFiles(archive, tree.files, {
      blobs: this.#parts.blobs,
      signal,
      onBytes: (bytes) => progress.addBytes(bytes),
      onFile: () => progress.addFile(),
    });
    await commitOrDiscard(this.#parts, [...stored.values()], () =>
      this.#commit(attempt, source.entry.id, tree, { stored, totalBytes }),
    );
  }

  async #getSource({ driveId, entryId }: Attempt): Promise<SourceEntry> {
    const { treeReader } = this.#parts.drive;
    const source = entryId === null ? undefined : await treeReader.findSource(driveId, entryId);
    if (source === undefined) throw new JobFailure('DATA_STATE', 'The file no longer exists.');
    return source;
  }

  /** Makes the checks of the transaction at the end, to fail early. Returns the total size of the files. */
  async #checkFits(attempt: Attempt, source: SourceEntry, { nodes, files }: ExtractedTree): Promise<number> {
    const { database, drive } = this.#parts;
    const { driveId } = attempt;
    const target = await this.#findTarget(database.db, attempt, source);
    await drive.treeInsertion.checkCanInsert(target, nodes);
    const limit = await drive.content.getLimit(driveId);
    let totalBytes = 0;
    for (const { entry } of files) {
      totalBytes += entry.size;
      if (entry.size <= limit.maxBytes) continue;
      throw new JobFailure('DATA_STATE', `The entry ${quoteName(entry.name)}: ${limit.message}`);
    }
    const { freeBytes, freeEntries } = await getAllowance(database.db, driveId);
    if (totalBytes > freeBytes) {
      const message = `There is not enough storage space left: the archive unpacks to ${totalBytes} bytes, and ${freeBytes} are free.`;
      throw new JobFailure('DATA_STATE', message);
    }
    if (nodes.length > freeEntries) {
      const message = `The archive unpacks to ${nodes.length} files and directories, and your drive may get ${freeEntries} more.`;
      throw new JobFailure('DATA_STATE', message);
    }
    return totalBytes;
  }

  /** The chosen directory; by default the one that contains the archive now. @throws Failure `not-found` */
  async #findTarget(
    db: Db,
    { driveId, input }: Attempt,
    { entry, parentPath }: Pick<SourceEntry, 'entry' | 'parentPath'>,
  ): Promise<TargetDirectory> {
    const { listing } = this.#parts.drive;
    const kept = { onConflict: readConflictRule(input), keptPath: childOf(parentPath, entry.name) };
    if (typeof input.targetId === 'number') {
      const directory = await listing.getLiveDirectory(db, driveId, input.targetId);
      return { directoryId: directory.id, path: await listing.getDirectoryPath(db, directory), ...kept };
    }
    // Never happens: only the root of a drive has no parent, and the root is not an archive.
    if (entry.parentId === null) throw new Error(`The entry ${entry.id} is in no directory.`);
    return { directoryId: entry.parentId, path: parentPath, ...kept };
  }

  /** Inserts the tree into the target directory, wherever that is now. */
  async #commit(
    attempt: Attempt,
    archiveId: number,
    tree: ExtractedTree,
    { stored, totalBytes }: { stored: ReadonlyMap<number, StoredBytes>; totalBytes: number },
  ): Promise<void> {
    const { drives, drive } = this.#parts;
    const { driveId, accountId } = attempt;
    const actor = { driveId, accountId, clientId: null };
    const bytesOf = (node: number) => {
      const bytes = stored.get(node);
      if (bytes === undefined) throw new Error(`The file ${node} of an archive was not stored.`);
      return bytes;
    };
    const usage = { bytes: totalBytes, files: tree.files.length, entries: tree.nodes.length };
    const insert = async (tx: Tx) => {
      const source = await drive.listing.getEntryWithPath(tx, driveId, archiveId);
      const target = await this.#findTarget(tx, attempt, source);
      await drive.treeInsertion.insertTree(tx, actor, target, { nodes: tree.nodes, bytesOf });
      // Replaced entries have already released their bytes.
      await drives.usage.charge(tx, driveId, usage);
      await attempt.complete(tx, { ...toFinalState(countEntries(tree)), ...tree.report.toState() });
    };
    const isLong = longIfReplacing(readConflictRule(attempt.input), insertsEntries(tree.nodes.length));
    await drives.withDriveLock(actor, 0, insert, isLong);
  }
}

function countEntries({ nodes, files }: ExtractedTree): EntryCounts {
  return { files: files.length, directories: nodes.length - files.length };
}

function readConflictRule({ onConflict }: JsonObject): ConflictRule {
  return CONFLICT_RULES.find((rule) => rule === onConflict) ?? 'FAIL';
}

/**
 * The name of the new directory for the archive's content; undefined to use the directory of the archive.
 */
function readFolder({ folder }: JsonObject): FileName | undefined {
  return typeof folder === 'string' ? toFileName(folder) : undefined;
}

/** The encoding that the user chose for names; undefined to guess it. */
function readEncoding({ encoding }: JsonObject): Encoding | undefined {
  return ENCODINGS.find((one) => one === encoding);
}

/** The entries to extract; undefined for all. */
function readSelection({ entries }: JsonObject): ArchiveSelection | undefined {
  if (!Array.isArray(entries)) return undefined;
  return new ArchiveSelection(entries.filter((path) => typeof path === 'string'));
}
