import type { BinRecord, EntryRecord } from '../generated/records.ts';
import { type ListOptions, PageList } from '../pages/page-list.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { Requester } from '../requests/requester.ts';
import type { ConflictRule } from './drive.ts';

/** The recycle bin. Entries are purged ten days after they were deleted. */
export class Bin {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** The entries in the bin. A deleted tree is one entry. */
  list(options: ListOptions = {}): PageList<BinRecord> {
    return new PageList(
      (query, call) => this.#requester.ask('GET /api/files/recycle-bin', { query }, call),
      options,
    );
  }

  /** Restores an entry to its original place, and creates missing directories. @throws HoldallError */
  restore(fileId: number, onConflict?: ConflictRule, options: CallOptions = {}): Promise<EntryRecord> {
    return this.#requester.ask(
      'POST /api/files/recycle-bin/{fileId}/restore',
      { path: { fileId }, body: { onConflict } },
      options,
    );
  }

  /** Deletes an entry permanently. @throws HoldallError */
  async purge(fileId: number, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/files/recycle-bin/{fileId}', { path: { fileId } }, options);
  }

  /** Deletes everything in it permanently. @throws HoldallError */
  async empty(options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/files/recycle-bin', {}, options);
  }
}
