import path from 'node:path';
import { Readable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import { mergeJoin } from '../base/merge-join.ts';
import { ALL_DAYS, isOwnKey, STORE_ID_KEY } from '../blobs/blobs.ts';
import type { Database, Tx } from '../database/database.ts';
import {
  deleteRows,
  insertRows,
  type Row,
  setLastGeneratedId,
  withDeferredForeignKeys,
} from '../database/dump/table-rows.ts';
import { readTableShapes, type TableShape } from '../database/dump/table-shapes.ts';
import { lockSchema, MIGRATIONS, migrateInTransaction } from '../database/migrator.ts';
import { DRIVER_CAPABILITIES, type StoreLocation } from '../policies/policies.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { BackupDirectory } from './backup-directory.ts';
import { type Manifest, readManifest, type TableFile } from './manifest.ts';
import { copyListed, type ListedObject, listedObjects, OBJECTS, writeVerified } from './object-list.ts';
import { queueRunningTasks, setLocationOfAllBlobs } from './queries.ts';
import { digestFile, readRowFile } from './row-file.ts';

interface RestoreParts {
  /** A database without tables. */
  readonly database: Database;
  /** The store for all objects. */
  readonly store: ObjectStore;
  /** The location of the store. */
  readonly location: StoreLocation;
  readonly clock: Clock;
  readonly ids: Ids;
}

interface RestoreOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (sentence: string) => void;
}

/**
 * Restores a backup into an empty database and an empty store of any type. All files and objects are checked
 * against their digests. Objects are copied first. Rows are inserted last, in one transaction that also
 * migrates the schema to this version: before its commit no service can use the drive. An interrupted restore
 * can be repeated.
 *
 * @throws Error with a sentence; the reason of the signal
 */
export async function restoreBackup(
  parts: RestoreParts,
  directory: string,
  { signal, onProgress = () => {} }: RestoreOptions,
): Promise<Manifest> {
  const source = new BackupDirectory(directory, parts.ids);
  const manifest = await readManifest(source.path);
  const rowsDirectory = source.rowsOf(manifest.rows);
  const list = path.join(rowsDirectory, OBJECTS);
  checkSchemaSteps(manifest);
  await checkFiles(manifest, rowsDirectory, { signal, onProgress });
  await checkPresence(source.objects, list, signal);
  await checkEmpty(parts, manifest, list);
  await copyObjects(parts.store, source.objects, list, { signal, onProgress });
  await parts.store.write(STORE_ID_KEY, Readable.from([Buffer.from(manifest.driveId)]));
  await parts.database.transact(async (tx) => {
    // A service that starts meanwhile waits for this lock, and then finds the drive.
    await lockSchema(tx, parts.database);
    await checkNoTables(parts.database, tx);
    await migrateInTransaction(tx, parts.database, MIGRATIONS.slice(0, manifest.schemaSteps.length));
    await insertTables(parts.database, tx, manifest, rowsDirectory, { signal, onProgress });
    await recordObjectLocations(tx, parts);
    await migrateInTransaction(tx, parts.database);
    await queueRunningTasks(tx, parts.clock.now());
  });
  return manifest;
}

function checkSchemaSteps({ schemaSteps, version }: Manifest): void {
  const unknown = schemaSteps.find((name, position) => MIGRATIONS[position]?.name !== name);
  if (unknown === undefined && schemaSteps.length > 0) return;
  throw new Error(
    `The backup was made by Holdall ${version} and has the schema step ${unknown}, which this version does not know.`,
  );
}

async function checkFiles(
  { tables, objects }: Manifest,
  directory: string,
  { signal, onProgress }: Required<RestoreOptions>,
): Promise<void> {
  for (const file of [...tables, { ...objects, name: 'objects' }]) {
    signal.throwIfAborted();
    onProgress(`Checking the rows of ${file.name}.`);
    const name = path.join(directory, `${file.name}.jsonl`);
    const found = await digestFile(name).catch(() => undefined);
    if (found?.sha256 !== file.sha256 || found.lines !== file.lines) {
      throw new Error(`The backup is damaged: ${name} is missing or was changed.`);
    }
  }
}

