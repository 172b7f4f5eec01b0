// Changes in the drive. None of them replaces or deletes content that the sync has not seen.
import { randomUUID } from 'node:crypto';
import {
  ConflictError,
  type EntryDetails,
  type EntryRecord,
  type Holdall,
  NotFoundError,
  PreconditionError,
} from '../../../../client/src/client.ts';
import { shortenName } from '../../../../server/src/base/text/names/file-name.ts';
import { findListedTag } from '../../files/listed-tag.ts';
import type { ResumableUploads } from '../../files/resumable-uploads.ts';
import { splitRemote } from '../../remote-path.ts';
import type { LocalContent } from '../local/local-content.ts';
import { isSameRecord, type LocalEntry, type RemoteEntry, toModifiedAt } from '../rules/entries.ts';
import { toRemoteEntry } from '../state/remote-tree.ts';
import type { SyncState } from '../state/sync-state.ts';
import type { RemoteReader } from './remote-reader.ts';

/** The number of attempts to delete an entry while others change the drive. */
const MAX_ATTEMPTS = 10;

interface RemoteActionsParts {
  readonly holdall: Holdall;
  readonly state: SyncState;
  readonly reader: RemoteReader;
  readonly uploads: ResumableUploads;
  readonly signal: AbortSignal;
}

export class RemoteActions {
  readonly #parts: RemoteActionsParts;

  constructor(parts: RemoteActionsParts) {
    this.#parts = parts;
  }

  /**
   * Uploads a new file, or replaces the known content of one.
   * @throws HoldallError; Error of the file system
   */
  async upload(
    path: string,
    {
      local,
      file,
      content,
      sha256,
    }: {
      readonly local: LocalEntry;
      /** Identifies the upload, so that an interrupted one is continued only with the same file. */
      readonly file: string;
      readonly content: LocalContent;
      readonly sha256: string | null;
    },
    onBytes: (bytes: number) => void,
  ): Promise<RemoteEntry> {
    const existing = this.#parts.state.remote.entries.get(path);
    const modifiedAt = toModifiedAt(local);
    if (existing === undefined) {
      const { directory, name } = splitRemote(this.#parts.reader.paths.toAbsolute(path));
      const state = [local.device, local.inode, local.size, local.mtimeMs, local.ctimeMs].join(':');
      const target = { directory, filename: name };
      const source = { path: file, size: local.size, modifiedAt, state, source: content.source };
      const record = await this.#parts.uploads.send(source, target, onBytes);
      // The record of a large file is requested after its last byte was sent, so it may already have changed.
      if (this.#parts.reader.paths.toRelative(record.path) !== path || !isAsSent(record, { local, sha256 }))
        throw new ConflictError('The file has changed in the drive.');
      return this.#note(path, record, sha256);
    }
    return await this.#change(existing.id, async () => {
      const body = await content.toBody();
      const etag = await findListedTag(this.#parts.holdall, existing, this.#parts.signal);
      const options = {
        etag,
        modifiedAt,
        signal: this.#parts.signal,
        ...(sha256 === null ? {} : { sha256 }),
      };
      const record = await this.#parts.holdall.versions.replace(existing.id, body, options);
      onBytes(local.size);
      return this.#note(path, record, sha256);
    });
  }

  async makeDirectory(path: string): Promise<RemoteEntry> {
    const options = { signal: this.#parts.signal };
    return this.#note(
      path,
      await this.#parts.holdall.drive.makeDirectory(this.#parts.reader.paths.toAbsolute(path), options),
      null,
    );
  }

  /**
   * Moves an entry to the bin with everything below it, unless it has a change that the sync has not seen.
   * @throws ConflictError if there is such a change; PreconditionError if others keep changing the drive;
   *   HoldallError
   */
  async delete(path: string, known: RemoteEntry): Promise<void> {
    await this.#change(known.id, async () => {
      for (let attempt = 1; ; attempt += 1) {
        const cursor = await this.#parts.reader.findCursorWithoutNews(known);
        if (cursor === undefined) throw new ConflictError('The drive has changed.');
        try {
          await this.#parts.holdall.drive.recycle(known.id, { cursor, signal: this.#parts.signal });
          break;
        } catch (error) {
          // The drive has just changed, perhaps elsewhere.
          if (!(error instanceof PreconditionError) || attempt >= MAX_ATTEMPTS) throw error;
        }
      }
      this.#parts.state.remote.deleteTree(path);
    });
  }

  /**
   * Renames or moves an entry with everything below it.
   *
   * Moving and renaming need one call each. Between the two calls the entry has a unique name, if possible a
   * part of its new path, so that an interrupted sync can continue from there.
   */
  async move(from: string, to: string, known: RemoteEntry): Promise<RemoteEntry> {
    return await this.#change(known.id, async () => {
      const options = { signal: this.#parts.signal };
      const { drive } = this.#parts.holdall;
      const source = splitRemote(this.#parts.reader.paths.toAbsolute(from));
      const target = splitRemote(this.#parts.reader.paths.toAbsolute(to));
      let record: EntryRecord | undefined;
      if (source.directory === target.directory) {
        record = await drive.rename(known.id, target.name, 'FAIL', options);
      } else if (source.name === target.name) {
        record = await drive.move(known.id, target.directory, 'FAIL', options);
      } else {
        await drive.rename(known.id, `${shortenName(target.name, 60)}.${randomUUID()}`, 'FAIL', options);
        await drive.move(known.id, target.directory, 'FAIL', options);
        record = await drive.rename(known.id, target.name, 'FAIL', options);
      }
      const moved = toRemoteEntry(record);
      this.#parts.state.transact(() => {
        this.#parts.state.remote.moveTree(from, to);
        // Its content may be newer, so the known checksum is discarded.
        this.#parts.state.remote.set(to, moved);
      });
      return moved;
    });
  }

  /**
   * The SHA-256 of the content that the record describes; null if the service does not know it, or if the
   * content has changed.
   */
  async findSha256(path: string, known: RemoteEntry): Promise<string | null> {
    if (known.sha256 !== null) return known.sha256;
    try {
      const found = toRemoteEntry(
        await this.#parts.holdall.drive.get(known.id, { signal: this.#parts.signal }),
      );
      if (!isSameRecord(found, known)) return null;
      this.#parts.state.remote.set(path, found);
      return found.sha256;
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }

  #note(path: string, record: EntryRecord, sha256: string | null): RemoteEntry {
    const entry = { ...toRemoteEntry(record), sha256 };
    this.#parts.state.remote.set(path, entry);
    this.#parts.reader.settle(entry.id);
    return entry;
  }

  /** Makes a change. If the request fails, it may still have changed the drive, so its events are read. */
  async #change<T>(id: number, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.#parts.reader.settle(id);
      return result;
    } catch (error) {
      this.#parts.reader.unsettle(id);
      throw error;
    }
  }
}

/** Whether a record describes the content that was sent, unchanged since then. */
function isAsSent(
  record: EntryRecord | EntryDetails,
  { local, sha256 }: { readonly local: LocalEntry; readonly sha256: string | null },
): boolean {
  if (record.size !== local.size || record.modifiedAt !== toModifiedAt(local).toISOString()) return false;
  const stored = 'sha256' in record ? record.sha256 : null;
  return stored === null || sha256 === null || stored === sha256;
}
