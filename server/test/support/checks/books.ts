import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { isOwnKey, STORE_ID_KEY } from '../../../src/blobs/object-key.ts';
import type { Database } from '../../../src/database/database.ts';
import { toNameColumns } from '../../../src/database/name-columns.ts';
import { toTypeColumns } from '../../../src/database/type-columns.ts';
import { ROW_BYTES } from '../../../src/dav/properties/queries.ts';
import type { Policies, StoragePolicy } from '../../../src/policies/policies.ts';
import type { ObjectStore, StoredObject } from '../../../src/storage/object-store.ts';
import { auditNameIndex } from '../database/name-index.ts';
import { diagnose } from './diagnose.ts';

/** What is audited: a running Holdall, or its database and store after it has stopped. */
interface Audited {
  readonly app: {
    readonly database: Database;
    /** The store of the default policy. */
    readonly store: ObjectStore;
    /** Needed when there are other policies. */
    readonly policies?: Policies;
  };
}

interface AuditOptions {
  /** Reads every object written since the last check, and compares its SHA-256. */
  readonly deep?: boolean;
}

/**
 * Checks the books: reads all rows and objects, and compares the stored counts with the actual ones. Fails
 * with one sentence per difference. Nothing may change meanwhile.
 */
export async function checkBooks(audited: Audited, options: AuditOptions = {}): Promise<void> {
  const ledger = await readLedger(audited.app.database);
  const faults = [
    ...auditAccounts(ledger),
    ...auditDrives(ledger),
    ...auditBlobs(ledger),
    ...auditVersions(ledger),
    ...auditShape(ledger),
    ...auditTrees(ledger),
    ...auditProperties(ledger),
    ...(await auditNameIndex(audited.app.database, ledger.entries)),
    ...(await auditObjects(ledger, audited.app, options.deep ?? true)),
  ];
  assert.deepEqual(faults, []);
  // The doctor uses queries instead of reading everything into memory. It must not find a fault either.
  assert.deepEqual((await diagnose(audited.app)).faults, []);
}

type Ledger = Awaited<ReturnType<typeof readLedger>>;
type EntryRow = Ledger['entries'][number];

async function readLedger({ db }: Database) {
  const [
    accounts,
    drives,
    blobs,
    entries,
    tickets,
    uploads,
    transferFiles,
    moves,
    storagePolicies,
    releases,
    versions,
    properties,
  ] = [
    await db.selectFrom('account').selectAll().execute(),
    await db.selectFrom('drive').selectAll().execute(),
    await db.selectFrom('blob').selectAll().execute(),
    await db.selectFrom('entry').selectAll().execute(),
    await db.selectFrom('upload_ticket').selectAll().execute(),
    await db.selectFrom('upload_session').selectAll().execute(),
    await db.selectFrom('transfer_file').selectAll().execute(),
    await db.selectFrom('blob_move').selectAll().execute(),
    await db.selectFrom('storage_policy').selectAll().execute(),
    await db.selectFrom('mobile_release').selectAll().execute(),
    await db.selectFrom('file_version').selectAll().execute(),
    await db.selectFrom('dav_property').selectAll().execute(),
  ];
  return {
    accounts,
    drives,
    blobs,
    entries,
    tickets,
    uploads,
    transferFiles,
    moves,
    defaultPolicyId: storagePolicies.find((policy) => policy.is_default === 1)?.id ?? 0,
    releases,
    versions,
    properties,
    blobOf: new Map(blobs.map((blob) => [blob.id, blob])),
    entryOf: new Map(entries.map((entry) => [entry.id, entry])),
  };
}

/** Checks how many bytes the WebDAV properties of an entry count for, and in which drive. */
function* auditProperties({ properties, entryOf }: Ledger): Generator<string> {
  for (const { entry_id: id, drive_id: driveId, bytes, properties: text } of properties) {
    if (entryOf.get(id)?.drive_id !== driveId)
      yield `the properties of entry ${id} count in drive ${driveId}`;
    if (bytes !== ROW_BYTES + Buffer.byteLength(text))
      yield `the properties of entry ${id} count for ${bytes} bytes`;
  }
}

