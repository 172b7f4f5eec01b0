import type { Accounts } from '../../accounts/accounts.ts';
import type { Clock, Instant } from '../../base/clock.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Tx } from '../../database/database.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import type { Actor, Entry, EntryWithPath } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import { setContent } from '../entries/entry-queries.ts';
import { putMetadata } from '../metadata/queries.ts';

/** Replaces the content of files. Their ids, shares and locations stay the same. */
export class ContentReplacement {
  readonly #accounts: Accounts;
  readonly #blobs: Blobs;
  readonly #entryEvents: EntryEvents;
  readonly #clock: Clock;

  constructor(parts: { accounts: Accounts; blobs: Blobs; entryEvents: EntryEvents; clock: Clock }) {
    this.#accounts = parts.accounts;
    this.#blobs = parts.blobs;
    this.#entryEvents = parts.entryEvents;
    this.#clock = parts.clock;
  }

  /**
   * Makes stored bytes the content of a file, and charges the difference. The transaction must have locked the
   * drive and read the file.
   * @throws Failure `over-limit` if the larger content exceeds the quota
   */
  async replace(
    tx: Tx,
    actor: Actor,
    { entry, parentPath }: EntryWithPath,
    content: {
      readonly bytes: StoredBytes;
      readonly contentType: string;
      /** By default now. */
      readonly modifiedAt: Instant | undefined;
    },
  ): Promise<Entry> {
    const { bytes, contentType } = content;
    const usage = { bytes: bytes.size - entry.size, files: 0, entries: 0 };
    await this.#accounts.chargeUsage(tx, actor.ownerId, usage);
    const blob = { ...bytes, kind: 'FILE', contentType, createdBy: actor.ownerId } as const;
    const blobId = await this.#blobs.insert(tx, blob);
    const now = this.#clock.now();
    const { modifiedAt = now } = content;
    const replaced = await setContent(tx, entry, { blobId, size: bytes.size, contentType, modifiedAt }, now);
    if (entry.blobId !== null) await this.#blobs.dropReference(tx, entry.blobId);
    // It describes the content that is gone.
    await putMetadata(tx, [entry.id], '', new Map());
    await this.#entryEvents.recordUpdated(tx, actor, [{ entry: replaced, parentPath }]);
    return replaced;
  }
}
