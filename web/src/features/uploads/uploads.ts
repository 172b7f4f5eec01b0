import type { QueryClient } from '@tanstack/react-query';
import type { DriveRecord } from '../../../../client/src/client.ts';
import { KEYS } from '../../api/keys.ts';
import { currentSession, onSessionChange } from '../../api/session.ts';
import { newId } from '../../common/new-id.ts';
import { readShared } from '../../common/shared-files.ts';
import { ChangedDirectories } from './changed-directories.ts';
import { askToRead, mayRead, openAgain } from './files/file-handles.ts';
import { type Root, toPicked } from './files/picked-files.ts';
import { TabLock } from './persistence/tab-lock.ts';
import { type SavedUploadRecord, UploadDatabase } from './persistence/upload-database.ts';
import { UploadQueue } from './queue/upload-queue.ts';
import { httpUploadService } from './service/http-upload-service.ts';

// The upload queue of this page, connected to the browser's storage, tabs and events.

/** Stored uploads are dropped after this time. By then the service has deleted their sessions. */
const RETENTION_MS = 7 * 24 * 60 * 60 * 1_000;

const tab = new TabLock(newId());
const database = new UploadDatabase();
const roots = new Map<string, Root>();
let changes: ChangedDirectories | undefined;
let queryClient: QueryClient | undefined;

export const uploads = new UploadQueue({
  service: httpUploadService,
  uploadStore: {
    put: (saved) => {
      const userId = currentSession()?.user.id;
      if (userId === undefined) return;
      const at = Date.now();
      database.put(saved.map((upload) => ({ ...upload, userId, holder: tab.id, at })));
    },
    putRoot: (root) => {
      roots.set(root.id, root);
      database.putRoot(root);
    },
    remove: (ids) => database.remove(ids),
  },
  onAdded: (path, driveId) => changes?.note(path, driveId),
  newId,
  maxUploadSizeBytes: (driveId) => {
    // The service checks it again. An unknown limit only means that this check comes later.
    if (driveId === undefined) return currentSession()?.user.maxUploadSizeBytes ?? Number.POSITIVE_INFINITY;
    const drives = queryClient?.getQueryData<readonly DriveRecord[]>(KEYS.drives());
    return drives?.find(({ id }) => id === driveId)?.maxUploadBytes ?? Number.POSITIVE_INFINITY;
  },
});

let userId: number | undefined;

/** Resumes the uploads of the last visit. May be called again. */
export function startUploads(queries: QueryClient): void {
  if (changes !== undefined) return;
  queryClient = queries;
  changes = new ChangedDirectories(queries);
  window.addEventListener('online', () => uploads.endOutage());
  window.addEventListener('beforeunload', (event) => {
    if (uploads.wouldLoseFiles()) event.preventDefault();
  });
  onSessionChange(onUserChange);
  onUserChange();
}

/** Must be called from a click: asks the user for permission to read the files again. */
export async function askForPermission(): Promise<void> {
  for (const id of uploads.rootsToPermit()) {
    const root = roots.get(id);
    if (root !== undefined && (await askToRead(root.handle))) uploads.permit(id);
  }
}

function onUserChange(): void {
  const now = currentSession()?.user.id;
  if (now === userId) return;
  const isFirst = userId === undefined;
  userId = now;
  // The first user of the page may have started uploads before this runs; they must go on.
  if (!isFirst) uploads.stopAll();
  if (now !== undefined) void restoreUploadsOf(now, isFirst);
}

async function restoreUploadsOf(user: number, isFirst: boolean): Promise<void> {
  const stored = await database.listUploads();
  const old = stored.filter(({ at }) => at < Date.now() - RETENTION_MS).map(({ id }) => id);
  if (old.length > 0) database.remove(old);
  await removeUnusedRoots(stored);
  const holders = new Set(stored.filter((upload) => upload.userId === user).map(({ holder }) => holder));
  for (const holder of holders) {
    if (holder !== tab.id) tab.onReleased(holder, () => takeOver(holder, user));
    // This tab stored these during an earlier login. Those of the first login are in the queue already.
    else if (!isFirst) await takeOver(holder, user);
  }
}

/** Takes over the uploads of a tab, unless another tab already has. */
async function takeOver(holder: string, user: number): Promise<void> {
  if (currentSession()?.user.id !== user) return;
  const stored = await database.listUploads();
  const left = stored.filter((upload) => upload.holder === holder && upload.userId === user);
  if (left.length === 0) return;
  database.put(left.map((upload) => ({ ...upload, holder: tab.id })));
  await database.settled();
  for (const root of await database.listRoots()) roots.set(root.id, root);
  const permitted = new Map<string, boolean>();
  for (const id of new Set(left.map(({ rootId }) => rootId))) {
    const root = id === undefined ? undefined : roots.get(id);
    if (root !== undefined) permitted.set(root.id, await mayRead(root.handle));
  }
  for (const upload of left) {
    const root = upload.rootId === undefined ? undefined : roots.get(upload.rootId);
    uploads.restore(upload, {
      open: root && (() => openAgain(root.handle, upload)),
      isPermitted: root !== undefined && permitted.get(root.id) === true,
    });
  }
  // The browser still stores files that another app has shared, so the user need not choose them again.
  uploads.attach((await readShared()).map(toPicked));
}

async function removeUnusedRoots(stored: readonly SavedUploadRecord[]): Promise<void> {
  const used = new Set(stored.map(({ rootId }) => rootId));
  const idle = (await database.listRoots()).filter(({ id }) => !used.has(id) && !roots.has(id));
  if (idle.length > 0) database.removeRoots(idle.map(({ id }) => id));
}
