import { NotFoundError } from '../errors/errors.ts';
import type { EntryDetails, EntryRecord, FoundRecord, RecentRecord } from '../generated/records.ts';
import { type ListOptions, PageList } from '../pages/page-list.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { DataOf, InputOf } from '../requests/operation-types.ts';
import type { Requester } from '../requests/requester.ts';

/** Files and directories. Both are entries, and keep their id when they are renamed or moved. */
export class Drive {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** The content of a directory: directories first, sorted by name, unless a sort key is given. */
  list(path = '/', options: ListOptions & SortOptions = {}): PageList<EntryRecord> {
    return new PageList(
      (query, call) =>
        this.#requester.ask(
          'GET /api/files/list',
          { query: { ...query, path, sort: options.sort, order: options.order } },
          call,
        ),
      options,
    );
  }

  /** An entry with its checksum and metadata, and a directory with its totals. @throws HoldallError */
  get(fileId: number, options: CallOptions = {}): Promise<EntryDetails> {
    return this.#requester.ask('GET /api/v2/files/{fileId}', { path: { fileId } }, options);
  }

  /**
   * Finds the entry at a path.
   * @returns undefined if there is none, and for `/`, which has no record
   * @throws HoldallError
   */
  async find(path: string, options: CallOptions = {}): Promise<EntryRecord | undefined> {
    const segments = path.split('/').filter((segment) => segment !== '');
    const name = segments.pop()?.normalize('NFC');
    if (name === undefined) return undefined;
    try {
      // Sorted by name, so that entries added meanwhile cannot hide existing ones.
      const siblings = this.list(`/${segments.join('/')}`, { ...options, pageSize: 1_000, sort: 'name' });
      for await (const entry of siblings) if (entry.filename === name) return entry;
      return undefined;
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }

  /**
   * Creates a directory, and its missing parents.
   * `ConflictError` if the name is taken.
   * @throws HoldallError
   */
  makeDirectory(path: string, options: CallOptions = {}): Promise<EntryRecord> {
    return this.#requester.ask('POST /api/files/mkdir', { body: { path } }, options);
  }

  /** Renames an entry within its directory. @throws HoldallError */
  rename(
    fileId: number,
    filename: string,
    onConflict?: ConflictRule,
    options: CallOptions = {},
  ): Promise<EntryRecord> {
    return this.#requester.ask(
      'PATCH /api/files/{fileId}/rename',
      { path: { fileId }, body: { filename, onConflict } },
      options,
    );
  }

  /** Moves an entry with everything below it into an existing directory. @throws HoldallError */
  move(
    fileId: number,
    directory: string,
    onConflict?: ConflictRule,
    options: CallOptions = {},
  ): Promise<EntryRecord> {
    return this.#requester.ask(
      'PATCH /api/files/{fileId}/move',
      { path: { fileId }, body: { path: directory, onConflict } },
      options,
    );
  }

  /**
   * Copies an entry with everything below it into an existing directory, without copying bytes.
   * @throws HoldallError
   */
  copy(
    fileId: number,
    directory: string,
    onConflict?: ConflictRule,
    options: CallOptions = {},
  ): Promise<EntryRecord> {
    return this.#requester.ask(
      'POST /api/files/{fileId}/copy',
      { path: { fileId }, body: { path: directory, onConflict } },
      options,
    );
  }

  /**
   * Copies an entry with everything below it into an existing directory of another drive, without copying
   * bytes.
   * @returns the copy, which is in the other drive
   * @throws HoldallError: `ForbiddenError` for a viewer of the other drive
   */
  copyTo(
    fileId: number,
    target: DriveDirectory,
    onConflict?: ConflictRule,
    options: CallOptions = {},
  ): Promise<EntryRecord> {
    return this.#requester.ask(
      'POST /api/v2/files/{fileId}/copy-to',
      { path: { fileId }, body: { ...target, onConflict } },
      options,
    );
  }

  /**
   * Moves an entry with everything below it into an existing directory of another drive. It gets a new id
   * there. The original goes to the recycle bin of its drive, with its versions, shares and links.
   * @returns the entry in the other drive
   * @throws HoldallError: `ForbiddenError` for a viewer of either drive
   */
  moveTo(
    fileId: number,
    target: DriveDirectory,
    onConflict?: ConflictRule,
    options: CallOptions = {},
  ): Promise<EntryRecord> {
    return this.#requester.ask(
      'POST /api/v2/files/{fileId}/move-to',
      { path: { fileId }, body: { ...target, onConflict } },
      options,
    );
  }

  /**
   * Moves an entry with everything below it to the recycle bin.
   * @throws HoldallError: `PreconditionError` if the drive has changed since the cursor
   */
  async recycle(fileId: number, options: RecycleOptions = {}): Promise<void> {
    const { cursor, ...call } = options;
    await this.#requester.ask('DELETE /api/files/{fileId}', { path: { fileId }, query: { cursor } }, call);
  }

  /** Only files, most recently changed first. @throws HoldallError */
  recent(size?: number, options: CallOptions = {}): Promise<readonly RecentRecord[]> {
    return this.#requester.ask('GET /api/files/recent', { query: { size } }, options);
  }

  /**
   * Entries outside the recycle bin that meet all conditions. With `drive: 'all'`, those of all drives. With
   * `in: 'content'` or `in: 'all'`, `q` is searched in texts, and records have a snippet.
   */
  search(conditions: SearchConditions, options: ListOptions = {}): PageList<FoundRecord> {
    const { drive, ...others } = conditions;
    // A header of `Holdall.inDrive` would contradict it.
    const chosen = drive === undefined ? {} : { headers: { 'x-service-drive': String(drive) } };
    return new PageList(
      (query, call) =>
        this.#requester.ask(
          'GET /api/v2/files/search',
          { query: { ...others, ...query } },
          { ...call, ...chosen },
        ),
      options,
    );
  }

  /** Entries with a star, newest star first. */
  starred(options: ListOptions = {}): PageList<EntryRecord> {
    return new PageList(
      (query, call) => this.#requester.ask('GET /api/v2/files/starred', { query }, call),
      options,
    );
  }

  /** Sets a star. @throws HoldallError */
  star(fileId: number, options: CallOptions = {}): Promise<EntryRecord> {
    return this.#requester.ask('PUT /api/v2/files/{fileId}/star', { path: { fileId } }, options);
  }

  /** Removes a star. @throws HoldallError */
  unstar(fileId: number, options: CallOptions = {}): Promise<EntryRecord> {
    return this.#requester.ask('DELETE /api/v2/files/{fileId}/star', { path: { fileId } }, options);
  }

  /** Pictures and videos by the time they were taken, newest first. @throws HoldallError */
  async *timeline(options: CallOptions = {}): AsyncGenerator<TimelineRecord, void, undefined> {
    for (let before: string | undefined; ; ) {
      const query = { before, size: 200 };
      const { items, next } = await this.#requester.ask('GET /api/v2/files/timeline', { query }, options);
      yield* items;
      if (next === null) return;
      before = next;
    }
  }

  /** The directories that the timeline leaves out, by name. @throws HoldallError */
  timelineExclusions(options: CallOptions = {}): Promise<DataOf<'GET /api/v2/files/timeline/exclusions'>> {
    return this.#requester.ask('GET /api/v2/files/timeline/exclusions', {}, options);
  }

  /** Leaves a directory, with everything below it, out of the timeline. @throws HoldallError */
  excludeFromTimeline(fileId: number, options: CallOptions = {}): Promise<EntryRecord> {
    const call = { path: { fileId } };
    return this.#requester.ask('PUT /api/v2/files/{fileId}/timeline-exclusion', call, options);
  }

  /** Shows a directory that was left out in the timeline again. @throws HoldallError */
  includeInTimeline(fileId: number, options: CallOptions = {}): Promise<EntryRecord> {
    const call = { path: { fileId } };
    return this.#requester.ask('DELETE /api/v2/files/{fileId}/timeline-exclusion', call, options);
  }

  /** The number of pictures and videos per month and day, newest first. @throws HoldallError */
  timelineMonths(options: CallOptions = {}): Promise<DataOf<'GET /api/v2/files/timeline/months'>> {
    return this.#requester.ask('GET /api/v2/files/timeline/months', {}, options);
  }
}

interface RecycleOptions extends CallOptions {
  /** A cursor from `events`. The entry is recycled only if the drive has not changed since. */
  readonly cursor?: number | undefined;
}

/**
 * What happens if a name is taken: an error (the default), another name, or the old entry moves to the bin.
 */
export type ConflictRule = 'FAIL' | 'RENAME' | 'REPLACE';

export type SortOptions = Pick<NonNullable<InputOf<'GET /api/files/list'>['query']>, 'sort' | 'order'>;

/** Parameters of a search. `q` finds words in any order, `name` finds a part of the name. */
export type SearchConditions = Omit<
  NonNullable<InputOf<'GET /api/v2/files/search'>['query']>,
  'page' | 'size' | 'drive'
> & {
  /** The id of another drive, or `all` drives of the user. Each record names its drive. */
  readonly drive?: number | 'all' | undefined;
};

/** A directory of a drive. */
export interface DriveDirectory {
  readonly driveId: number;
  readonly path: string;
}

export type TimelineRecord = DataOf<'GET /api/v2/files/timeline'>['items'][number];
