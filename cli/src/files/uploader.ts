import { type EntryRecord, type Holdall, NotFoundError } from '../../../client/src/client.ts';
import type { DriveContext } from '../drive-command.ts';
import { splitRemote } from '../remote-path.ts';
import { toJsonLine } from '../terminal/escape.ts';
import type { TransferProgress } from '../terminal/transfer-progress.ts';
import { type ConflictRule, decideConflict, type FileFacts, isSameFile, numberedNames } from './conflicts.ts';
import { findListedTag } from './listed-tag.ts';
import type { LocalEntry } from './local-files.ts';
import { openBody } from './open-source.ts';
import type { ResumableUploads } from './resumable-uploads.ts';

const PAGE_SIZE = 1_000;

/** A file on disk, and where it goes. */
export interface PlannedFile {
  readonly local: LocalEntry;
  readonly remotePath: string;
}

/** Where a file goes, and the entry that already exists there. */
interface Target {
  readonly directory: string;
  readonly name: string;
  readonly siblings: ReadonlyMap<string, EntryRecord>;
  readonly existing: EntryRecord | undefined;
}

interface UploaderParts {
  readonly holdall: Holdall;
  readonly context: DriveContext;
  readonly rule: ConflictRule;
  readonly progress: TransferProgress;
  readonly uploads: ResumableUploads;
  readonly isJson: boolean;
}

/** Sends the files of `put` to the drive. Lists each directory of the drive once. */
export class Uploader {
  readonly #parts: UploaderParts;
  /** The entries of each directory in the drive, by name. Each directory is listed once. */
  readonly #directories = new Map<string, Promise<Map<string, EntryRecord>>>();

  constructor(parts: UploaderParts) {
    this.#parts = parts;
  }

  /** A failure is only reported, so that the other files continue. @throws the reason of the signal */
  async upload({ local, remotePath }: PlannedFile): Promise<void> {
    await this.#report(local, () => this.#uploadFile(local, remotePath));
  }

  /** Like {@link upload}. Does nothing if the directory exists in the drive. */
  async makeDirectory(local: LocalEntry, remotePath: string): Promise<void> {
    await this.#report(local, async () => {
      const { directory, name } = splitRemote(remotePath);
      const siblings = await this.#list(directory);
      const existing = siblings.get(name.normalize('NFC'));
      if (existing?.directory) return;
      if (existing !== undefined) throw new Error('The drive has a file with the name of this directory.');
      const made = await this.#parts.holdall.drive.makeDirectory(remotePath, {
        signal: this.#parts.context.signal,
      });
      siblings.set(made.filename, made);
      this.#directories.set(remotePath, Promise.resolve(new Map()));
    });
  }

  async #report(local: LocalEntry, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#parts.context.signal.throwIfAborted();
      this.#parts.progress.addFailed(local.path, error);
    }
  }

  async #uploadFile(local: LocalEntry, remotePath: string): Promise<void> {
    const { directory, name } = splitRemote(remotePath);
    const siblings = await this.#list(directory);
    const existing = siblings.get(name.normalize('NFC'));
    const record = await this.#send(local, { directory, name, siblings, existing });
    if (record === undefined) {
      this.#parts.progress.addSkipped();
      return;
    }
    siblings.set(record.filename, record);
    this.#parts.progress.addFile();
    if (this.#parts.isJson) this.#parts.context.terminal.print(toJsonLine(record));
  }

  /** Undefined if the file is skipped. @throws Error */
  async #send(local: LocalEntry, target: Target): Promise<EntryRecord | undefined> {
    const { directory, name, existing } = target;
    switch (decideConflict(this.#parts.rule, local, existing && toFacts(existing))) {
      case 'create':
        return await this.#create(local, directory, name);
      case 'rename':
        return await this.#createNumbered(local, target);
      case 'replace':
        return existing && (await this.#replace(local, existing));
      case 'skip':
        return undefined;
    }
  }

  /**
   * Uploads under a free numbered name. Undefined if an earlier run has already uploaded the file under one.
   */
  async #createNumbered(
    local: LocalEntry,
    { directory, name, siblings }: Target,
  ): Promise<EntryRecord | undefined> {
    for (const candidate of numberedNames(name)) {
      const sibling = siblings.get(candidate);
      if (sibling === undefined) return await this.#create(local, directory, candidate);
      if (!sibling.directory && isSameFile(toFacts(sibling), local)) return undefined;
    }
    return undefined;
  }

  /**
   * The old content becomes a version of the file. Only the content that was listed is replaced.
   * @throws ConflictError if the content has changed since the listing
   */
  async #replace(local: LocalEntry, existing: EntryRecord): Promise<EntryRecord> {
    const { modifiedAt, size } = local;
    const body = await openBody(local.path, size);
    const { signal } = this.#parts.context;
    const etag = await findListedTag(this.#parts.holdall, existing, signal);
    const record = await this.#parts.holdall.versions.replace(existing.id, body, {
      etag,
      modifiedAt,
      signal,
    });
    this.#parts.progress.addBytes(size);
    return record;
  }

  async #create(local: LocalEntry, directory: string, filename: string): Promise<EntryRecord> {
    return await this.#parts.uploads.send(local, { directory, filename }, (bytes) =>
      this.#parts.progress.addBytes(bytes),
    );
  }

  #list(directory: string): Promise<Map<string, EntryRecord>> {
    const found = this.#directories.get(directory) ?? this.#readDirectory(directory);
    this.#directories.set(directory, found);
    return found;
  }

  async #readDirectory(directory: string): Promise<Map<string, EntryRecord>> {
    const entries = new Map<string, EntryRecord>();
    try {
      const { signal } = this.#parts.context;
      for await (const entry of this.#parts.holdall.drive.list(directory, { pageSize: PAGE_SIZE, signal })) {
        entries.set(entry.filename, entry);
      }
    } catch (error) {
      // The directory does not exist yet; the upload creates it.
      if (!(error instanceof NotFoundError)) throw error;
    }
    return entries;
  }
}

function toFacts({ directory, size, modifiedAt }: EntryRecord): FileFacts {
  return { isDirectory: directory, size, modifiedAt: new Date(modifiedAt) };
}
