import type { SessionRecord, SessionWithRuntime } from '../../../../../../client/src/client.ts';
import { HoldallError } from '../../../../../../client/src/errors/errors.ts';
import { mapConcurrently } from '../../../../common/timing/map-concurrently.ts';
import type { Destination, UploadService, Watch } from '../../service/upload-service.ts';
import { StoreFailure } from '../../upload-failures.ts';

/**
 * Files up to this size are always sent in one request, which is faster than first requesting an upload
 * address.
 */
export const SMALL_BYTES = 1024 ** 2;

/** Parts of one file that are sent to the store concurrently. */
const MAX_CONCURRENT_PARTS = 4;

export interface SendRequest {
  readonly destination: Destination;
  readonly file: File;
  /** The session of an earlier attempt. */
  readonly sessionId: string | undefined;
  /** Recorded parts of that session. */
  readonly parts: readonly number[];
  /** Files up to this size are sent in one request, which is faster and cannot be resumed. */
  readonly maxRequestBytes: number;
  /** Whether an earlier attempt was interrupted. Its file may exist although the response was lost. */
  readonly wasInterrupted: boolean;
}

export interface SendWatch extends Watch {
  /** Called when the session to resume changes or ends. */
  readonly onSession: (sessionId: string | undefined) => void;
  readonly onPart: (index: number) => void;
  /** Called with the upload mode that the service has chosen for a session. */
  readonly onMode: (mode: SessionRecord['uploadMode']) => void;
}

/**
 * Uploads one file in the way that the service requests. It resumes when it is called again after a failure.
 *
 * @throws HoldallError, StoreFailure; `signal.reason` when it was aborted
 */
export async function sendFile(
  service: UploadService,
  request: SendRequest,
  watch: SendWatch,
): Promise<void> {
  const { destination, file } = request;
  if (request.sessionId === undefined && file.size <= request.maxRequestBytes && isPlain(destination.name)) {
    return sendSmall(service, request, watch);
  }
  const known = await findOpenSession(service, request.sessionId, watch);
  if (known === 'completed') return;
  const session = known ?? (await service.openSession(destination, file, watch.signal));
  if (known === undefined) watch.onSession(session.sessionId);
  watch.onMode(session.uploadMode);
  const { onConflict } = destination;
  if (known?.runtime?.uploadedBytes === file.size) {
    return service.completeSession(session, onConflict, watch.signal);
  }
  const parts = known === undefined ? [] : request.parts;
  switch (session.uploadMode) {
    case 'DIRECT_MULTIPART':
      return sendParts(service, session, { ...request, parts }, watch);
    case 'DIRECT_SINGLE':
      return sendSingle(service, session, request, watch);
    default:
      return service.sendResumable(session.sessionId, file, watch);
  }
}

/** Names with these characters cannot be sent unchanged in a form. */
function isPlain(name: string): boolean {
  return !/["\r\n]/.test(name);
}

async function sendSmall(
  service: UploadService,
  { destination, file, wasInterrupted }: SendRequest,
  watch: Watch,
): Promise<void> {
  try {
    await service.uploadWhole(destination, file, watch);
  } catch (error) {
    if (!wasInterrupted || !(error instanceof HoldallError) || error.status !== 409) throw error;
    // Our own earlier attempt may have taken the name, if only its response was lost.
    const entry = await service.findEntry(destination, watch.signal);
    if (entry === undefined || (await service.compare(entry, file, unreported(watch))) !== 'same')
      throw error;
  }
}

/** Reading the file is no progress of its upload. */
function unreported({ signal }: Watch): Watch {
  return { signal, onProgress: () => undefined };
}

async function findOpenSession(
  service: UploadService,
  sessionId: string | undefined,
  { signal, onSession }: SendWatch,
): Promise<SessionWithRuntime | 'completed' | undefined> {
  if (sessionId === undefined) return undefined;
  try {
    const session = await service.getSession(sessionId, signal);
    if (session.status === 'COMPLETED') return 'completed';
    if (['CREATED', 'UPLOADING', 'COMPLETING'].includes(session.status)) return session;
  } catch (error) {
    if (!(error instanceof HoldallError && error.status === 404)) throw error;
  }
  onSession(undefined);
  return undefined;
}

async function sendSingle(
  service: UploadService,
  session: SessionRecord,
  { destination, file }: SendRequest,
  watch: Watch,
): Promise<void> {
  const target = await service.prepare(session, watch.signal);
  try {
    await service.put(target, file, watch);
  } catch (error) {
    // The store accepts an object once. It has the object already, and only the response was lost.
    if (!(error instanceof StoreFailure && error.status === 412)) throw error;
  }
  await service.completeSession(session, destination.onConflict, watch.signal);
}

async function sendParts(
  service: UploadService,
  session: SessionRecord,
  { destination, file, parts }: SendRequest,
  watch: SendWatch,
): Promise<void> {
  const { chunkSize, chunkCount } = session;
  const recorded = new Set(parts);
  const slice = (index: number) => file.slice(index * chunkSize, (index + 1) * chunkSize);
  const missing = Array.from({ length: chunkCount }, (_, index) => index).filter(
    (index) => !recorded.has(index),
  );
  const sent = new Map<number, number>(parts.map((index) => [index, slice(index).size]));
  const report = (index: number, bytes: number) => {
    sent.set(index, bytes);
    watch.onProgress([...sent.values()].reduce((sum, some) => sum + some, 0));
  };

  try {
    // When one part fails, the running ones still finish, so their bytes need not be sent again.
    await mapConcurrently(missing, MAX_CONCURRENT_PARTS, async (part) => {
      const bytes = slice(part);
      const target = await service.preparePart(session, part, watch.signal);
      const onProgress = (count: number) => report(part, count);
      const etag = await service.put(target, bytes, { signal: watch.signal, onProgress });
      await service.recordPart(session, part, etag, bytes.size, watch.signal);
      report(part, bytes.size);
      watch.onPart(part);
    });
  } finally {
    watch.signal.throwIfAborted();
  }
  await service.completeSession(session, destination.onConflict, watch.signal);
}
