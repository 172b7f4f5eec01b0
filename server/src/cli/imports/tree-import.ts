import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Parts } from '../../app/parts.ts';
import { mapConcurrently } from '../../base/concurrency/map-concurrently.ts';
import type { ConflictRule } from '../../base/domain/conflict-rules.ts';
import { Failure, isNotFound } from '../../base/failure.ts';
import {
  type FileName,
  isFileName,
  MAX_NAME_LENGTH,
  toClosestFileName,
} from '../../base/text/names/file-name.ts';
import { childOf, type LogicalPath, ROOT_PATH } from '../../base/text/names/logical-path.ts';
import { toNormalForm } from '../../base/text/names/normal-form.ts';
import { parseNumberedName, withNumber } from '../../base/text/names/numbered-name.ts';
import { type ListedEntry, type NamePlace, toNewFile } from '../../drive/drive.ts';
import { LocalDirectory, type LocalFile } from './local-directory.ts';

/** How many files are stored at the same time, so that their commits share flushes. */
const CONCURRENT_FILES = 4;
const CHILDREN_PER_QUERY = 1_000;
/** How many sentences are kept about failures, and how many about renamings. */
const MAX_SENTENCES = 100;

interface ImportRequest {
  /** The owner of a personal drive; null for a shared drive, in which the operator needs no role. */
  readonly accountId: number | null;
  readonly driveId: number;
  /** A directory of this machine. */
  readonly from: string;
  readonly to: LogicalPath;
  readonly onConflict: ConflictRule;
  /** Names of files that are left out. */
  readonly leftOut?: RegExp;
  /** If true, the import only counts. */
  readonly isDryRun: boolean;
  /** The identities of Holdall's own directories, which are skipped. */
  readonly except: ReadonlySet<string>;
  readonly signal: AbortSignal;
  readonly onProgress: (sentence: string) => void;
}

export interface ImportSummary {
  directories: number;
  files: number;
  bytes: number;
  /** Files that are in the drive already, with the same content. */
  present: number;
  /** Symbolic links, sockets, leftovers and the like. */
  ignored: number;
  /** Names that a drive does not allow, replaced by the closest allowed name. */
  renamed: number;
  /** The old and the new name, for the first of them. */
  readonly renamings: string[];
  failed: number;
  /** The reasons, for the first of them. */
  readonly sentences: string[];
  /** Skipped directories of Holdall itself. */
  readonly excluded: string[];
}

/**
 * Stores a directory of this machine in a drive unchanged. Files that the drive has with the same content are
 * skipped, so an interrupted import continues when it is run again. Symbolic links are not followed.
 */
export class TreeImport {
  readonly #parts: Parts;
  readonly #request: ImportRequest;
  readonly summary: ImportSummary = {
    ...{ directories: 0, files: 0, bytes: 0, present: 0, ignored: 0, failed: 0, renamed: 0 },
    renamings: [],
    sentences: [],
    excluded: [],
  };

  constructor(parts: Parts, request: ImportRequest) {
    this.#parts = parts;
    this.#request = request;
  }

  /** @throws Error if the directory cannot be read; the reason of the signal */
  async run(): Promise<ImportSummary> {
    await this.#importDirectory(await LocalDirectory.open(this.#request.from), this.#request.to);
    return this.summary;
  }

