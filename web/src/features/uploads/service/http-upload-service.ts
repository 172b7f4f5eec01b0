import type { EntryRecord } from '../../../../../client/src/client.ts';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { errorOf } from '../../../../../client/src/errors/read-error.ts';
import { ask } from '../../../api/ask.ts';
import type { DriveId } from '../../../api/in-drive.ts';
import { LazyModule } from '../../../common/timing/lazy-module.ts';
import { findEntry, listNamesLike } from '../../entries/find-entry.ts';
import { StoreFailure } from '../upload-failures.ts';
import { putBytes } from './put-bytes.ts';
import type { UploadService } from './upload-service.ts';

/** The time limit for a small file. A connection that needs longer is broken. */
const MAX_MS = 5 * 60_000;

/** Larger directories are not listed to find the files that exist already: 5 requests. */
const LISTED_PAGES = 5;
const PAGE_SIZE = 1_000;

const hashing = new LazyModule(() => import('../hashing/hash-file.ts'));

/** The protocol for bytes that are sent through the service. */
const resumable = new LazyModule(() => import('./send-resumable.ts'));

/** The calls about one drive. */
function serviceIn(drive: DriveId): UploadService {
  return {
    inDrive: serviceIn,

    async makeDirectory(path, signal) {
      await ask('POST /api/files/mkdir', { body: { path }, drive, signal });
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
          drive,
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
      return ask('POST /api/v2/files/upload-sessions', { body, drive, signal });
    },

    getSession: (sessionId, signal) =>
      ask('GET /api/v2/files/upload-sessions/{sessionId}', { path: { sessionId }, drive, signal }),

    async cancelSession(sessionId) {
      await ask('DELETE /api/v2/files/upload-sessions/{sessionId}', { path: { sessionId }, drive });
    },

    async completeSession({ sessionId }, onConflict, signal) {
      const name = 'POST /api/v2/files/upload-sessions/{sessionId}/complete';
      await ask(name, { path: { sessionId }, body: { onConflict }, drive, signal });
    },

    async sendResumable(sessionId, file, watch) {
      const { sendResumable } = await resumable.get();
      await sendResumable(drive, sessionId, file, watch);
    },

    prepare: ({ sessionId }, signal) =>
      ask('GET /api/v2/files/upload-sessions/{sessionId}/prepare', { path: { sessionId }, drive, signal }),

    preparePart: ({ sessionId }, partIndex, signal) => {
      const path = { sessionId, partIndex };
      return ask('GET /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}/prepare', {
        path,
        drive,
        signal,
      });
    },

    async recordPart({ sessionId }, partIndex, etag, size, signal) {
      const call = { path: { sessionId, partIndex }, body: { etag, size }, drive, signal };
      await ask('PUT /api/v2/files/upload-sessions/{sessionId}/parts/{partIndex}', call);
    },

    async put({ uploadUrl, method, headers }, bytes, watch) {
      const { status, etag } = await putBytes({ method, url: uploadUrl, headers }, bytes, watch);
      if (status < 200 || status >= 300) throw new StoreFailure(status);
      return etag ?? '';
    },

    findEntry: ({ directoryPath, name }, signal) =>
      findEntry({ drive, directory: directoryPath }, name, signal),

    listNamesLike: ({ directoryPath, name }, signal) =>
      listNamesLike({ drive, directory: directoryPath }, name, signal),

    async listDirectory(path, signal) {
      const entries = new Map<string, EntryRecord>();
      try {
        for (let page = 0; page < LISTED_PAGES; page += 1) {
          const query = { path, page, size: PAGE_SIZE, sort: 'name' as const };
          const { items } = await ask('GET /api/files/list', { query, drive, signal });
          for (const entry of items) entries.set(entry.filename, entry);
          if (items.length < PAGE_SIZE) return entries;
        }
        return undefined;
      } catch (error) {
        if (error instanceof HoldallError && error.status === 404) return entries;
        throw error;
      }
    },

    async compare({ id, driveId, path, size }, file, watch) {
      if (size !== file.size) return 'different';
      // This may take minutes, so the entry is looked up afterwards.
      const sha256 = await (await hashing.get()).hashFile(file, watch);
      const call = { path: { fileId: id }, drive, signal: watch.signal };
      try {
        const now = await ask('GET /api/v2/files/{fileId}', call);
        if (now.path !== path || now.driveId !== driveId) return 'gone';
        return now.sha256 === sha256 && now.size === file.size ? 'same' : 'different';
      } catch (error) {
        if (error instanceof HoldallError && error.status === 404) return 'gone';
        throw error;
      }
    },
  };
}

/** The service, over HTTP. Its calls are about the personal drive. */
export const httpUploadService = serviceIn(undefined);

function toModifiedAt({ lastModified }: File): string {
  return new Date(lastModified).toISOString();
}
