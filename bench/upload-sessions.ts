import { setTimeout as sleep } from 'node:timers/promises';
import { HttpConnection, headerOf } from './load/http-connection.ts';
import { requireStatus } from './load/load.ts';
import { getRequest, jsonRequest, streamedBytes } from './load/requests.ts';
import { callOnConnection, readMember, readNumber, readText, type Service } from './service.ts';

const SESSIONS = '/api/v2/files/upload-sessions';
const CHECKSUMS_WITHIN_MS = 120_000;

export interface BenchSession {
  /** The address of sessions; the other calls are below it. */
  readonly path: string;
  readonly objectKey: string;
  readonly size: number;
  readonly chunkSize: number;
  readonly chunkCount: number;
}

/** @throws Error if the session has another mode */
export async function openSession(
  service: Service,
  announced: { readonly filename: string; readonly size: number; readonly mode: string },
): Promise<BenchSession> {
  const { filename, size, mode } = announced;
  const record = await service.call(
    jsonRequest('POST', SESSIONS, { path: '/', filename, size }, service.token),
  );
  if (readText(record, 'uploadMode') !== mode) throw new Error(`the session is not ${mode}`);
  return {
    path: `${SESSIONS}/${readText(record, 'sessionId')}`,
    objectKey: readText(record, 'objectKey'),
    size,
    chunkSize: readNumber(record, 'chunkSize'),
    chunkCount: readNumber(record, 'chunkCount'),
  };
}

/** @throws Error unless the file exists */
export async function completeSession(service: Service, session: BenchSession): Promise<number> {
  const record = await service.call(jsonRequest('POST', `${session.path}/complete`, {}, service.token));
  return readNumber(record, 'fileId');
}

/**
 * A service computes missing checksums by itself after completion. This keeps it from doing so during a
 * measurement.
 */
export async function waitForChecksums(service: Service, id: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < CHECKSUMS_WITHIN_MS; waitedMs += 100) {
    const details = await service.get(`/api/v2/files/${id}`);
    if (typeof readMember(details, 'sha256') === 'string') return;
    await sleep(100);
  }
  throw new Error('the service has not taken the checksums');
}

/** Sends every part to the store as the service says, several at a time, and records it. */
export async function sendParts(
  service: Service,
  session: BenchSession,
  options: { readonly chunk: Buffer; readonly inFlight: number },
): Promise<void> {
  let next = 0;
  const takeIndex = () => (next < session.chunkCount ? next++ : undefined);
  await Promise.all(
    Array.from({ length: options.inFlight }, () => sendSome(service, session, options.chunk, takeIndex)),
  );
}

/** Sends parts one after another, over its own connections. */
async function sendSome(
  service: Service,
  session: BenchSession,
  chunk: Buffer,
  takeIndex: () => number | undefined,
): Promise<void> {
  const toService = await HttpConnection.open(service.port);
  let toStore: HttpConnection | undefined;
  try {
    for (let index = takeIndex(); index !== undefined; index = takeIndex()) {
      const path = `${session.path}/parts/${index}`;
      const target = await callOnConnection(toService, getRequest(`${path}/prepare`, service.token));
      const url = new URL(readText(target, 'uploadUrl'));
      const size = Math.min(session.chunkSize, session.size - index * session.chunkSize);
      const request = streamedBytes(
        {
          method: readText(target, 'method'),
          host: url.host,
          path: url.pathname + url.search,
          headers: readHeaders(target),
        },
        chunk,
        size,
      );
      toStore ??= await HttpConnection.open(Number(url.port));
      const answer = await toStore.stream(request);
      requireStatus(answer, 200, request.head);
      const part = { etag: headerOf(answer, 'etag'), size };
      await callOnConnection(toService, jsonRequest('PUT', path, part, service.token));
    }
  } finally {
    toService.close();
    toStore?.close();
  }
}

function readHeaders(target: unknown): Readonly<Record<string, string>> {
  const headers = readMember(target, 'headers');
  if (typeof headers !== 'object' || headers === null) throw new Error('the target names no headers');
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
