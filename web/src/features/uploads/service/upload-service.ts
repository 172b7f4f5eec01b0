import type {
  EntryRecord,
  SessionRecord,
  SessionWithRuntime,
  UploadTarget,
} from '../../../../../client/src/generated/records.ts';
import type { DriveId } from '../../../api/in-drive.ts';
import type { Place } from '../files/picked-files.ts';

/** The callback and the signal of a call that sends bytes. */
export interface Watch {
  readonly signal: AbortSignal;
  /** @param bytes the number of bytes sent so far by this call */
  readonly onProgress: (bytes: number) => void;
}

/**
 * What the service does if a name is taken. NEW_VERSION: the existing file gets the new content.
 */
export type ConflictRule = 'FAIL' | 'NEW_VERSION';

/** The target of a file, and what to do if its name is taken. */
export interface Destination extends Place {
  readonly onConflict: ConflictRule;
}

/**
 * The calls that uploads make to the service and the store. Failures of the service are `HoldallError`s, and
 * those of the store are `StoreFailure`s.
 */
export interface UploadService {
  /** The same calls about another drive; undefined for the personal drive. */
  inDrive(driveId: DriveId): UploadService;
  makeDirectory(path: string, signal: AbortSignal): Promise<void>;
  /** Uploads the file in one request. */
  uploadWhole(destination: Destination, file: File, watch: Watch): Promise<void>;
  openSession(destination: Destination, file: File, signal: AbortSignal): Promise<SessionRecord>;
  getSession(sessionId: string, signal: AbortSignal): Promise<SessionWithRuntime>;
  cancelSession(sessionId: string): Promise<void>;
  /** @param onConflict replaces the rule that the session was opened with */
  completeSession(session: SessionRecord, onConflict: ConflictRule, signal: AbortSignal): Promise<void>;
  /** Sends through the service, resuming where it stopped. The last byte completes the session. */
  sendResumable(sessionId: string, file: File, watch: Watch): Promise<void>;
  prepare(session: SessionRecord, signal: AbortSignal): Promise<UploadTarget>;
  preparePart(session: SessionRecord, index: number, signal: AbortSignal): Promise<UploadTarget>;
  recordPart(
    session: SessionRecord,
    index: number,
    etag: string,
    size: number,
    signal: AbortSignal,
  ): Promise<void>;
  /** Sends directly to the store. Returns the store's ETag. */
  put(target: UploadTarget, bytes: Blob, watch: Watch): Promise<string>;
  /** The entry at that path. */
  findEntry(place: Place, signal?: AbortSignal): Promise<EntryRecord | undefined>;
  /** The names in the directory that could conflict with a numbered name. */
  listNamesLike(place: Place, signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** The entries of a directory by name; undefined if there are too many. Empty if it does not exist. */
  listDirectory(path: string, signal: AbortSignal): Promise<ReadonlyMap<string, EntryRecord> | undefined>;
  /**
   * Compares the bytes of the entry with those of the file. Only reads the file if the sizes are equal. The
   * entry is `gone` if it is not in its place any more when the file has been read.
   */
  compare(entry: EntryRecord, file: File, watch: Watch): Promise<Comparison>;
}

/** `different` also if the bytes of the entry are unknown. */
export type Comparison = 'same' | 'different' | 'gone';
