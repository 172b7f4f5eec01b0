import { existsSync, readdirSync } from 'node:fs';
import { open, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Sqlite from 'better-sqlite3';
import { flushDirectory } from '../../base/bytes/flush-directory.ts';
import { type Clock, DAY, type Instant, systemClock } from '../../base/clock.ts';
import { formatBytes } from '../../base/format-bytes.ts';
import { type Ids, systemIds } from '../../base/ids.ts';

/** The number of copies to keep, the newest ones. */
const KEPT = 2;

/** The number of pages copied at once, before other work gets a turn on the event loop. */
const PAGES_AT_ONCE = 1_000;

const MIB = 1024 * 1024;

/**
 * Copies the database to a file beside it, such as `holdall.db.before-0002`, and removes all but the newest
 * such copies. An existing copy is never replaced: the next one for the same step is
 * `holdall.db.before-0002-2`. When the promise resolves, the copy survives a power cut.
 * @param step the number of the first migration that the copy does not have
 * @param applied the names of the migrations that the copy must have
 * @returns the path of the copy; undefined if another process has changed the schema meanwhile; then no copy
 *   is kept
 * @throws Error with a sentence for the operator if there is no room
 */
export async function saveCopy(
  file: string,
  step: string,
  applied: readonly string[],
  { clock, ids }: { clock: Clock; ids: Ids } = { clock: systemClock, ids: systemIds },
): Promise<string | undefined> {
  const temporary = `${file}.before-${step}.incoming-${ids.uuid()}`;
  await removeLeftovers(file, clock.now());
  const connection = new Sqlite(file, { fileMustExist: true });
  try {
    await checkRoom(file, connection);
    // Readable by this user only, like the database.
    await (await open(temporary, 'wx', 0o600)).close();
    await connection.backup(temporary, { progress: () => PAGES_AT_ONCE });
    // The caller read the migrations without a lock, so another process may have migrated before the copy.
    if (!isDeepStrictEqual(readMigrations(temporary), applied)) return undefined;
    await flushFile(temporary);
    const copy = findFreeName(`${file}.before-${step}`);
    await rename(temporary, copy);
    await flushDirectory(path.dirname(file));
    await removeOldCopies(file, copy);
    return copy;
  } finally {
    connection.close();
    await rm(temporary, { force: true });
  }
}

/** Opens the copy for writing, because a read-only connection would leave write-ahead log files behind. */
function readMigrations(file: string): readonly unknown[] {
  const copy = new Sqlite(file, { fileMustExist: true });
  try {
    return copy.prepare('select name from schema_step order by name').pluck().all();
  } finally {
    copy.close();
  }
}

function findFreeName(name: string): string {
  if (!existsSync(name)) return name;
  for (let number = 2; ; number += 1) {
    if (!existsSync(`${name}-${number}`)) return `${name}-${number}`;
  }
}

/**
 * Keeps the copy just made and the newest others. After a rollback, the newest one may have the lowest step,
 * so steps only decide between equal times.
 */
async function removeOldCopies(file: string, made: string): Promise<void> {
  const others = [];
  for (const copy of listBeside(file, /^\.before-\d{4}(?:-\d+)?$/).toReversed()) {
    const stats = copy === made ? undefined : await stat(copy).catch(() => undefined);
    if (stats !== undefined) others.push({ copy, modifiedAt: stats.mtimeMs });
  }
  others.sort((one, other) => other.modifiedAt - one.modifiedAt);
  for (const { copy } of others.slice(KEPT - 1)) await rm(copy, { force: true });
}

/** Removes the files of copies whose process ended before they were complete. */
async function removeLeftovers(file: string, now: Instant): Promise<void> {
  for (const each of listBeside(file, /^\.before-\d{4}\.incoming-/)) {
    const stats = await stat(each).catch(() => undefined);
    if (stats !== undefined && now - stats.mtimeMs > DAY) await rm(each, { force: true });
  }
}

function listBeside(file: string, ending: RegExp): readonly string[] {
  const name = path.basename(file);
  return readdirSync(path.dirname(file))
    .filter((each) => each.startsWith(name) && ending.test(each.slice(name.length)))
    .sort()
    .map((each) => path.join(path.dirname(file), each));
}

async function checkRoom(file: string, connection: Sqlite.Database): Promise<void> {
  const pages = Number(connection.pragma('page_count', { simple: true }));
  const needed = pages * Number(connection.pragma('page_size', { simple: true })) + MIB;
  const { bavail, bsize } = await statfs(path.dirname(file));
  if (bavail * bsize >= needed) return;
  throw new Error(
    `The database is copied before this version changes its schema, which needs ${formatBytes(needed)} in ` +
      `${path.dirname(file)}, but ${formatBytes(bavail * bsize)} are available. Make room, or start the previous version.`,
  );
}

async function flushFile(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
