// Saves a download to disk. The next run continues an interrupted download.
import { createHash, type Hash } from 'node:crypto';
import { type BigIntStats, createReadStream, lstatSync, renameSync } from 'node:fs';
import { chmod, link, mkdir, open, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Download } from '../downloads/download.ts';
import { ConflictError, DamagedError, PreconditionError } from '../errors/errors.ts';
import { BatchWriter } from './batch-writer.ts';
import { isLocked, lockFile } from './lock-file.ts';
import { syncDirectory } from './sync-directory.ts';

export interface SaveTarget {
  readonly path: string;
  /** The modification time for the file; now if undefined. */
  readonly modifiedAt?: Date | undefined;
  /** The permissions for the file, such as 0o755; by default those of a new file. */
  readonly mode?: number | undefined;
  /**
   * Whether to replace a file that exists at the target when the download is complete. A function is called
   * just before the file is replaced.
   */
  readonly mayReplace: boolean | (() => boolean);
}

/** The result of a completed download. */
export interface Saved {
  /** The checksum of the whole content, in hex. */
  readonly sha256: string;
  /** The ETag of the content; undefined if the service sent none. */
  readonly etag: string | undefined;
  /** Bytes of the whole content. */
  readonly size: number;
  /** The bytes received by this run. The rest comes from an earlier one. */
  readonly receivedBytes: number;
  /**
   * The stats of the file just before it was renamed to the target. If the target differs later, another
   * program has changed it.
   */
  readonly written: BigIntStats;
}

export interface SaveSource {
  /** Begins the download at a byte. With an ETag, fails with `PreconditionError` if the content differs. */
  open(start: number, etag: string | undefined): Promise<Download>;
  /** The SHA-256 of the whole content with this ETag, in hex; undefined if unknown. */
  findSha256(etag: string | undefined): Promise<string | undefined>;
}

/** The files next to an incomplete target. No one else uses them until they are unlocked. */
export interface LockedPart {
  /** The file with the bytes that have arrived, in the target's directory under another name. */
  readonly part: string;
  /** The file with the ETag of the content, so that a later run can continue. */
  readonly tag: string;
  unlock(): Promise<void>;
}

/**
 * Writes to a file next to the target, and renames it once it is complete and its checksum is correct. So the
 * target is never incomplete. The saved file survives a power cut right afterwards.
 * @param onBytes called first with the bytes of an earlier run, then as bytes arrive
 * @throws HoldallError: `DamagedError` if the checksum is wrong, `ConflictError` if the target has appeared
 *   meanwhile or another command downloads it; the reason of the signal
 */
export async function saveDownload(
  source: SaveSource,
  target: SaveTarget,
  onBytes: (bytes: number, download: Download) => void,
): Promise<Saved> {
  const locked = await lockPart(target.path);
  try {
    return await download(source, target, locked, onBytes);
  } finally {
    await locked.unlock();
  }
}

/**
 * Locks the part file of a target, and creates its directory if it is missing. A killed process leaves its
 * part file behind. The next command for this target continues or replaces it.
 * @throws HoldallError: `ConflictError` if another command has locked it; Error of the file system
 */
export async function lockPart(target: string): Promise<LockedPart> {
  await mkdir(path.dirname(target), { recursive: true });
  const part = partOf(target);
  const lock = lockOf(part);
  const unlock = await lockFile(lock);
  if (unlock === undefined) {
    const name = path.basename(target);
    throw new ConflictError(`Another command is writing ${name}. If there is none, delete ${lock}.`);
  }
  return { part, tag: `${part}.etag`, unlock };
}

/** Whether a running command has locked the part file of a target. */
export function isPartLocked(target: string): Promise<boolean> {
  return isLocked(lockOf(partOf(target)));
}

/**
 * Renames a complete part file to its target. Afterwards it survives a power cut, provided its bytes were
 * flushed before.
 * @throws HoldallError: `ConflictError` if the target must not be replaced; Error of the file system
 */
export async function completePart(
  part: string,
  target: Pick<SaveTarget, 'path' | 'mayReplace'>,
): Promise<void> {
  const { path: to, mayReplace } = target;
  if (typeof mayReplace === 'function') {
    if (!mayReplace()) throw new ConflictError(`${to} has changed meanwhile.`);
    // Synchronous, so that nothing happens in between.
    renameSync(part, to);
  } else if (mayReplace) await rename(part, to);
  else await renameToFree(part, to);
  await syncDirectory(path.dirname(to));
}