/**
 * The usage of a drive is the sum of the sizes of its live files. Its entries are all files and directories,
 * live or recycled. It keeps the bytes of recycled files and of versions. It has exactly one root.
 */
function* auditDrives({ drives, entries, versions }: Ledger): Generator<string> {
  for (const drive of drives) {
    const label = `drive ${drive.id}`;
    const all = entries.filter((entry) => entry.drive_id === drive.id);
    const live = all.filter((entry) => entry.deleted_at === null);
    const bytes = live.reduce((sum, entry) => sum + entry.size, 0);
    if (bytes !== drive.used_bytes) yield `${label} uses ${bytes} bytes, but says ${drive.used_bytes}`;
    const kept = [
      ...all.filter((entry) => entry.deleted_at !== null),
      ...versions.filter((version) => version.drive_id === drive.id),
    ].reduce((sum, { size }) => sum + size, 0);
    if (kept !== drive.kept_bytes) yield `${label} keeps ${kept} bytes, but says ${drive.kept_bytes}`;
    const files = live.filter((entry) => entry.is_directory === 0).length;
    if (files !== drive.file_count) yield `${label} has ${files} files, but says ${drive.file_count}`;
    const roots = live.filter((entry) => entry.parent_id === null);
    if (roots.length !== 1) yield `${label} has ${roots.length} roots`;
    const counted = all.length - roots.length;
    if (counted !== drive.entry_count) yield `${label} has ${counted} entries, but says ${drive.entry_count}`;
  }
}

/** Every account has exactly one personal drive. */
function* auditAccounts({ accounts, drives }: Ledger): Generator<string> {
  for (const { id, username } of accounts) {
    const own = drives.filter((drive) => drive.account_id === id);
    if (own.length !== 1) yield `${username} has ${own.length} personal drives`;
  }
}

/**
 * The reference count of a blob is the number of rows that refer to it, including those in the recycle bin.
 */
function* auditBlobs({
  accounts,
  blobs,
  entries,
  transferFiles,
  releases,
  versions,
  blobOf,
}: Ledger): Generator<string> {
  const uses = new Map<number, number>();
  for (const id of [
    ...entries.map((entry) => entry.blob_id),
    ...accounts.map((account) => account.avatar_blob_id),
    ...transferFiles.map((file) => file.blob_id),
    ...releases.map((release) => release.blob_id),
    ...versions.map((version) => version.blob_id),
  ]) {
    if (id !== null) uses.set(id, (uses.get(id) ?? 0) + 1);
  }
  for (const blob of blobs) {
    const used = uses.get(blob.id) ?? 0;
    if (used !== blob.reference_count) {
      yield `blob ${blob.id} has ${used} references, but its row says ${blob.reference_count}`;
    }
    if (blob.policy_id === null) yield `blob ${blob.id} has no policy`;
    if (used === 0 && blob.unreferenced_at === null)
      yield `blob ${blob.id} has no references but is not marked as unreferenced`;
  }
  for (const entry of entries) {
    if (entry.blob_id !== null && blobOf.get(entry.blob_id)?.size !== entry.size) {
      yield `${nameOf(entry)} has ${entry.size} bytes, but its blob has ${blobOf.get(entry.blob_id)?.size}`;
    }
  }
}

/** A version has the bytes of its blob, and a file has at most 20. */
function* auditVersions({ versions, blobOf }: Ledger): Generator<string> {
  for (const version of versions) {
    const { size } = blobOf.get(version.blob_id) ?? {};
    if (size !== version.size)
      yield `version ${version.id} has ${version.size} bytes, but its blob has ${size}`;
  }
  for (const [entryId, kept] of Map.groupBy(versions, (version) => version.entry_id)) {
    if (kept.length > 20) yield `the file ${entryId} has ${kept.length} versions`;
  }
}