async function checkPresence(source: ObjectStore, list: string, signal: AbortSignal): Promise<void> {
  for await (const { key, left, right } of mergeJoin(listedObjects(list), source.list(''))) {
    signal.throwIfAborted();
    if (left === undefined || left.size === right?.size) continue;
    // Asks for the object itself, because a listing may miss objects.
    if ((await source.find(key))?.size !== left.size) throw damagedObject(key);
  }
}

/**
 * Checks that database and store are empty, except for objects that an earlier attempt of this restore has
 * copied.
 */
async function checkEmpty(
  { database, store }: RestoreParts,
  { driveId }: Manifest,
  list: string,
): Promise<void> {
  await checkNoTables(database, database.db);
  const other = new Error(
    'The store is not empty: it has objects that do not belong to this backup. Restore into an empty store.',
  );
  const id = await store.find(STORE_ID_KEY);
  if (id !== undefined) {
    const found = id.size === 0 ? '' : await store.read(STORE_ID_KEY, { start: 0, end: id.size - 1 });
    if (String(found) !== driveId) throw other;
  }
  for await (const { key, left, right } of mergeJoin(listedObjects(list), store.list(ALL_DAYS))) {
    if (right !== undefined && isOwnKey(key) && left === undefined) throw other;
  }
}

async function checkNoTables(database: Database, db: Database['db']): Promise<void> {
  if ((await readTableShapes(database, db)).length === 0) return;
  throw new Error(
    'The database is not empty. Restore into a new database with which no service was started.',
  );
}

async function copyObjects(
  target: ObjectStore,
  source: ObjectStore,
  list: string,
  { signal, onProgress }: Required<RestoreOptions>,
): Promise<void> {
  let done = 0;
  const copyOne = async (object: ListedObject) => {
    signal.throwIfAborted();
    const bytes = await source.open(object.key);
    if ((await writeVerified(target, object, bytes, signal)) === undefined) throw damagedObject(object.key);
  };
  for await (const copied of copyListed(list, copyOne)) {
    done += copied.length;
    onProgress(`Objects: ${done}.`);
  }
}

async function insertTables(
  database: Database,
  tx: Tx,
  manifest: Manifest,
  directory: string,
  { signal, onProgress }: Required<RestoreOptions>,
): Promise<void> {
  const shapes = new Map((await readTableShapes(database, tx)).map((shape) => [shape.name, shape]));
  await withDeferredForeignKeys(tx, database, async () => {
    for (const file of manifest.tables) {
      const shape = shapeOf(file, shapes);
      // Schema steps may have inserted rows.
      await deleteRows(tx, shape);
      let count = 0;
      for await (const rows of readRowFile(path.join(directory, `${file.name}.jsonl`))) {
        signal.throwIfAborted();
        // The file was checked against its digest.
        await insertRows(tx, database, shape, rows as Row[]);
        count += rows.length;
        onProgress(`Rows of ${file.name}: ${count} of ${file.lines}.`);
      }
      await setLastGeneratedId(tx, database, shape, file.lastId);
    }
  });
}

/** The shape of the table with its columns in the order of the file. */
function shapeOf({ name, columns }: TableFile, shapes: ReadonlyMap<string, TableShape>): TableShape {
  const shape = shapes.get(name);
  if (shape === undefined || shape.columns.toSorted().join() !== columns.toSorted().join()) {
    throw new Error(`The table ${name} of the backup differs from the one that its schema steps create.`);
  }
  return { ...shape, columns };
}

function recordObjectLocations(tx: Tx, { location, clock }: RestoreParts): Promise<void> {
  const { directUpload, maxObjectSize } = DRIVER_CAPABILITIES[location.type];
  return setLocationOfAllBlobs(tx, location, { directUpload, maxObjectSize }, clock.now());
}

function damagedObject(key: string): Error {
  return new Error(`The backup is damaged: the object ${key} is missing or was changed.`);
}