  /** Imports a directory, and closes it. */
  async #importDirectory(directory: LocalDirectory, target: LogicalPath): Promise<void> {
    try {
      if (this.#request.except.has(directory.identity)) {
        this.summary.excluded.push(directory.path);
        return;
      }
      await this.#importChildren(directory, target);
    } finally {
      await directory.close();
    }
  }

  async #importChildren(directory: LocalDirectory, target: LogicalPath): Promise<void> {
    const children = await this.#findChildren(target);
    if (children === undefined) await this.#makeDirectory(target);
    const known = children ?? new Map<string, ListedEntry>();
    const found = await directory.list();
    const { leftOut } = this.#request;
    const isWanted = (entry: Dirent) =>
      entry.isDirectory() || (entry.isFile() && leftOut?.test(entry.name) !== true);
    this.summary.ignored += found.filter((entry) => !isWanted(entry)).length;
    const wanted = found.filter(isWanted);
    const names = this.#toNames(directory, wanted);
    await mapConcurrently(
      wanted.filter((entry) => entry.isFile()),
      CONCURRENT_FILES,
      (entry) =>
        this.#attempt(path.join(directory.path, entry.name), () =>
          this.#importFile({ directory, filename: entry.name, name: nameIn(names, entry) }, target, known),
        ),
    );
    for (const entry of wanted.filter((each) => each.isDirectory())) {
      await this.#attempt(path.join(directory.path, entry.name), async () => {
        const name = nameIn(names, entry);
        const existing = known.get(name)?.entry;
        if (existing?.isDirectory === false) throw new Failure('conflict', 'There is a file with that name.');
        await this.#importDirectory(await directory.openDirectory(entry.name), childOf(target, name));
      });
    }
  }

  /** Chooses the names in the drive. They are the same each time, so that an import can be repeated. */
  #toNames(directory: LocalDirectory, entries: readonly Dirent[]): ReadonlyMap<string, FileName> {
    const names = new Map<string, FileName>();
    const taken = new Set<string>();
    const assignName = (spelling: string, name: FileName) => {
      names.set(spelling, name);
      taken.add(name);
    };
    for (const { name } of entries) if (isFileName(name)) assignName(name, name);
    for (const { name: spelling } of entries) {
      if (names.has(spelling)) continue;
      const name = toFreeName(toClosestFileName(spelling), taken);
      assignName(spelling, name);
      if (name !== toNormalForm(spelling, MAX_NAME_LENGTH)) {
        this.#addRenaming(path.join(directory.path, spelling), name);
      }
    }
    return names;
  }

  #addRenaming(file: string, name: FileName): void {
    this.summary.renamed += 1;
    if (this.summary.renamings.length === MAX_SENTENCES) return;
    this.summary.renamings.push(`${JSON.stringify(file)} to ${JSON.stringify(name)}`);
  }

  /** One file or directory that cannot be imported does not end the import. */
  async #attempt(file: string, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#request;
    try {
      signal.throwIfAborted();
      await work();
    } catch (error) {
      if (signal.aborted || !isAboutOneFile(error)) throw error;
      this.summary.failed += 1;
      if (this.summary.sentences.length < MAX_SENTENCES) {
        this.summary.sentences.push(`${JSON.stringify(file)}: ${reasonOf(error)}`);
      }
    }
  }

  async #importFile(
    { directory, filename, name }: { directory: LocalDirectory; filename: string; name: FileName },
    target: LogicalPath,
    known: ReadonlyMap<string, ListedEntry>,
  ): Promise<void> {
    const file = await directory.openFile(filename);
    try {
      await this.#importOpenFile(file, name, target, known);
    } finally {
      await file.handle.close();
    }
  }

  async #importOpenFile(
    file: LocalFile,
    name: FileName,
    target: LogicalPath,
    known: ReadonlyMap<string, ListedEntry>,
  ): Promise<void> {
    const existing = known.get(name);
    if (existing !== undefined && (await this.#isPresent(file, name, known))) {
      this.summary.present += 1;
      return;
    }
    const { onConflict, isDryRun } = this.#request;
    if (existing?.entry.isDirectory) throw new Failure('conflict', 'There is a directory with that name.');
    if (existing !== undefined && onConflict === 'FAIL') {
      throw new Failure('conflict', 'There is another file with that name.');
    }
    if (!isDryRun) await this.#store(file, name, target);
    this.summary.files += 1;
    this.summary.bytes += file.size;
    this.#request.onProgress(`Imported ${this.summary.files} files.`);
  }

  /**
   * Whether the drive already has the file under its name or, if conflicts are renamed, under a numbered
   * name.
   */
  async #isPresent(
    file: LocalFile,
    filename: FileName,
    known: ReadonlyMap<string, ListedEntry>,
  ): Promise<boolean> {
    const parsed = parseNumberedName(filename);
    let number = parsed.number;
    for (let name = filename; ; ) {
      const existing = known.get(name);
      if (existing === undefined) return false;
      if (await isSame(file, existing)) return true;
      if (this.#request.onConflict !== 'RENAME') return false;
      number += 1;
      name = withNumber(parsed, number);
    }
  }

  async #store({ handle, size, modifiedAt }: LocalFile, name: FileName, target: LogicalPath): Promise<void> {
    const { content } = this.#parts.drive;
    const { accountId, driveId, onConflict, signal } = this.#request;
    const actor = { driveId, accountId, clientId: null };
    const limit = await content.getLimit(driveId);
    if (size > limit.maxBytes) throw new Failure('over-limit', limit.message);
    const file = { ...toNewFile({ path: target, filename: name }), modifiedAt };
    const expected = { minBytes: size, maxBytes: size };
    await content.reserveDuring({ user: actor, size: expected }, async (write) => {
      const bytes = await write.storeFile(handle, limit, signal);
      await write.commitFile(actor, bytes, () => ({ file, onConflict }));
    });
  }

  async #makeDirectory(target: LogicalPath): Promise<void> {
    const { accountId, driveId, isDryRun } = this.#request;
    this.summary.directories += 1;
    if (!isDryRun) await this.#parts.drive.tree.makeDirectory({ driveId, accountId, clientId: null }, target);
  }

  /** The children of a directory of the drive by their names; undefined if it does not exist. */
  async #findChildren(target: LogicalPath): Promise<ReadonlyMap<string, ListedEntry> | undefined> {
    const { listing } = this.#parts.drive;
    const children = new Map<string, ListedEntry>();
    try {
      const directory = await listing.getDirectory(this.#request.driveId, target);
      for (let last: NamePlace | undefined; ; ) {
        const page = await listing.listAfter(directory.id, last, CHILDREN_PER_QUERY);
        for (const child of page) children.set(child.entry.name, child);
        last = page.at(-1)?.place;
        if (page.length < CHILDREN_PER_QUERY) return children;
      }
    } catch (error) {
      if (target !== ROOT_PATH && isNotFound(error)) return undefined;
      throw error;
    }
  }
}

