import type { Root } from '../files/picked-files.ts';
import type { Decision, Upload } from '../upload.ts';

/** What is remembered of an upload beyond the life of the page. */
export interface KeptUpload
  extends Pick<Upload, 'id' | 'batchId' | 'kind' | 'directoryPath' | 'name' | 'size'> {
  /** Of the file as it was picked: by these it is known again. */
  readonly fileName: string;
  readonly folders: readonly string[];
  readonly lastModified: number;
  readonly rootId: string | undefined;
  readonly sessionId: string | undefined;
  /** Of the session, that the service knows. */
  readonly parts: readonly number[];
  readonly decision: Decision | undefined;
  readonly isPaused: boolean;
}

/** Remembers uploads. Nobody waits for it: what it forgets has to be picked again. */
export interface UploadKeeper {
  put(uploads: readonly KeptUpload[]): void;
  putRoot(root: Root): void;
  remove(ids: readonly string[]): void;
}
