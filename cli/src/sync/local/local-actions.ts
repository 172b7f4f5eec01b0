import { type Dirent, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { ConflictError, type Holdall } from '../../../../client/src/client.ts';
import { fileSource, lockFile, saveDownload, syncDirectoryNow } from '../../../../client/src/node/files.ts';
import { isSameIdentity } from '../rules/disk-identity.ts';
import { isSameButRenamed, isSameOnDisk, type LocalEntry, type RemoteEntry } from '../rules/entries.ts';
import type { IgnoreRules } from '../rules/ignore-rules.ts';
import { joinPath, nameOf, parentOf } from '../rules/path-map.ts';
import { findDiskFacts, toDiskFacts } from './disk-facts.ts';
import type { LocalTree } from './local-tree.ts';

// Changes on disk. Each first checks that the disk is still in the state known to the sync.

/** The result of a download. */
interface Downloaded {
  /** The checksum of the downloaded content. */
  readonly sha256: string;
  /**
   * Whether someone has saved the file since the download, so that it may no longer have the downloaded
   * content.
   */
  readonly isChanged: boolean;
}

/** Part files and locks of downloads. */
const OWN_FILE = /^\.holdall-[0-9a-f]{16}\.part/;

export class LocalActions {
  readonly #local: LocalTree;

  constructor(local: LocalTree) {
    this.#local = local;
  }

  /**
   * Downloads a file. An existing file is replaced only if it is the known one.
   * @throws HoldallError; Error of the file system
   */
  async download(
    entryPath: string,
    remote: RemoteEntry,
    options: {
      readonly holdall: Holdall;
      readonly signal: AbortSignal;
      readonly onBytes: (bytes: number) => void;
    },
  ): Promise<Downloaded> {
    checkName(entryPath);
    this.#local.checkAbove(entryPath);
    const { holdall, signal, onBytes } = options;
    const known = this.#local.entries.get(entryPath);
    const target = this.#local.locate(entryPath);
    const isUnchanged = () => known !== undefined && this.#isUnchanged(target, known);
    const mode = known === undefined ? undefined : findDiskFacts(target)?.mode;
    const { sha256, written } = await saveDownload(
      fileSource(holdall.downloads, remote.id, { signal }),
      {
        path: target,
        modifiedAt: new Date(remote.modifiedAt),
        mayReplace: known === undefined ? false : isUnchanged,
        ...(mode === undefined ? {} : { mode }),
      },
      onBytes,
    );
    const found = this.#local.refresh(entryPath, this.#local.localPathOf(entryPath));
    return { sha256, isChanged: found !== undefined && !isSameButRenamed(found, toDiskFacts(written)) };
  }

  makeDirectory(entryPath: string): void {
    checkName(entryPath);
    this.#local.checkAbove(entryPath);
    const target = this.#local.locate(entryPath);
    if (!existsSync(target)) {
      mkdirSync(target);
      // Without this flush, a power cut could lose the directory. The next sync would then delete it in the
      // drive.
      syncDirectoryNow(path.dirname(target));
      // Listing the parent for every new directory would take quadratic time.
      if (mayBeCut(nameOf(entryPath))) checkSpelling(target, nameOf(entryPath));
    } else checkSpelling(target, nameOf(entryPath));
    const made = this.#local.refresh(entryPath, this.#local.localPathOf(entryPath));
    if (made?.isDirectory !== true)
      throw new ConflictError('A file with the name of this directory has appeared.');
  }

  /**
   * Deletes a file if it is the known one, or a directory if it contains only files that operating systems
   * create on their own. Returns false if the directory contains anything else.
   */
  async delete(entryPath: string, known: LocalEntry, rules: IgnoreRules): Promise<boolean> {
    const target = this.#local.locate(entryPath);
    if (known.isDirectory) {
      const isJunk = (name: string) => rules.isJunk(joinPath(entryPath, name), name);
      if (!(await removeDirectory(target, isJunk, () => this.#local.checkAbove(entryPath)))) return false;
    } else {
      this.#local.checkAbove(entryPath);
      if (!this.#isUnchanged(target, known)) throw new ConflictError('The file has changed.');
      unlinkSync(target);
    }
    this.#local.entries.delete(entryPath);
    return true;
  }

  /**
   * Renames or moves an entry to a free name.
   * @throws ConflictError if the name is taken; Error of the file system
   */
  move(from: string, to: string): void {
    checkName(to);
    for (const each of [from, to]) this.#local.checkAbove(each);
    const source = this.#local.locate(from);
    const localPath = this.#local.localPathOf(to);
    const target = this.#local.toAbsolute(localPath);
    const before = findDiskFacts(source);
    const existing = findDiskFacts(target);
    if (before === undefined) throw new ConflictError('It is no longer there.');
    // On a disk that ignores case, a name that differs only in case refers to the same entry.
    if (existing !== undefined && !isSameIdentity(existing, before)) {
      throw new ConflictError(`${to} has appeared.`);
    }
    renameSync(source, target);
    for (const directory of new Set([target, source].map((each) => path.dirname(each)))) {
      syncDirectoryNow(directory);
    }
    this.#local.noteMove(from, to);
  }

  #isUnchanged(target: string, known: LocalEntry): boolean {
    const found = findDiskFacts(target);
    return found?.isFile === true && isSameOnDisk(found, known);
  }
}

/**
 * Removes a directory if it contains only part files that no running command is writing, and files that
 * operating systems create on their own.
 * @param check called just before the first change
 */
async function removeDirectory(
  directory: string,
  isJunk: (name: string) => boolean,
  check: () => void,
): Promise<boolean> {
  const unlocks: (() => Promise<void>)[] = [];
  try {
    const names = await readdir(directory).catch(() => []);
    for (const part of new Set(names.flatMap((name) => OWN_FILE.exec(name)?.[0] ?? []))) {
      const unlock = await lockFile(path.join(directory, `${part}.lock`));
      if (unlock === undefined) return false;
      unlocks.push(unlock);
    }
    check();
    return removeDirectoryNow(directory, isJunk);
  } finally {
    for (const unlock of unlocks) await unlock();
  }
}

/** Synchronous, so that no other code of this program runs in between. */
function removeDirectoryNow(directory: string, isJunk: (name: string) => boolean): boolean {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    const isOfNoUse = (entry: Dirent) => OWN_FILE.test(entry.name) || (entry.isFile() && isJunk(entry.name));
    if (!entries.every(isOfNoUse)) return false;
    for (const { name } of entries) unlinkSync(path.join(directory, name));
    rmdirSync(directory);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    if (code === 'ENOENT') return true;
    throw error;
  }
}

/** Whether some file systems, such as FAT, would silently store a different name. */
function mayBeCut(name: string): boolean {
  return /[. ]$/.test(name);
}

/** @throws Error with a sentence for the user if the disk has stored the entry under a different name */
function checkSpelling(target: string, name: string): void {
  const names = readdirSync(path.dirname(target)).map((each) => each.normalize('NFC'));
  if (names.includes(name)) return;
  throw new Error(
    mayBeCut(name)
      ? 'This disk does not keep a blank or a full stop at the end of a name.'
      : 'Here it is the same as another name that differs in upper and lower case only.',
  );
}

function checkName(entryPath: string): void {
  const fault = findLocalNameFault(nameOf(entryPath), process.platform);
  if (fault !== undefined) throw new Error(`This computer cannot have a file with this name: ${fault}.`);
  if (parentOf(entryPath).split('/').includes('..')) throw new Error('The path leaves the directory.');
}

/** Device names of Windows. They are reserved with every extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * Why a computer cannot store a file under the name that it has in the drive; undefined if it can. A
 * dishonest service must not be able to write outside the user's directory.
 */
function findLocalNameFault(name: string, platform: NodeJS.Platform): string | undefined {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) return 'it is not a file name';
  if (platform !== 'win32') return undefined;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Windows disallows them.
  const character = /[<>:"|?*\\\u0000-\u001f]/.exec(name)?.[0];
  if (character !== undefined) return `Windows does not allow ${JSON.stringify(character)}`;
  if (/[ .]$/.test(name)) return 'Windows does not allow a blank or a full stop at the end';
  return DEVICE.test(name) ? 'it is the name of a device of Windows' : undefined;
}
