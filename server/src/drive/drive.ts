import type { Accounts } from '../accounts/accounts.ts';
import type { Clock } from '../base/clock.ts';
import { toFileName } from '../base/file-name.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Database } from '../database/database.ts';
import type { Events } from '../events/events.ts';
import type { UrlSigner } from '../http/signed-url.ts';
import { Copies } from './copies.ts';
import { Directories } from './directories.ts';
import { Downloads } from './downloads.ts';
import { Imports } from './imports.ts';
import { Intake } from './intake.ts';
import { Journal } from './journal.ts';
import { Listing } from './listing.ts';
import { RecycleBin } from './recycle-bin.ts';
import { Search } from './search.ts';
import { Tree } from './tree.ts';

export type { StoredFile } from './downloads.ts';
export { type Actor, type Entry, type PlacedEntry, toRecord } from './entry.ts';
export { type FilePlace, toFilePlace } from './file-place.ts';
export type { Intake } from './intake.ts';

/** People's files and directories. Each part is one kind of thing that can be done with them. */
export class Drive {
  readonly listing: Listing;
  readonly search: Search;
  readonly tree: Tree;
  readonly intake: Intake;
  readonly imports: Imports;
  readonly bin: RecycleBin;
  readonly downloads: Downloads;

  constructor(parts: {
    database: Database;
    accounts: Accounts;
    blobs: Blobs;
    events: Events;
    clock: Clock;
    signer: UrlSigner;
    downloadUrlTtlMs: number;
    recycleRetentionMs: number;
    defaultDirectories: readonly string[];
  }) {
    const journal = new Journal(parts.events);
    const directories = new Directories(parts.clock, journal);
    this.listing = new Listing(parts.database);
    this.search = new Search(parts.database);
    const copies = new Copies(parts);
    this.tree = new Tree({ ...parts, copies, directories, journal });
    this.imports = new Imports({ ...parts, copies, directories, journal });
    this.intake = new Intake({ ...parts, directories });
    this.bin = new RecycleBin({ ...parts, directories, journal, retentionMs: parts.recycleRetentionMs });
    this.downloads = new Downloads({ ...parts, urlTtlMs: parts.downloadUrlTtlMs });
    const names = parts.defaultDirectories.map(toFileName);
    parts.accounts.onCreated((tx, accountId) => directories.openDrive(tx, accountId, names));
  }
}
