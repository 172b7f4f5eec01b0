import type { Accounts } from '../accounts/accounts.ts';
import type { Clock } from '../base/clock.ts';
import { toFileName } from '../base/text/file-name.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Database } from '../database/database.ts';
import type { Events } from '../events/events.ts';
import type { UrlSigner } from '../http/signed-url.ts';
import { RecycleBin } from './bin/recycle-bin.ts';
import { Downloads } from './download/downloads.ts';
import { Imports } from './intake/imports.ts';
import { Intake } from './intake/intake.ts';
import { StoredFiles, type StoredHook } from './intake/stored-files.ts';
import { Journal } from './journal.ts';
import { Listing } from './listing/listing.ts';
import { Metadata } from './metadata/metadata.ts';
import { Search } from './search/search.ts';
import { Copies } from './tree/copies.ts';
import { Directories } from './tree/directories.ts';
import { Tree } from './tree/tree.ts';
import { Trees } from './tree/trees.ts';
import { Walks } from './tree/walks.ts';

export type { StoredFile } from './download/downloads.ts';
export { type FilePlace, toFilePlace } from './intake/file-place.ts';
export type { Intake } from './intake/intake.ts';
export { type Actor, type Entry, type PlacedEntry, toRecord } from './tree/entry.ts';
export type { TreeNode, TreePlace } from './tree/trees.ts';
export type { WalkSource } from './tree/walks.ts';

/** People's files and directories. Each part is one kind of thing that can be done with them. */
export class Drive {
  readonly listing: Listing;
  readonly search: Search;
  readonly tree: Tree;
  readonly intake: Intake;
  readonly imports: Imports;
  readonly bin: RecycleBin;
  readonly downloads: Downloads;
  readonly metadata: Metadata;
  readonly #storedFiles: StoredFiles;
  readonly walks: Walks;
  readonly trees: Trees;

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
    const storedFiles = new StoredFiles();
    const directories = new Directories({ ...parts, journal, storedFiles });
    this.listing = new Listing(parts.database);
    this.search = new Search(parts.database);
    const copies = new Copies(parts);
    this.tree = new Tree({ ...parts, copies, directories, journal });
    this.imports = new Imports({ ...parts, copies, directories, journal, storedFiles });
    this.intake = new Intake({ ...parts, directories });
    this.bin = new RecycleBin({ ...parts, directories, journal, retentionMs: parts.recycleRetentionMs });
    this.walks = new Walks(parts);
    this.trees = new Trees({ ...parts, journal, storedFiles });
    this.downloads = new Downloads({ ...parts, urlTtlMs: parts.downloadUrlTtlMs });
    this.metadata = new Metadata({ ...parts, journal });
    this.#storedFiles = storedFiles;
    const names = parts.defaultDirectories.map(toFileName);
    parts.accounts.onCreated((tx, accountId) => directories.openDrive(tx, accountId, names));
  }

  /** Has the hook called in every transaction that brings a file into a drive, but for copies within one. */
  onStored(hook: StoredHook): void {
    this.#storedFiles.onStored(hook);
  }
}
