import type {
  EntryRecord,
  SessionRecord,
  SessionWithRuntime,
  UploadTarget,
} from '../../../../../client/src/generated/records.ts';
import type { Place } from '../files/picked-files.ts';

/** The callback and the signal of a call that sends bytes. */
export interface Watch {
  readonly signal: AbortSignal;
  /** @param bytes the number of bytes sent so far by this call */
  readonly onProgress: (bytes: number) => void;
}

/**
 * The rule of the service for a name that is taken. NEW_VERSION: the file of that name gets the new content.
 */
export type ConflictRule = 'FAIL' | 'NEW_VERSION';

/** The target of a file, and the rule for a name that is taken. */
export interface Destination extends Place {
  readonly onConflict: ConflictRule;
}

/**
 * The calls that uploads make to the service and the store. Every one throws a `HoldallError`, or a
 * `StoreFailure` from the store.
 */
export interface UploadService {
  makeDirectory(path: string, signal: AbortSignal): Promise<void>;
  /** In one request. */
  uploadWhole(destination: Destination, file: File, watch: Watch): Promise<void>;
  openSession(destination: Destination, file: File, signal: AbortSignal): Promise<SessionRecord>;
  getSession(sessionId: string, signal: AbortSignal): Promise<SessionWithRuntime>;
  cancelSession(sessionId: string): Promise<void>;
  /** @param onConflict replaces the rule that the session was opened with */
  completeSession(session: SessionRecord, onConflict: ConflictRule, signal: AbortSignal): Promise<void>;
  /** Through the service, resuming where it stopped. The last byte completes the session. */
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
  /** Directly to the store. Returns its ETag. */
  put(target: UploadTarget, bytes: Blob, watch: Watch): Promise<string>;
  /** The entry at that path. */
  findEntry(place: Place, signal?: AbortSignal): Promise<EntryRecord | undefined>;
  /** Names in the directory with that prefix. */
  listNamesLike(place: Place, signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** Whether the entry has the same bytes as the file, as far as that can be determined. */
  hasBytesOf(entry: EntryRecord, file: File, signal: AbortSignal): Promise<boolean>;
}