/** Rules about single entries and their siblings. */
function* auditShape({ entries }: Ledger): Generator<string> {
  const children = Map.groupBy(entries, (entry) => entry.parent_id);
  for (const entry of entries) {
    const count = children.get(entry.id)?.length ?? 0;
    if (count !== entry.child_count) {
      yield `${nameOf(entry)} has ${count} children, but its row says ${entry.child_count}`;
    }
    if (entry.is_directory === 0 && count > 0) yield `the file ${nameOf(entry)} has children`;
    if (entry.copied_from !== null) yield `${nameOf(entry)} still has the mark of a finished copy`;
    const { folded_name, plain_name, sort_name } = toNameColumns(entry.name);
    if (entry.folded_name !== folded_name) yield `${nameOf(entry)} has a wrong folded name`;
    if (entry.plain_name !== plain_name) yield `${nameOf(entry)} has a wrong plain name`;
    if (entry.sort_name !== sort_name) yield `${nameOf(entry)} has a wrong sort key`;
    const kind = entry.is_directory === 1 ? null : toTypeColumns(entry.content_type).kind;
    if (entry.kind !== kind) yield `${nameOf(entry)} has a wrong kind`;
    if (entry.parent_id !== null && entry.bin_parent_path !== null)
      yield `${nameOf(entry)} has a parent and is also the root of a recycled tree`;
  }
  for (const [parentId, siblings] of children) {
    const names = new Set(siblings.map((entry) => entry.name));
    if (parentId !== null && names.size < siblings.length)
      yield `two children of ${parentId} have the same name`;
  }
}

/**
 * The parents of every entry lead to the root of its drive, or to the root entry of a tree in the recycle
 * bin, and have the same owner and state as the entry.
 */
function* auditTrees({ entries, entryOf }: Ledger): Generator<string> {
  for (const entry of entries) {
    const top = findTop(entry, entryOf);
    if (top === undefined) {
      yield `${nameOf(entry)} is its own ancestor`;
      continue;
    }
    if (top.drive_id !== entry.drive_id) yield `${nameOf(entry)} is in another drive than its top directory`;
    const isLive = top.deleted_at === null;
    if (isLive && entry.deleted_at !== null) yield `the recycled ${nameOf(entry)} is in the drive`;
    if (!isLive && entry.deleted_at === null) yield `the live ${nameOf(entry)} is in the bin`;
    if (!isLive && (entry.bin_root_id !== top.id || entry.deleted_at !== top.deleted_at)) {
      yield `${nameOf(entry)} was not recycled together with ${nameOf(top)}`;
    }
    if (top === entry && !isLive && entry.bin_parent_path === null)
      yield `${nameOf(entry)} is in the bin without its former path`;
  }
}

/** Undefined if the parents form a cycle. */
function findTop(entry: EntryRow, entryOf: ReadonlyMap<number, EntryRow>): EntryRow | undefined {
  const seen = new Set<number>();
  for (let each = entry; ; ) {
    if (seen.has(each.id)) return undefined;
    seen.add(each.id);
    const parent = each.parent_id === null ? undefined : entryOf.get(each.parent_id);
    if (parent === undefined) return each;
    each = parent;
  }
}

/**
 * Each blob has its object in the store of its policy. All other objects belong to uploads that are not
 * completed, or to policy migrations that are not cleaned up.
 */
