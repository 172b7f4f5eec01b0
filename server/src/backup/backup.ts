import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { flushDirectory } from '../base/bytes/flush-directory.ts';
import { type Clock, DAY, SECOND } from '../base/clock.ts';
import { toTimestamp } from '../base/dates.ts';
import type { Ids } from '../base/ids.ts';
import { mergeJoin } from '../base/merge-join.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Database, Db } from '../database/database.ts';
import { readLastGeneratedId, readRows } from '../database/dump/table-rows.ts';
import { readTableShapes, type TableShape } from '../database/dump/table-shapes.ts';
import { readAppliedMigrations } from '../database/migrator.ts';
import type { NamedLease } from '../leases/leases.ts';
import { BackupDirectory } from './backup-directory.ts';
import { FORMAT, type TableFile, writeManifest } from './manifest.ts';
import { ObjectCopies } from './object-copies.ts';
import { listedObjects, OBJECTS } from './object-list.ts';
import { findWantedObjects } from './queries.ts';
import { RowFileWriter } from './row-file.ts';

export { type Manifest, readManifest } from './manifest.ts';
export { restoreBackup } from './restore.ts';

const PAGE = 1_000;

/** The file that lists the objects to copy. */
const OBJECTS_TO_COPY = 'objects-to-copy.jsonl';

/**
 * Tables that are not backed up: leases, the counts of failed logins, unfinished uploads (whose bytes are in
 * no object yet), the texts of files (the service takes them again), permissions for one download, the tokens
 * of mailed links (a restore must not make used ones valid again), mails and push messages (a restored
 * service would send them again), policy migrations (a restore puts all objects into one store), the keys of
 * removed orphans, the results of maintenance, and a table that triggers of the schema maintain. The schema
 * steps are in the manifest.
 */
export const EXCLUDED_TABLES: readonly string[] = [
  'schema_step',
  'lease',
  'credential_attempt',
  'upload_session',
  'upload_part',
  'upload_ticket',
  'upload_reservation',
  'zip_ticket',
  'account_token',
  'blob_relocation',
  'blob_move',
  'removed_object',
  'text_queue',
  'blob_text',
  'text_scan',
  'job_run',
  'service_fault',
  'mail',
  'mail_count',
  'push_delivery',
  'unindexed_entry',
];

interface BackupParts {
  readonly database: Database;
  /** A separate connection to the same database, for one long snapshot. */
  readonly snapshot: Database;
  readonly blobs: Blobs;
  /** While a backup holds it, no sweep removes objects. */
  readonly removalLease: Pick<NamedLease, 'runExclusively'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly driveId: string;
  readonly version: string;
}

interface BackupOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (sentence: string) => void;
}

interface BackupSummary {
  readonly rows: number;
  readonly objects: number;
  readonly copied: number;
  readonly bytes: number;
  /** Objects that should be in the backup and are not, as sentences. */
  readonly missing: readonly string[];
}

/**
 * Copies rows and objects into the directory while the service runs: first a snapshot of all rows, then the
 * objects that those rows refer to. No unreferenced object is removed until all are copied. Objects of an
 * earlier backup in the directory are not copied again. If the backup is interrupted, the earlier backup
 * stays complete.
 *
 * @throws Error with a sentence; Failure `unavailable`; the reason of the signal
 */
export async function takeBackup(
  parts: BackupParts,
  directory: string,
  { signal, onProgress = () => {} }: BackupOptions,
): Promise<BackupSummary> {
  const target = new BackupDirectory(directory, parts.ids);
  await target.claim(parts.driveId).catch((error: unknown) => throwExplained(error, target));
  for (;;) {
    let summary: BackupSummary | undefined;
    await parts.removalLease.runExclusively(async () => {
      summary = await takeExclusively(parts, target, { signal, onProgress }).catch((error: unknown) =>
        throwExplained(error, target),
      );
    });
    if (summary !== undefined) return summary;
    onProgress('Waiting for the maintenance jobs, or another backup, to end.');
    await sleep(SECOND, undefined, { signal });
  }
}

const TARGET_FAULTS: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'is full'],
  ['EDQUOT', 'is full'],
  ['EROFS', 'is read-only'],
]);

