import type { EntryRecord, SessionRecord, SessionWithRuntime, UploadTarget } from '../../../api/contract.ts';
import type { Place } from '../files/picked-files.ts';

/** While bytes go. */
export interface Watch {
  readonly signal: AbortSignal;
  /** @param bytes that have gone by now, of those that this call sends */
  readonly onProgress: (bytes: number) => void;
}

/** What an upload asks of the service and of the store. Everything throws an `ApiError`, or a `StoreFailure` where the store did it. */
export interface UploadService {
  makeDirectory(path: string, signal: AbortSignal): Promise<void>;
  /** In one request. */
  uploadWhole(place: Place, file: File, watch: Watch): Promise<void>;
  openSession(place: Place, file: File, signal: AbortSignal): Promise<SessionRecord>;
  getSession(sessionId: string, signal: AbortSignal): Promise<SessionWithRuntime>;
  cancelSession(sessionId: string): Promise<void>;
  completeSession(session: SessionRecord, signal: AbortSignal): Promise<void>;
  /** Through the service, from where it stopped. The last byte completes the session. */
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
  /** To the store. Gives the tag that it answers with. */
  put(target: UploadTarget, bytes: Blob, watch: Watch): Promise<string>;
  /** What has that place now. */
  findEntry(place: Place, signal?: AbortSignal): Promise<EntryRecord | undefined>;
  /** Names in the directory that begin like that one. */
  listNamesLike(place: Place, signal: AbortSignal): Promise<ReadonlySet<string>>;
  recycle(entry: EntryRecord, signal: AbortSignal): Promise<void>;
  /** Whether the bytes of the entry are those of the file, as far as that can be known. */
  hasBytesOf(entry: EntryRecord, file: File, signal: AbortSignal): Promise<boolean>;
}
