import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, type Instant, SECOND } from '../../base/clock.ts';
import { toTimestamp } from '../../base/dates.ts';
import { isDeepPage, type Page, type PageRequest } from '../../base/page.ts';
import type { BlobTotal } from '../../blobs/blobs.ts';
import type { Database } from '../../database/database.ts';
import type { Policies } from '../../policies/policies.ts';
import { sortByIds } from '../lists/newest-first.ts';
import {
  findNamedAccounts,
  findOwningDrives,
  type NamedAccount,
  type OwningDrive,
} from '../lists/owner-queries.ts';
import { type BlobFilter, type BlobRow, findBlobIds, findBlobs, sumReferences } from './blob-queries.ts';
import type { AdminBlob } from './contract.ts';

/** Pages are short, because every object of a page is looked up in its store. */
const MAX_PAGE_SIZE = 100;
const MAX_CONCURRENT_LOOKUPS = 16;
/**
 * On SQLite, more links to a page's blobs are counted on a thread, so that they do not stop the event loop.
 */
const MAX_SHORT_COUNT = 5_000;
/** How long a request waits for all lookups together. */
const LOOKUP_TIMEOUT_MS = 10 * SECOND;

interface AdminBlobsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly policies: Policies;
  readonly blobTotal: BlobTotal;
  readonly sweepGraceMs: number;
}

/** Blobs, compared with the rows that refer to them and with the objects in the stores. */
export class AdminBlobs {
  readonly #parts: AdminBlobsParts;
  readonly #total: BlobTotal;
  readonly #graceMs: number;

  constructor(parts: AdminBlobsParts) {
    this.#parts = parts;
    this.#total = parts.blobTotal;
    this.#graceMs = parts.sweepGraceMs;
  }

  async list(filter: BlobFilter, request: PageRequest): Promise<Page<AdminBlob>> {
    const { db } = this.#parts.database;
    const page = { page: request.page, size: Math.min(request.size, MAX_PAGE_SIZE) };
    const { ids, total } = await this.#parts.database.readBySize(
      async () => isDeepPage(page),
      (reading) => findBlobIds(reading, filter, page),
    );
    const found = await this.#parts.database.readBySize(
      async (reading) => (await sumReferences(reading, ids)) > MAX_SHORT_COUNT,
      (reading) => findBlobs(reading, ids),
    );
    const rows = sortByIds(ids, found);
    const accounts = await findNamedAccounts(
      db,
      rows.flatMap((row) => [row.created_by, row.sample_owner_id ?? row.created_by]),
    );
    const drives = await findOwningDrives(
      db,
      rows.flatMap((row) => row.sample_drive_id ?? []),
    );
    const missing = await this.#findMissing(rows);
    const graceEnd = this.#parts.clock.now() - this.#graceMs;
    return {
      items: rows.map((row) => toAdminBlob(row, { accounts, drives }, missing.get(row.id) ?? null, graceEnd)),
      total: total ?? (await this.#total.find()).objects,
      ...page,
    };
  }

  /**
   * Maps blob ids to whether the object is missing. Blobs whose store did not answer in time are left out.
   */
  async #findMissing(rows: readonly BlobRow[]): Promise<ReadonlyMap<number, boolean>> {
    const missing = new Map<number, boolean>();
    const unreachable = new Set<number>();
    const remaining = rows.values();
    const lookUp = async () => {
      for (const { id, policy_id: policyId, object_key: key } of remaining) {
        // A store that failed once is not asked again, so that it does not delay the lookups in other stores.
        if (unreachable.has(policyId)) continue;
        try {
          const store = await this.#parts.policies.getStore(policyId);
          missing.set(id, (await store.find(key)) === undefined);
        } catch {
          unreachable.add(policyId);
        }
      }
    };
    const end = new AbortController();
    const all = Promise.all(Array.from({ length: MAX_CONCURRENT_LOOKUPS }, lookUp));
    await Promise.race([
      all,
      sleep(LOOKUP_TIMEOUT_MS, undefined, { signal: end.signal, ref: false }).catch(() => {}),
    ]);
    end.abort();
    return new Map(missing);
  }
}

function toAdminBlob(
  row: BlobRow,
  {
    accounts,
    drives,
  }: { accounts: ReadonlyMap<number, NamedAccount>; drives: ReadonlyMap<number, OwningDrive> },
  blobMissing: boolean | null,
  graceEnd: Instant,
): AdminBlob {
  const sample = row.sample_owner_id === null ? undefined : accounts.get(row.sample_owner_id);
  const drive = row.sample_drive_id === null ? undefined : drives.get(row.sample_drive_id);
  const isOverdue = row.unreferenced_at !== null && row.unreferenced_at <= graceEnd;
  return {
    id: row.id,
    objectKey: row.object_key,
    entityType: row.kind,
    storagePolicyId: row.policy_id,
    size: row.size,
    contentType: row.content_type,
    sha256: row.sha256,
    referenceCount: row.reference_count,
    linkedStoredFileCount: row.files,
    linkedOwnerCount: row.owners,
    sampleOwnerUsername: sample?.username ?? null,
    sampleOwnerEmail: sample?.email ?? null,
    sampleDriveId: drive?.driveId ?? null,
    sampleDriveName: drive?.driveName ?? null,
    createdByUserId: row.created_by,
    createdByUsername: accounts.get(row.created_by)?.username ?? null,
    blobMissing,
    orphanRisk: row.links === 0 && (row.reference_count > 0 || isOverdue),
    referenceMismatch: row.reference_count !== row.links,
    createdAt: toTimestamp(row.created_at),
  };
}
