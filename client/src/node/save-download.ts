// Saves a download to disk. An interrupted download is continued by the next run.
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
  /** The time that the file gets; undefined: now. */
  readonly modifiedAt?: Date | undefined;
  /** The permissions that the file gets, such as 0o755; by default those of a new file. */
  readonly mode?: number | undefined;
  /**
   * Whether a file that is there when the download is complete is replaced. A function decides at that
   * moment, just before the file is replaced.
   */
  readonly mayReplace: boolean | (() => boolean);
}

/** What was saved. */
export interface Saved {
  /** The checksum of the whole content, in hex. */
  readonly sha256: string;
  /** The ETag of the content; undefined if the service sent none. */
  readonly etag: string | undefined;
  /** Bytes of the whole content. */
  readonly size: number;
  /** Bytes that this run has received; the others were there from an earlier one. */
  readonly receivedBytes: number;
  /**
   * The file just before it was renamed to the target. If the target differs later, another program has
   * changed it.
   */
  readonly written: BigIntStats;
}

export interface SaveSource {
  /** Begins the download at a byte. With a tag it fails with `PreconditionError` for another content. */
  open(start: number, etag: string | undefined): Promise<Download>;
  /** The SHA-256 of the whole content with this tag, in hex; undefined if it is not known. */
  findSha256(etag: string | undefined): Promise<string | undefined>;
}

/** The files beside the target, while it is not complete. Nothing else uses them until they are unlocked. */
export interface LockedPart {
  /** What has arrived. Another name than the target's, in its directory. */
  readonly part: string;
  /** The ETag of the content, so that a later run can go on. */
  readonly tag: string;
  unlock(): Promise<void>;
}

/**
 * Writes to a file beside the target and renames it when it is complete and its checksum is right. So the
 * target is never a part of a file. What was saved survives when the computer loses its power right after.
 * @param onBytes called with those of an earlier run first, then as bytes arrive
 * @throws HoldallError: `DamagedError` if the checksum is wrong, `ConflictError` if the target has appeared meanwhile
 *   or another command downloads it; the reason of the signal
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
 * Locks the part of a target, and creates its directory if it is missing. A killed process leaves its part; the next
 * command for this target continues or replaces it.
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

/** Whether a running command has locked the part of a target. */
export function isPartLocked(target: string): Promise<boolean> {
  return isLocked(lockOf(partOf(target)));
}

/**
 * Renames a complete part to its target. Afterwards it survives a loss of power, if its bytes were flushed before.
 * @throws HoldallError: `ConflictError` if the target must not be replaced; Error of the file system
 */
export async function completePart(
  part: string,
  target: Pick<SaveTarget, 'path' | 'mayReplace'>,
): Promise<void> {
  const { path: to, mayReplace } = target;
  if (typeof mayReplace === 'function') {
    if (!mayReplace()) throw new ConflictError(`${to} has changed meanwhile.`);
    // At once, so that nothing happens in between.
    renameSync(part, to);
  } else if (mayReplace) await rename(part, to);
  else await renameToFree(part, to);
  await syncDirectory(path.dirname(to));
}

function partOf(target: string): string {
  // A short name, since that of the target may be as long as names can be.
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
      // Another content, or nothing is left to be sent: it begins anew.
      if (!(error instanceof PreconditionError) && !isRangeError(error)) throw error;
    }
  }
  await removeAll(part, tag);
  return { opened: await source.open(0, undefined), start: 0 };
}

/** Gives the length of the whole content. */
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
      // After an interruption too: the next run goes on from here.
      await writer.flush();
    }
    await file.sync();
    return writer.position;
  } finally {
    await file.close();
  }
}

/** Renames without replacing what has appeared there meanwhile. @throws ConflictError */
async function renameToFree(from: string, to: string): Promise<void> {
  try {
    // A rename would replace a file, a link does not.
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // File systems without links, such as those of memory cards.
    const hasNoLinks = code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'ENOSYS';
    // Both at once, so that nothing of this program happens in between. A symbolic link to nothing is there,
    // too.
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

/** RFC 9110, section 15.5.17: the range begins behind the end. */
function isRangeError(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 416;
}