/** Names the target if its disk is the reason. Apart from the database, a backup writes to no other disk. */
function throwExplained(error: unknown, target: BackupDirectory): never {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const fault = 'code' in cause ? TARGET_FAULTS.get(String(cause.code)) : undefined;
    if (fault === undefined) continue;
    const sentence = `The disk of the backup directory ${target.path} ${fault}.`;
    throw new Error(`${sentence} An earlier backup in it stays complete.`, { cause: error });
  }
  throw error;
}

async function takeExclusively(
  parts: BackupParts,
  target: BackupDirectory,
  { signal, onProgress }: Required<BackupOptions>,
): Promise<BackupSummary> {
  const { clock } = parts;
  const takenAt = clock.now();
  const name = `rows-${parts.ids.uuid()}`;
  const rowsDirectory = target.rowsOf(name);
  await mkdir(rowsDirectory, { mode: 0o700 });
  const { tables, schemaSteps } = await parts.snapshot.readSnapshot(async (db) => {
    const schemaSteps = await readAppliedMigrations(db);
    const tables = await writeTables(parts.snapshot, db, rowsDirectory, { signal, onProgress });
    await writeObjectsToCopy(db, path.join(rowsDirectory, OBJECTS_TO_COPY), signal);
    return { schemaSteps, tables };
  });

  const copies = new ObjectCopies({ ...parts, target: target.objects, signal, onProgress });
  const copied = await copies.copyAll(
    path.join(rowsDirectory, OBJECTS_TO_COPY),
    path.join(rowsDirectory, OBJECTS),
  );
  signal.throwIfAborted();
  await flushDirectory(rowsDirectory);
  await writeManifest(target.path, {
    format: FORMAT,
    version: parts.version,
    takenAt: toTimestamp(takenAt),
    driveId: parts.driveId,
    schemaSteps,
    rows: name,
    tables,
    objects: { ...copied.digest, bytes: copied.bytes },
    missing: copied.missing,
  });

  onProgress('Removing files that the new backup does not need.');
  await target.removeOtherRows(name);
  await removeOtherObjects(target, path.join(rowsDirectory, OBJECTS));
  await target.objects.removeAbandonedWrites(clock.now() - DAY, async () => []);
  return {
    rows: tables.reduce((sum, table) => sum + table.lines, 0),
    objects: copied.digest.lines,
    copied: copied.copied,
    bytes: copied.bytes,
    missing: copied.missing,
  };
}

async function writeTables(
  snapshot: Database,
  db: Db,
  directory: string,
  { signal, onProgress }: Required<BackupOptions>,
): Promise<readonly TableFile[]> {
  const files: TableFile[] = [];
  for (const table of await readTableShapes(snapshot, db)) {
    if (EXCLUDED_TABLES.includes(table.name)) continue;
    files.push(await writeTable(snapshot, db, table, directory, { signal, onProgress }));
  }
  return files;
}

async function writeTable(
  snapshot: Database,
  db: Db,
  table: TableShape,
  directory: string,
  { signal, onProgress }: Required<BackupOptions>,
): Promise<TableFile> {
  const writer = await RowFileWriter.create(path.join(directory, `${table.name}.jsonl`));
  try {
    let count = 0;
    for await (const rows of readRows(db, table, PAGE)) {
      signal.throwIfAborted();
      await writer.write(rows);
      count += rows.length;
      onProgress(`Rows of ${table.name}: ${count}.`);
    }
    const { name, columns } = table;
    return {
      name,
      columns,
      lastId: await readLastGeneratedId(db, snapshot, table),
      ...(await writer.finish()),
    };
  } finally {
    await writer.close();
  }
}

async function writeObjectsToCopy(db: Db, file: string, signal: AbortSignal): Promise<void> {
  const writer = await RowFileWriter.create(file);
  try {
    for (let after = ''; ; ) {
      signal.throwIfAborted();
      const page = await findWantedObjects(db, after, PAGE);
      await writer.write(page);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = last.objectKey;
    }
  } finally {
    await writer.close();
  }
}

async function removeOtherObjects(target: BackupDirectory, list: string): Promise<void> {
  let unlisted: string[] = [];
  const remove = async () => {
    await target.objects.remove(unlisted);
    unlisted = [];
  };
  for await (const { key, left } of mergeJoin(listedObjects(list), target.objects.list(''))) {
    if (left === undefined) unlisted.push(key);
    if (unlisted.length >= PAGE) await remove();
  }
  await remove();
}
