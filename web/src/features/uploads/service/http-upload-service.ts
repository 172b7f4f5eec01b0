import { ApiError } from '../../../api/api-error.ts';
import { ask } from '../../../api/ask.ts';
import type {
  EntryDetails,
  EntryRecord,
  Page,
  SessionRecord,
  SessionWithRuntime,
  UploadTarget,
} from '../../../api/contract.ts';
import { Later } from '../../../common/later.ts';
import { MOST_IN_NAME, MOST_IN_PATH, toNormalForm } from '../../../common/normal-form.ts';
import { sha256OfFile } from '../../../common/sha256.ts';
import type { Place } from '../files/picked-files.ts';
import { stemOf } from '../free-name.ts';
import { pathOf } from '../upload.ts';
import { StoreFailure } from '../upload-failures.ts';
import { putBytes } from './put-bytes.ts';
import type { UploadService } from './upload-service.ts';

const SESSIONS = '/api/v2/files/upload-sessions';
const MOST_FOUND = 1_000;
/** For small files: even the slowest connection is faster, so after this time it is broken. */
const MOST_MS = 5 * 60_000;

/** The protocol for bytes that are sent through the service. */
const resumable = new Later(() => import('./send-resumable.ts'));

/** The service, over HTTP. */
export const httpUploadService: UploadService = {
  async makeDirectory(path, signal) {
    await ask<EntryRecord>('POST', '/api/files/mkdir', { body: { path }, signal });
  },

  async uploadWhole({ directoryPath, name }, file, { signal, onProgress }) {
    const body = new FormData();
    body.set('path', directoryPath);
    body.set('modifiedAt', toModifiedAt(file));
    body.set('file', file, name);
    const tooLong = AbortSignal.timeout(MOST_MS);
    try {
      await ask<EntryRecord>('POST', '/api/files/upload', {
        body,
        signal: AbortSignal.any([signal, tooLong]),
      });
    } catch (error) {
      if (signal.aborted || !tooLong.aborted) throw error;
      throw new ApiError(0, 'The service says nothing any more.', { cause: error });
    }
    onProgress(file.size);
  },

  openSession({ directoryPath, name }, file, signal) {
    const { size, type } = file;
    const announced = { path: directoryPath, filename: name, size, contentType: type || null };
    const body = { ...announced, modifiedAt: toModifiedAt(file) };
    return ask<SessionRecord>('POST', SESSIONS, { body, signal });
  },

  getSession: (sessionId, signal) => ask<SessionWithRuntime>('GET', `${SESSIONS}/${sessionId}`, { signal }),

  async cancelSession(sessionId) {
    await ask<SessionRecord>('DELETE', `${SESSIONS}/${sessionId}`);
  },

  async completeSession({ strategy }, signal) {
    await ask<SessionRecord>('POST', strategy.completeUrl, { signal });
  },

  async sendResumable(sessionId, file, watch) {
    const { sendResumable } = await resumable.get();
    await sendResumable(sessionId, file, watch);
  },

  prepare: ({ strategy }, signal) => ask<UploadTarget>('GET', strategy.prepareUrl ?? '', { signal }),

  preparePart: ({ strategy }, index, signal) =>
    ask<UploadTarget>('GET', fillIn(strategy.partPrepareUrlTemplate, index), { signal }),

  async recordPart({ strategy }, index, etag, size, signal) {
    const url = fillIn(strategy.partRecordUrlTemplate, index);
    await ask<SessionRecord>('PUT', url, { body: { etag, size }, signal });
  },

  async put({ uploadUrl, method, headers }, bytes, watch) {
    const { status, etag } = await putBytes({ method, url: uploadUrl, headers }, bytes, watch);
    if (status < 200 || status >= 300) throw new StoreFailure(status);
    return etag ?? '';
  },

  async findEntry(place, signal) {
    const path = toNormalForm(pathOf(place), MOST_IN_PATH);
    for await (const entry of search(place, place.name, signal)) if (entry.path === path) return entry;
    return undefined;
  },

  async listNamesLike(place, signal) {
    const parent = toNormalForm(place.directoryPath, MOST_IN_PATH);
    const names = new Set<string>();
    for await (const { parentPath, filename } of search(place, stemOf(place.name), signal)) {
      if (parentPath === parent) names.add(filename);
    }
    return names;
  },

  async recycle({ id }, signal) {
    await ask<null>('DELETE', `/api/files/${id}`, { signal });
  },

  async hasBytesOf({ id, size }, file, signal) {
    if (size !== file.size) return false;
    const [{ sha256 }, digest] = await Promise.all([
      ask<EntryDetails>('GET', `/api/v2/files/${id}`, { signal }),
      sha256OfFile(file, signal),
    ]);
    return sha256 === digest;
  },
};

/** Entries below the directory whose names begin like this, the exact name first. */
async function* search(
  { directoryPath }: Place,
  name: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<EntryRecord> {
  for (let page = 0; ; page += 1) {
    const found = toNormalForm(name, MOST_IN_NAME);
    const query = { path: directoryPath, name: found, page, size: MOST_FOUND };
    const { items } = await ask<Page<EntryRecord>>('GET', '/api/v2/files/search', { query, signal });
    yield* items;
    if (items.length < MOST_FOUND) return;
  }
}

function toModifiedAt({ lastModified }: File): string {
  return new Date(lastModified).toISOString();
}

function fillIn(template: string | undefined, index: number): string {
  return template?.replace('{partIndex}', String(index)) ?? '';
}
