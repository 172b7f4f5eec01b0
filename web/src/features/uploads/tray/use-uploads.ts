import { useSyncExternalStore } from 'react';
import type { UploadsView } from '../queue/upload-queue.ts';
import { uploads } from '../uploads.ts';

export function useUploads(): UploadsView {
  return useSyncExternalStore(uploads.subscribe, uploads.view);
}
