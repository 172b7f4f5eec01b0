import type { Accounts } from '../accounts/accounts.ts';
import type { Clock } from '../base/clock.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { ContentSearch } from '../content-search/content-search.ts';
import type { Database } from '../database/database.ts';
import { type Drives, insertPersonalDrive } from '../drives/drives.ts';
import type { Events } from '../events/events.ts';
import type { UrlSigner } from '../http/signed-url.ts';
import { BinPurges } from './bin/bin-purges.ts';
import { DriveRemoval } from './bin/drive-removal.ts';
import { FileReplacement } from './bin/file-replacement.ts';
import { RecycleBin } from './bin/recycle-bin.ts';
import { Recycling } from './bin/recycling.ts';
import { Content } from './content/content.ts';
import { ContentChanges } from './content/content-changes.ts';
import { FileImport } from './content/file-import.ts';
import { FormerContents } from './content/former-contents.ts';
import { TreeInsertion } from './content/tree-insertion.ts';
import { Downloads } from './download/downloads.ts';
import { OpenArchives } from './download/open-archives.ts';
import { TreeReader } from './download/tree-reader.ts';
import { ZipTickets } from './download/zip-tickets.ts';
import { Directories } from './entries/directories.ts';
import { EntryEvents } from './entries/entry-events.ts';
import { EntryRecords } from './entries/entry-records.ts';
import { NameConflicts, type Recycle } from './entries/name-conflicts.ts';
import { MAX_TREE_ENTRIES } from './entries/tree-size.ts';
import { Listing } from './listing/listing.ts';
import { Metadata } from './metadata/metadata.ts';
import { Search } from './search/search.ts';
import { TextSearch } from './search/text-search.ts';
import { Stars } from './stars/stars.ts';
import { Subtrees } from './subtrees/subtrees.ts';
import { TimelineExclusions } from './timeline/exclusions.ts';
import { Timeline } from './timeline/timeline.ts';
import { BetweenDrives } from './tree/between-drives.ts';
import { Copies } from './tree/copies.ts';
import { Placement } from './tree/placement.ts';
import { Tree } from './tree/tree.ts';
import { Versions } from './versions/versions.ts';

export type { ContentWrite } from './content/content.ts';
export { type NewFile, toNewFile } from './content/new-file.ts';
export type { TargetDirectory, TreeNode } from './content/tree-insertion.ts';
export type { ImportTarget } from './contract.ts';
export { type ArchivedFile, type Download, etagOf, type StoredFile } from './download/downloads.ts';
export type { SourceEntry } from './download/tree-reader.ts';
export { type Actor, type Entry, type EntryWithPath, systemIn } from './entries/entry.ts';
export { type EntryRecords, toPersonalRecord } from './entries/entry-records.ts';
export {
  isLiveEntry,
  JOINED_ENTRY_COLUMNS,
  type JoinedEntryRow,
  joinAnyEntry,
  joinLiveEntry,
  toJoinedEntry,
} from './entries/joined-entry-queries.ts';
export { insertsEntries, longIfReplacing, MAX_SHORT_CHANGES } from './entries/long-work.ts';
export type { NamePlace, Place } from './entries/place.ts';
export type { ListedChild, ListedEntry } from './listing/queries.ts';
export type { MediaShape } from './metadata/shape-queries.ts';

/** The files and directories of all drives. Each part offers one kind of operation on them. */
export class Drive {
  readonly records: EntryRecords;
  readonly listing: Listing;
  readonly search: Search;
  readonly textSearch: TextSearch;
  readonly subtrees: Subtrees;
  readonly stars: Stars;
  readonly timeline: Timeline;
  readonly timelineExclusions: TimelineExclusions;
  readonly entryEvents: EntryEvents;
  readonly tree: Tree;
  readonly placement: Placement;
  readonly betweenDrives: BetweenDrives;
  readonly content: Content;
  readonly contentChanges: ContentChanges;
  readonly fileImport: FileImport;
  readonly recycling: Recycling;
  readonly bin: RecycleBin;
  readonly removal: DriveRemoval;
  readonly downloads: Downloads;
  readonly zipTickets: ZipTickets;
  readonly metadata: Metadata;
  readonly versions: Versions;
  readonly fileReplacement: FileReplacement;
  readonly treeReader: TreeReader;
  readonly treeInsertion: TreeInsertion;

