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
import { putEverythingAt, queueRunningTasks } from './queries.ts';
import { digestFile, readRowFile } from './row-file.ts';

export interface RestoreParts {
  /** Empty: without any table. */
  readonly database: Database;
  /** Where all objects go. */
  readonly store: ObjectStore;
  /** The place that store is. */
  readonly location: StoreLocation;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface RestoreOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (sentence: string) => void;
}

/**
 * Puts a backup into an empty database and an empty store, of whatever kind they are. Everything is held against its digest.
 * The objects come first and the rows last, in one transaction that also brings the schema up to this program: until its
 * commit there is nothing that a service could take for a drive. A restore that was cut off may be done again.
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
  checkSteps(manifest);
  await checkFiles(manifest, rowsDirectory, { signal, onProgress });
  await checkPresence(source.objects, list, signal);
  await checkEmpty(parts, manifest, list);
  await copyObjects(parts.store, source.objects, list, { signal, onProgress });
  await parts.store.write(STORE_ID_KEY, Readable.from([Buffer.from(manifest.driveId)]));
  await parts.database.transact(async (tx) => {
    // A service that starts at this moment waits, and finds the drive.
    await lockSchema(tx, parts.database);
    await checkNoTables(parts.database, tx);
    await migrateInTransaction(tx, parts.database, MIGRATIONS.slice(0, manifest.schemaSteps.length));
    await insertTables(parts.database, tx, manifest, rowsDirectory, { signal, onProgress });
    await placeObjects(tx, parts);
    await migrateInTransaction(tx, parts.database);
    await queueRunningTasks(tx, parts.clock.now());
  });
  return manifest;
}

function checkSteps({ schemaSteps, version }: Manifest): void {
  const unknown = schemaSteps.find((name, position) => MIGRATIONS[position]?.name !== name);
  if (unknown === undefined && schemaSteps.length > 0) return;
  throw new Error(
    `The backup was made by Holdall ${version}, whose schema step ${unknown} this version does not know.`,
  );
}

async function checkFiles(
  { tables, objects }: Manifest,
  directory: string,
  { signal, onProgress }: Required<RestoreOptions>,
): Promise<void> {
  for (const file of [...tables, { ...objects, name: 'objects' }]) {
    signal.throwIfAborted();
    onProgress(`Looking at the rows of ${file.name}.`);
    const name = path.join(directory, `${file.name}.jsonl`);
    const found = await digestFile(name).catch(() => undefined);
    if (found?.sha256 !== file.sha256 || found.lines !== file.lines) {
      throw new Error(`The backup is damaged: ${name} is not as it was written.`);
    }
  }
}

async function checkPresence(source: ObjectStore, list: string, signal: AbortSignal): Promise<void> {
  for await (const { key, left, right } of mergeJoin(listedObjects(list), source.list(''))) {
    signal.throwIfAborted();
    if (left === undefined || left.size === right?.size) continue;
    // A listing may pass over what it should have met.
    if ((await source.find(key))?.size !== left.size) throw damagedObject(key);
  }
}

/** What an earlier attempt left may be there, and nothing else. */
async function checkEmpty(
  { database, store }: RestoreParts,
  { driveId }: Manifest,
  list: string,
): Promise<void> {
  await checkNoTables(database, database.db);
  const other = new Error(
    'The store is not empty: it holds objects that are not of this backup. Restore into an empty one.',
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
    'The database is not empty. Restore into a new one, into which no service has been started.',
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
      // Steps of the schema may have put in rows of their own.
      await deleteRows(tx, shape);
      let count = 0;
      for await (const rows of readRowFile(path.join(directory, `${file.name}.jsonl`))) {
        signal.throwIfAborted();
        // Held against its digest above.
        await insertRows(tx, database, shape, rows as Row[]);
        count += rows.length;
        onProgress(`Rows of ${file.name}: ${count} of ${file.lines}.`);
      }
      await setLastGeneratedId(tx, database, shape, file.lastId);
    }
  });
}

/** The columns in the order of the file. */
function shapeOf({ name, columns }: TableFile, shapes: ReadonlyMap<string, TableShape>): TableShape {
  const shape = shapes.get(name);
  if (shape === undefined || shape.columns.toSorted().join() !== columns.toSorted().join()) {
    throw new Error(`The backup's table ${name} is not one that its schema steps make.`);
  }
  return { ...shape, columns };
}

function placeObjects(tx: Tx, { location, clock }: RestoreParts): Promise<void> {
  const { directUpload, maxObjectSize } = DRIVER_CAPABILITIES[location.type];
  return putEverythingAt(tx, location, { direct: directUpload, largestObject: maxObjectSize }, clock.now());
}

function damagedObject(key: string): Error {
  return new Error(`The backup is damaged: the object ${key} is missing or not as it was stored.`);
}
