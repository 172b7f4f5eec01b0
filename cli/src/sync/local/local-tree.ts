import { readdirSync } from 'node:fs';
import { ConflictError } from '../../../../client/src/client.ts';
import { quoteInAscii } from '../../terminal/escape.ts';
import { findChangedMounts, type KnownMounts } from '../rules/changed-mounts.ts';
import type { IgnoreRules } from '../rules/ignore-rules.ts';
import { isDirectoryOn } from './disk-facts.ts';
import { KnownTree } from './known-tree.ts';
import { type LocalContent, openLocalContent } from './local-content.ts';
import { Listings } from './local-names.ts';
import { type LocalReports, TreeReader } from './tree-reader.ts';

/** The synced directory on disk. */
export class LocalTree extends KnownTree {
  readonly #known: KnownMounts;
  readonly #reports: LocalReports;
  readonly #reader: TreeReader;

  /** @throws Error of the file system if the root cannot be read */
  constructor(
    root: string,
    {
      rules,
      known,
      reports,
    }: {
      readonly rules: IgnoreRules;
      readonly known: KnownMounts;
      readonly reports: LocalReports;
    },
  ) {
    super(root);
    this.#known = known;
    this.#reports = reports;
    this.#reader = new TreeReader(this, rules, reports);
  }

  /**
   * Called with the path of each directory just before it is read, so that the watch can notice every later
   * change.
   */
  set beforeReading(listener: ((directory: string) => void) | undefined) {
    this.#reader.beforeReading = listener;
  }

  /**
   * Call it before missing entries are treated as deleted. Entries whose disk is missing become unknown.
   * @throws ReplacedRoot; Error of the file system
   */
  checkDisks(): void {
    this.identity.check();
    for (const mountPoint of [...this.mountPoints]) {
      const entry = this.entries.get(mountPoint);
      if (entry?.isMountPoint !== true || isDirectoryOn(this.toAbsolute(entry.localPath), entry.device))
        continue;
      this.#leaveOut(mountPoint, 'Its disk was taken away while it was read.');
    }
  }

  /**
   * Call it before missing entries are treated as deleted. An entry that was renamed to a name that cannot be
   * stored becomes unknown at its former path, so that its copy in the drive stays.
   */
  protectCopiesOfUnstorable(): void {
    for (const former of this.unstorable.findFormer(this.#known.base, this.entries)) {
      const { path: entryPath, place } = former;
      if (this.isUnknown(entryPath)) continue;
      this.unstorable.keep(former);
      this.#leaveOut(
        entryPath,
        `On this computer it is ${quoteInAscii(place.localPath)} now, which cannot be stored in the drive. ` +
          'Its copy in the drive stays until that can be stored.',
      );
    }
  }

  /**
   * Call it before an entry is changed. It prevents writes through a symbolic link that has replaced a
   * directory, and writes to another disk than the known one.
   * @throws ReplacedRoot; ConflictError
   */
  checkAbove(entryPath: string): void {
    this.identity.check();
    const changed = this.findChangedAbove(entryPath);
    if (changed !== undefined) throw new ConflictError(`${changed} is no longer the same directory.`);
  }

  /**
   * Reads everything.
   * @param acceptsMounts whether a directory is read even if another disk is mounted there than at the last
   * sync
   * @throws ReplacedRoot; Error of the file system if the root cannot be read
   */
  async scan(rules: IgnoreRules, signal: AbortSignal, acceptsMounts = false): Promise<void> {
    this.identity.check();
    this.#reader.rules = rules;
    this.clear();
    readdirSync(this.root);
    await this.#reader.readBelow([['', '']], signal);
    if (!acceptsMounts) this.#leaveOutChangedMounts();
  }

  /**
   * Reads paths again after a change, with everything below them.
   * @returns the paths that existed there before or exist now
   */
  async rescan(entryPaths: Iterable<string>, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const touched = new Set<string>();
    const listings = new Listings();
    for (const entryPath of entryPaths) {
      for (const each of await this.#reader.rescan(entryPath, listings, signal)) touched.add(each);
    }
    this.#leaveOutChangedMounts();
    return touched;
  }

  /**
   * Opens a file for reading.
   * @throws ReplacedRoot; ConflictError if another file has replaced it; Error of the file system
   */
  async open(entryPath: string, size: number): Promise<LocalContent> {
    const localPath = this.localPathOf(entryPath);
    const checkAbove = () => this.checkAbove(entryPath);
    return await openLocalContent({ root: this.root, localPath, size, checkAbove });
  }

  /** The SHA-256 of a file, in hex. @throws as {@link open} */
  async hash(entryPath: string, signal: AbortSignal): Promise<string> {
    const content = await this.open(entryPath, this.entries.get(entryPath)?.size ?? 0);
    try {
      return await content.computeSha256(signal);
    } finally {
      await content.close();
    }
  }

  #leaveOutChangedMounts(): void {
    const candidates = [...this.#known.mountPoints, ...this.mountPoints].filter(
      (each) => !this.isUnknown(each) && !this.#reader.rules.ignoresAny(each, true),
    );
    for (const [mountPoint, reason] of findChangedMounts(this.#known, this.entries, candidates)) {
      this.#leaveOut(mountPoint, reason);
    }
  }

  #leaveOut(entryPath: string, reason: string): void {
    this.deleteTree(entryPath);
    this.unknown.add(entryPath);
    this.#reports.onFailed(entryPath, new Error(reason));
  }
}