function nameIn(names: ReadonlyMap<string, FileName>, { name }: Dirent): FileName {
  return names.get(name) ?? toClosestFileName(name);
}

/** Two names can be close to the same allowed name: the second gets a number. */
function toFreeName(name: FileName, taken: ReadonlySet<string>): FileName {
  const parsed = parseNumberedName(name);
  let free = name;
  for (let number = parsed.number + 1; taken.has(free); number += 1) free = withNumber(parsed, number);
  return free;
}

async function isSame(local: LocalFile, { entry, sha256 }: ListedEntry): Promise<boolean> {
  if (entry.isDirectory || entry.size !== local.size) return false;
  if (entry.modifiedAt === local.modifiedAt) return true;
  if (sha256 === null) return false;
  const hash = createHash('sha256');
  await pipeline(local.handle.createReadStream({ start: 0, autoClose: false }), hash);
  return hash.digest('hex') === sha256;
}

/** Whether the error concerns one file only. Errors of the database or the store would affect all files. */
function isAboutOneFile(error: unknown): error is Error {
  if (error instanceof Failure) return error.kind !== 'unavailable';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO'].includes(code);
}

/** Removes the path from a file system error, because it may lead through a descriptor of this process. */
function reasonOf(error: Error): string {
  return error instanceof Failure ? error.message : error.message.replace(/, \w+ '.*$/s, '');
}
