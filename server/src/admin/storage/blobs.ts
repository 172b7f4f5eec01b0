import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, type Instant, SECOND, toTimestamp } from '../../base/clock.ts';
import type { Page, PageRequest } from '../../base/page.ts';
import type { BlobTotal } from '../../blobs/blobs.ts';
import type { Database } from '../../database/database.ts';
import type { Policies } from '../../policies/policies.ts';
import type { AdminBlob } from '../contract.ts';
import { inOrder } from '../lists/newest-first.ts';
import { findOwners, type Owner } from '../users/queries.ts';
import { type BlobFilter, type BlobRow, findBlobIds, findBlobs } from './blob-queries.ts';

/** Each object of a page is asked for at its store. */
const MOST_ON_A_PAGE = 100;
const ASKED_AT_ONCE = 16;
const PATIENCE_MS = 10 * SECOND;

/** Stored objects: what is recorded of them, held against what refers to them and what the store has. */
export class AdminBlobs {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #policies: Policies;
  readonly #total: BlobTotal;
  readonly #graceMs: number;

  constructor(parts: {
    database: Database;
    clock: Clock;
    policies: Policies;
    blobTotal: BlobTotal;
    sweepGraceMs: number;
  }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#policies = parts.policies;
    this.#total = parts.blobTotal;
    this.#graceMs = parts.sweepGraceMs;
  }

  async list(filter: BlobFilter, asked: PageRequest): Promise<Page<AdminBlob>> {
    const { db } = this.#database;
    const page = { page: asked.page, size: Math.min(asked.size, MOST_ON_A_PAGE) };
    const { ids, total } = await findBlobIds(db, filter, page);
    const rows = inOrder(ids, await findBlobs(db, ids));
    const owners = await findOwners(
      db,
      rows.flatMap((row) => [row.created_by, row.sample_owner_id ?? row.created_by]),
    );
    const missing = await this.#findMissing(rows);
    const graceEnd = this.#clock.now() - this.#graceMs;
    return {
      items: rows.map((row) => toAdminBlob(row, owners, missing.get(row.id) ?? null, graceEnd)),
      total: total ?? (await this.#total.find(db)).objects,
      ...page,
    };
  }

  /** Whether each is missing at its store; those that could not be asked for in time are left out. */
  async #findMissing(rows: readonly BlobRow[]): Promise<ReadonlyMap<number, boolean>> {
    const missing = new Map<number, boolean>();
    const closed = new Set<number>();
    const waiting = rows.values();
    const ask = async () => {
      for (const { id, policy_id: policyId, object_key: key } of waiting) {
        // A store that did not answer once would keep every other one waiting too.
        if (closed.has(policyId)) continue;
        try {
          const store = await this.#policies.getStore(policyId);
          missing.set(id, (await store.find(key)) === undefined);
        } catch {
          closed.add(policyId);
        }
      }
    };
    const end = new AbortController();
    const all = Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask));
    await Promise.race([
      all,
      sleep(PATIENCE_MS, undefined, { signal: end.signal, ref: false }).catch(() => {}),
    ]);
    end.abort();
    return new Map(missing);
  }
}

function toAdminBlob(
  row: BlobRow,
  owners: ReadonlyMap<number, Owner>,
  blobMissing: boolean | null,
  graceEnd: Instant,
): AdminBlob {
  const sample = row.sample_owner_id === null ? undefined : owners.get(row.sample_owner_id);
  const isForgotten = row.unreferenced_at !== null && row.unreferenced_at <= graceEnd;
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
    createdByUserId: row.created_by,
    createdByUsername: owners.get(row.created_by)?.username ?? null,
    blobMissing,
    orphanRisk: row.links === 0 && (row.reference_count > 0 || isForgotten),
    referenceMismatch: row.reference_count !== row.links,
    createdAt: toTimestamp(row.created_at),
  };
}
