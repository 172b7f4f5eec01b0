import type { ConflictDecision } from '../../entries/conflicts/conflict-questions.ts';
import type { Root } from '../files/picked-files.ts';
import type { Upload } from '../upload.ts';

/** The part of an upload that survives a page reload. */
export interface SavedUpload
  extends Pick<Upload, 'id' | 'batchId' | 'kind' | 'driveId' | 'directoryPath' | 'name' | 'size'> {
  /** Identifies the chosen file, together with the properties below. */
  readonly fileName: string;
  readonly folders: readonly string[];
  readonly lastModified: number;
  readonly rootId: string | undefined;
  readonly sessionId: string | undefined;
  /** The id of the upload session. */
  readonly parts: readonly number[];
  readonly decision: ConflictDecision | undefined;
  readonly isPaused: boolean;
  /** Missing in records that older versions stored. */
  readonly isPostponed?: boolean;
}

/** Stores uploads. Best effort: if an upload is lost, the user must choose its file again. */
export interface UploadStore {
  put(uploads: readonly SavedUpload[]): void;
  putRoot(root: Root): void;
  remove(ids: readonly string[]): void;
}
