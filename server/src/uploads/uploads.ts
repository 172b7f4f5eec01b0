import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Database } from '../database/database.ts';
import type { Actor, Drive } from '../drive/drive.ts';
import type { Drives } from '../drives/drives.ts';
import type { Leases } from '../leases/leases.ts';
import type { Policies } from '../policies/policies.ts';
import { SessionCleanup } from './sessions/cleanup.ts';
import { Completion } from './sessions/completion.ts';
import { DirectUploads } from './sessions/direct-uploads.ts';
import { ProxyContent } from './sessions/proxy-content.ts';
import { UploadSessions } from './sessions/upload-sessions.ts';
import { WriterLocks } from './sessions/writer-locks.ts';
import { ResumableUploads } from './tus/resumable-uploads.ts';
import { OwnDrive, type UploadDestination } from './upload-destination.ts';

export { checkOpenCount, type OpenUploads, type UploadDestination } from './upload-destination.ts';
export type { UploadSessions };

/**
 * Multi-step uploads: a client announces a file, sends its bytes in a way that the store supports, and
 * completes it.
 */
export class Uploads {
  readonly sessions: UploadSessions;
  readonly direct: DirectUploads;
  readonly proxyContent: ProxyContent;
  readonly resumable: ResumableUploads;
  readonly completion: Completion;
  readonly #drive: Drive;

  constructor(parts: {
    database: Database;
    drives: Drives;
    blobs: Blobs;
    policies: Policies;
    drive: Drive;
    leases: Leases;
    clock: Clock;
    ids: Ids;
    uploadSessionTtlMs: number;
    onUnchecked: () => void;
  }) {
    const writerLocks = new WriterLocks(parts);
    this.#drive = parts.drive;
    const cleanup = new SessionCleanup(parts);
    this.sessions = new UploadSessions({ ...parts, writerLocks, cleanup });
    this.direct = new DirectUploads(parts);
    this.proxyContent = new ProxyContent({ ...parts, writerLocks, cleanup });
    this.completion = new Completion({ ...parts, cleanup });
    this.resumable = new ResumableUploads({ ...parts, writerLocks, completion: this.completion });
  }

  /** The drive to which an account uploads a file. */
  toOwnDrive(actor: Actor): UploadDestination {
    return new OwnDrive(this.#drive, actor);
  }
}
