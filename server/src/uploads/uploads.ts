import type { Accounts } from '../accounts/accounts.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Database } from '../database/database.ts';
import type { Drive } from '../drive/drive.ts';
import type { Leases } from '../leases/leases.ts';
import type { Policies } from '../policies/policies.ts';
import { Completion } from './sessions/completion.ts';
import { Contents } from './sessions/contents.ts';
import { DirectUploads } from './sessions/direct-uploads.ts';
import { Leftovers } from './sessions/leftovers.ts';
import { Sessions } from './sessions/sessions.ts';
import { Pieces } from './tus/pieces.ts';
import { Writers } from './tus/writers.ts';

/** Files on their way into a drive, in steps: announced, sent in whatever way the store offers, completed. */
export class Uploads {
  readonly sessions: Sessions;
  readonly direct: DirectUploads;
  readonly contents: Contents;
  readonly pieces: Pieces;
  readonly completion: Completion;

  constructor(parts: {
    database: Database;
    accounts: Accounts;
    blobs: Blobs;
    policies: Policies;
    drive: Drive;
    leases: Leases;
    clock: Clock;
    ids: Ids;
    uploadSessionTtlMs: number;
    onUnchecked: () => void;
  }) {
    const writers = new Writers(parts);
    const { intake } = parts.drive;
    const leftovers = new Leftovers(parts);
    this.sessions = new Sessions({ ...parts, intake, writers, leftovers });
    this.direct = new DirectUploads(parts);
    this.contents = new Contents({ ...parts, writers });
    this.completion = new Completion({ ...parts, intake, leftovers });
    this.pieces = new Pieces({ ...parts, writers, completion: this.completion });
  }
}
