import { errorOf } from '../../../../../client/src/errors/read-error.ts';
import { ask } from '../../../api/ask.ts';
import { sha256OfFile } from '../../../common/sha256.ts';
import { LazyModule } from '../../../common/timing/lazy-module.ts';
import { findEntry, listNamesLike } from '../../entries/find-entry.ts';
import { StoreFailure } from '../upload-failures.ts';
import { putBytes } from './put-bytes.ts';
import type { UploadService } from './upload-service.ts';

/** The time limit for a small file. A connection that needs longer is broken. */
const MAX_MS = 5 * 60_000;

/** The protocol for bytes that are sent through the service. */
const resumable = new LazyModule(() => import('./send-resumable.ts'));

/** The service, over HTTP. */
export const httpUploadService: UploadService = {
  async makeDirectory(path, signal) {
    await ask('POST /api/files/mkdir', { body: { path }, signal });
  },

  async uploadWhole({ directoryPath, name, onConflict }, file, { signal, onProgress }) {
    const body = new FormData();
    body.set('path', directoryPath);
    body.set('modifiedAt', toModifiedAt(file));
    body.set('onConflict', onConflict);
    body.set('file', file, name);
    const tooLong = AbortSignal.timeout(MAX_MS);
    try {
      await ask('POST /api/files/upload', {
        body,
        signal: AbortSignal.any([signal, tooLong]),
      });
    } catch (error) {
      if (signal.aborted || !tooLong.aborted) throw error;
      throw errorOf(0, 'The service says nothing any more.', { cause: error });
    }
    onProgress(file.size);
  },

  openSession({ directoryPath, name, onConflict }, file, signal) {
    const { size, type } = file;
    const announced = { path: directoryPath, filename: name, size, contentType: type || null };
    const body = { ...announced, modifiedAt: toModifiedAt(file), onConflict };
    return ask('POST /api/v2/files/upload-sessions', { body, signal });
  },

  getSession: (sessionId, signal) =>
    ask('GET /api/v2/files/upload-sessions/{sessionId}', { path: { sessionId }, signal }),

  async cancelSession(sessionId) {
    await ask('DELETE /api/v2/files/upload-sessions/{sessionId}', { path: { sessionId } });
  },

  async completeSession({ sessionId }, onConflict, signal) {
    const name = 'POST /api/v2/files/upload-sessions/{sessionId}/complete';
    await ask(name, { path: { sessionId }, body: { onConflict }, signal });
  },

  async sendResumable(sessionId, file, watch) {
    const { sendResumable } = await resumable.get();
    await sendResumable(sessionId, file, watch);
  },

  prepare: ({ sessionId }, signal) =>
    ask('GET /api/v2/files/upload-sessions/{sessionId}/prepare', { path: { sessionId }, signal }),

  preparePart: ({ sessionId }, partIndex, signal) => {
    const path = { sessionId, partIndex };
    return ask('GET /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}/prepare', { path, signal });
  },

  async recordPart({ sessionId }, partIndex, etag, size, signal) {
    const call = { path: { sessionId, partIndex }, body: { etag, size }, signal };
    await ask('PUT /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}', call);
  },

  async put({ uploadUrl, method, headers }, bytes, watch) {
    const { status, etag } = await putBytes({ method, url: uploadUrl, headers }, bytes, watch);
    if (status < 200 || status >= 300) throw new StoreFailure(status);
    return etag ?? '';
  },

  findEntry: ({ directoryPath, name }, signal) => findEntry(directoryPath, name, signal),

  listNamesLike: ({ directoryPath, name }, signal) => listNamesLike(directoryPath, name, signal),

  async hasBytesOf({ id, size }, file, signal) {
    if (size !== file.size) return false;
    const [{ sha256 }, digest] = await Promise.all([
      ask('GET /api/v2/files/{fileId}', { path: { fileId: id }, signal }),
      sha256OfFile(file, signal),
    ]);
    return sha256 === digest;
  },
};

function toModifiedAt({ lastModified }: File): string {
  return new Date(lastModified).toISOString();
}