async function auditObjects(
  { blobs, tickets, uploads, moves, defaultPolicyId }: Ledger,
  app: Audited['app'],
  deep: boolean,
): Promise<string[]> {
  const faults: string[] = [];
  const stores = await openStores(app, defaultPolicyId);
  const found = new Map<string, StoredObject>();
  for (const [policyId, { store, isOfOtherPolicy }] of stores) {
    for await (const object of store.list('')) {
      const { key } = object;
      if (key !== STORE_ID_KEY && !isOfOtherPolicy(key)) found.set(locationOf(policyId, key), object);
    }
  }
  for (const blob of blobs) {
    const location = locationOf(blob.policy_id, blob.object_key);
    const object = found.get(location);
    found.delete(location);
    // The object of a blob that is being removed may or may not exist.
    if (blob.removing_at !== null) continue;
    const store = stores.get(blob.policy_id)?.store;
    if (object?.size !== blob.size) {
      faults.push(`blob ${blob.id} has ${blob.size} bytes, but its object has ${object?.size}`);
    } else if (deep && store !== undefined && blob.sha256 !== null) {
      if (!(await hasBytes(store, object, blob.sha256)))
        faults.push(`blob ${blob.id} has different bytes than were stored`);
    }
  }
  const expected = new Set([
    ...tickets.map((ticket) => ticket.stored_key),
    ...uploads
      .filter(isUnfinished)
      .flatMap((upload) => [upload.object_key, upload.stored_key, upload.tail_key]),
    ...moves.flatMap((move) => [move.source_key, move.target_key]),
  ]);
  for (const location of found.keys()) {
    const [policyId, key = ''] = location.split(':');
    if (!expected.has(key))
      faults.push(`the object ${key} of policy ${policyId} does not belong to anything`);
  }
  return faults;
}

interface AuditedStore {
  readonly store: ObjectStore;
  /** Whether a listed object belongs to another policy, whose prefix starts with the prefix of this one. */
  readonly isOfOtherPolicy: (key: string) => boolean;
}

async function openStores(
  { store, policies }: Audited['app'],
  defaultPolicyId: number,
): Promise<ReadonlyMap<number, AuditedStore>> {
  const known = (await policies?.listOpenable()) ?? [];
  if (policies === undefined || known.length < 2) {
    return new Map([[defaultPolicyId, { store, isOfOtherPolicy: () => false }]]);
  }
  const opened = await Promise.all(
    known.map(async (policy): Promise<[number, AuditedStore]> => {
      const inner = known.flatMap((other) => innerPrefix(policy, other));
      const isOfOtherPolicy = (key: string) =>
        inner.some((prefix) => key.startsWith(prefix) && isStoreKey(key.slice(prefix.length)));
      return [policy.id, { store: await policies.getStore(policy.id), isOfOtherPolicy }];
    }),
  );
  return new Map(opened);
}

function innerPrefix(outer: StoragePolicy, { bucketName, prefix }: StoragePolicy): readonly string[] {
  const root = outer.prefix === '' ? '' : `${outer.prefix}/`;
  const isInside = bucketName === outer.bucketName && prefix !== outer.prefix && prefix.startsWith(root);
  return isInside ? [`${prefix.slice(root.length)}/`] : [];
}

function isStoreKey(key: string): boolean {
  return key === STORE_ID_KEY || isOwnKey(key);
}

function locationOf(policyId: number, key: string): string {
  return `${policyId}:${key}`;
}

function isUnfinished({ status }: { status: string }): boolean {
  return ['CREATED', 'UPLOADING', 'COMPLETING'].includes(status);
}

/** The objects already read, by store and key. Each check in a test file then reads only the new ones. */
const verified = new WeakMap<ObjectStore, Map<string, string>>();

/** Reads the object, unless it has been read since it was written. */
async function hasBytes(store: ObjectStore, object: StoredObject, sha256: string): Promise<boolean> {
  const known = verified.get(store) ?? new Map<string, string>();
  verified.set(store, known);
  const state = `${object.size} ${object.modifiedAt} ${sha256}`;
  if (known.get(object.key) === state) return true;
  if ((await hashObject(store, object.key)) !== sha256) return false;
  known.set(object.key, state);
  return true;
}

async function hashObject(store: ObjectStore, key: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await store.open(key)) hash.update(chunk);
  return hash.digest('hex');
}

function nameOf(entry: EntryRow): string {
  return `"${entry.name}" (${entry.id})`;
}