  constructor(parts: {
    database: Database;
    accounts: Accounts;
    drives: Drives;
    blobs: Blobs;
    contentSearch: ContentSearch;
    events: Events;
    clock: Clock;
    signer: UrlSigner;
    downloadUrlTtlMs: number;
    recycleRetentionMs: number;
    versionRetentionMs: number;
    /**
     * The maximum number of entries of one copy, import or ZIP download. The totals of a directory with more
     * entries are not counted.
     */
    maxTreeEntries?: number | undefined;
  }) {
    this.entryEvents = new EntryEvents(parts.events);
    const { entryEvents } = this;
    const directories = new Directories({ ...parts, entryEvents });
    this.records = new EntryRecords(parts.database);
    this.search = new Search(parts.database);
    this.textSearch = new TextSearch(parts);
    this.timeline = new Timeline(parts.database);
    this.timelineExclusions = new TimelineExclusions(parts);
    this.stars = new Stars({ ...parts, entryEvents });
    const { maxTreeEntries = MAX_TREE_ENTRIES } = parts;
    this.listing = new Listing(parts.database, maxTreeEntries);
    const copies = new Copies({ ...parts, maxTreeEntries });
    const formerContents = new FormerContents(parts.blobs);
    const purges = new BinPurges({ ...parts, formerContents, entryEvents });
    this.recycling = new Recycling({ ...parts, entryEvents, purges });
    const { recycling } = this;
    const recycle: Recycle = (tx, actor, entry) => recycling.recycle(tx, actor, entry);
    const conflicts = new NameConflicts(recycle);
    const changing = { ...parts, directories, entryEvents, conflicts, recycle };
    this.placement = new Placement({ ...changing, copies });
    this.tree = new Tree({ ...changing, placement: this.placement });
    this.betweenDrives = new BetweenDrives({
      ...changing,
      copies,
      tree: this.tree,
      placement: this.placement,
    });
    this.fileImport = new FileImport({ ...changing, copies });
    this.contentChanges = new ContentChanges({ ...changing, formerContents });
    const { contentChanges } = this;
    this.content = new Content({ ...parts, contentChanges });
    this.bin = new RecycleBin({ ...changing, purges, recycling, retentionMs: parts.recycleRetentionMs });
    this.removal = new DriveRemoval({ ...changing, bin: this.bin });
    this.treeReader = new TreeReader(parts);
    this.treeInsertion = new TreeInsertion(changing);
    const openArchives = new OpenArchives({ treeReader: this.treeReader, maxTreeEntries });
    this.zipTickets = new ZipTickets({ ...parts, openArchives });
    this.downloads = new Downloads({
      ...parts,
      urlTtlMs: parts.downloadUrlTtlMs,
      openArchives,
    });
    this.subtrees = new Subtrees({
      database: parts.database,
      listing: this.listing,
      downloads: this.downloads,
    });
    this.metadata = new Metadata({ ...parts, entryEvents });
    this.fileReplacement = new FileReplacement({ ...parts, bin: this.bin, recycling, contentChanges });
    const retentionMs = parts.versionRetentionMs;
    const { downloads } = this;
    this.versions = new Versions({ ...parts, contentChanges, formerContents, downloads, retentionMs });
    parts.accounts.creation.onCreated(async (tx, accountId, { directories: names, ...limits }) => {
      const driveId = await insertPersonalDrive(tx, accountId, limits, parts.clock.now());
      await directories.createRoot(tx, driveId, names);
    });
    parts.drives.creation.onCreated((tx, driveId) => directories.createRoot(tx, driveId, []));
  }
}