function partOf(target: string): string {
  // A short name, because the target's name may already have the maximum length.
  const name = createHash('sha256').update(path.basename(target)).digest('hex').slice(0, 16);
  return path.join(path.dirname(target), `.holdall-${name}.part`);
}

function lockOf(part: string): string {
  return `${part}.lock`;
}

async function download(
  source: SaveSource,
  target: SaveTarget,
  { part, tag }: LockedPart,
  onBytes: (bytes: number, download: Download) => void,
): Promise<Saved> {
  const hash = createHash('sha256');
  const { opened, start } = await openRest(source, part, tag);
  if (start > 0) await addFile(hash, part);
  onBytes(start, opened);
  if (opened.etag !== undefined) await writeFile(tag, opened.etag);
  const size = await append(part, start, opened, hash, onBytes);
  const sha256 = hash.digest('hex');
  const expected = await source.findSha256(opened.etag);
  if (expected !== undefined && expected !== sha256) {
    await removeAll(part, tag);
    throw new DamagedError(`${target.path} arrived damaged. Download it again.`);
  }
  if (target.modifiedAt !== undefined) await utimes(part, target.modifiedAt, target.modifiedAt);
  if (target.mode !== undefined) await chmod(part, target.mode);
  const written = lstatSync(part, { bigint: true });
  await completePart(part, target);
  await rm(tag, { force: true });
  return { sha256, etag: opened.etag, size, receivedBytes: size - start, written };
}

async function openRest(
  source: SaveSource,
  part: string,
  tag: string,
): Promise<{ readonly opened: Download; readonly start: number }> {
  const start = await stat(part).then(
    ({ size }) => size,
    () => 0,
  );
  const etag = start === 0 ? undefined : await readFile(tag, 'utf8').catch(() => undefined);
  if (etag !== undefined) {
    try {
      return { opened: await source.open(start, etag), start };
    } catch (error) {
      // The content has changed, or there is nothing left to send, so the download starts over.
      if (!(error instanceof PreconditionError) && !isRangeError(error)) throw error;
    }
  }
  await removeAll(part, tag);
  return { opened: await source.open(0, undefined), start: 0 };
}

/** Appends the bytes of the download. Returns the length of the whole content. */
async function append(
  part: string,
  start: number,
  download: Download,
  hash: Hash,
  onBytes: (bytes: number, download: Download) => void,
): Promise<number> {
  const file = await open(part, start === 0 ? 'w' : 'r+');
  const writer = new BatchWriter(file, start);
  try {
    try {
      for await (const chunk of download.stream) {
        const { length } = chunk;
        hash.update(chunk);
        await writer.add(chunk);
        onBytes(length, download);
      }
    } finally {
      // Also after an interruption, because the next run continues from here.
      await writer.flush();
    }
    await file.sync();
    return writer.position;
  } finally {
    await file.close();
  }
}

/** Renames without replacing a file that has appeared there meanwhile. @throws ConflictError */
async function renameToFree(from: string, to: string): Promise<void> {
  try {
    // A rename would replace an existing file. A hard link does not.
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The file system supports no links, such as those of memory cards.
    const hasNoLinks = code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'ENOSYS';
    // Both calls are synchronous, so that no other code of this program runs in between. A dangling symbolic
    // link also counts as existing.
    if (hasNoLinks && lstatSync(to, { throwIfNoEntry: false }) === undefined) return renameSync(from, to);
    if (code === 'EEXIST' || hasNoLinks) {
      throw new ConflictError(`${to} has appeared meanwhile. See --on-conflict.`, { cause: error });
    }
    throw error;
  }
  await rm(from);
}

async function addFile(hash: Hash, file: string): Promise<void> {
  for await (const chunk of createReadStream(file)) hash.update(chunk);
}

async function removeAll(...files: readonly string[]): Promise<void> {
  for (const file of files) await rm(file, { force: true });
}

/** Whether the range starts after the end of the content (RFC 9110, section 15.5.17). */
function isRangeError(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 416;
}
