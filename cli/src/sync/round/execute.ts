// Executes the decision for each path.

import { ConflictError } from '../../../../client/src/client.ts';
import { forEachConcurrently } from '../../files/for-each-concurrently.ts';
import { findDiskFacts } from '../local/disk-facts.ts';
import { hasOnlyJunk } from '../local/junk.ts';
import { findConflictPath } from '../rules/conflict-name.ts';
import type { Decision } from '../rules/decide.ts';
import { IdentitySet, isSameIdentity } from '../rules/disk-identity.ts';
import { isSameOnDisk, isSameRecord, type LocalEntry, type RemoteEntry } from '../rules/entries.ts';
import type { Entries } from '../rules/examine.ts';
import { depthOf, parentOf } from '../rules/path-map.ts';
import type { Directories } from './directories.ts';
import type { Round } from './round.ts';

/**
 * For new files up to this size, the base stores the checksum, which later shows on which side the content
 * changed. A larger file would have to be read twice, so its checksum is computed only when something
 * differs.
 */
const MAX_HASHED_BYTES = 1_048_576;

/** A path with its decision. */
export interface Planned {
  readonly path: string;
  readonly decision: Decision;
  /** The entries from which the decision was made. */
  readonly entries: Entries;
  /** The checksum of the file on disk; null if it was not needed. */
  readonly sha256: string | null;
}

export class Executor {
  readonly #round: Round;
  readonly #directories: Directories;

  constructor(round: Round, directories: Directories) {
    this.#round = round;
    this.#directories = directories;
  }

  /** Whether an entry must be renamed before any other action at the path. */
  isConflict({ path, decision }: Planned): boolean {
    if (decision === 'rename-local' || decision === 'rename-remote') return true;
    const { local, remote } = this.#round.entriesOf(path);
    const isDeletion = decision === 'delete-local' || decision === 'delete-remote';
    return isDeletion && local !== undefined && remote !== undefined;
  }

  /** Renames one of two conflicting files, so that both stay. */
  async resolveConflict(planned: Planned): Promise<void> {
    const { state, local, localActions, remoteActions, isDryRun, now } = this.#round.parts;
    const { path, decision, entries } = planned;
    if (!this.#isCurrent(planned)) return;
    if (decision === 'delete-local') return await this.#deleteLocal(planned);
    if (decision === 'delete-remote') return await this.#deleteRemoteFile(planned);
    const to = findConflictPath(path, now(), (candidate) => this.#isTaken(candidate));
    this.#round.step(decision);
    if (decision === 'rename-local') {
      if (!isDryRun) {
        localActions.move(path, to);
        local.refresh(to, local.localPathOf(to));
      }
    } else if (entries.remote !== undefined && !isDryRun) {
      await remoteActions.move(path, to, entries.remote);
    }
    if (!isDryRun) {
      this.#round.step('delete-base');
      state.transact(() => state.deleteBaseTree(path));
    }
    this.#round.did(decision === 'rename-local' ? 'conflict-local' : 'conflict-remote', path, to);
  }

  /**
   * Executes the decisions without a rename. Deletions come last, when the entries that replace the deleted
   * ones exist.
   */
  async execute(plan: readonly Planned[]): Promise<void> {
    const { state, jobs } = this.#round.parts;
    const sorted = plan.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    state.transact(() => {
      for (const { path, decision } of sorted) if (decision === 'delete-base') state.deleteBase(path);
      for (const each of sorted) if (each.decision === 'record-equal') this.#recordEqual(each);
    });
    const transfers = sorted.filter(({ decision }) =>
      ['upload', 'download', 'replace-remote', 'replace-local'].includes(decision),
    );
    const isDirectory = ({ entries: { local, remote } }: Planned) => (local ?? remote)?.isDirectory === true;
    for (const each of transfers.filter(isDirectory)) {
      await this.#round.attempt(each.path, () =>
        each.decision === 'upload' ? this.#makeRemote(each.path) : this.#directories.makeLocal(each.path),
      );
    }
    const files = transfers.filter((each) => !isDirectory(each));
    await forEachConcurrently(files, jobs, (each) =>
      this.#round.attempt(each.path, () =>
        each.decision === 'upload' || each.decision === 'replace-remote'
          ? this.#upload(each)
          : this.#download(each),
      ),
    );
    await this.#deleteAll(sorted);
  }

  #recordEqual({ path, sha256 }: Planned): void {
    const { base, local, remote } = this.#round.entriesOf(path);
    if (local === undefined || remote === undefined) return;
    const known = base !== undefined && isSameRecord(base, remote) ? base.sha256 : remote.sha256;
    this.#round.setBase(path, this.#round.toTrusted(local), remote, sha256 ?? known);
  }

  /**
   * Whether the entries are still the ones that the decision was made for. If not, the next pass decides
   * again.
   */
  #isCurrent({ path, entries }: Planned): boolean {
    const { local, remote } = this.#round.entriesOf(path);
    const isCurrent = local === entries.local && remote === entries.remote;
    if (!isCurrent) this.#round.isOutdated = true;
    return isCurrent;
  }

  async #upload(planned: Planned): Promise<void> {
    const { state, local: tree, isDryRun } = this.#round.parts;
    const { path, entries } = planned;
    if (entries.local === undefined || !this.#isCurrent(planned)) return;
    this.#round.step('upload');
    if (isDryRun) return this.#round.did('upload', path);
    tree.checkAbove(path);
    // The file may have been changed since the disk was read.
    const local = tree.refresh(path, entries.local.localPath);
    if (local === undefined || local.isDirectory) throw new ConflictError('The file has disappeared.');
    const known = isSameOnDisk(local, entries.local) ? planned.sha256 : null;
    // Decided before the bytes are read, because the age of the file at that moment counts.
    const trusted = this.#round.toTrusted(local);
    const { remote, sha256 } = await this.#send(planned, local, known);
    const after = findDiskFacts(tree.locate(path));
    const isSame = after !== undefined && isSameOnDisk(after, local);
    if (isSame) this.#round.setBase(path, trusted, remote, sha256);
    else {
      // The file changed meanwhile, so it is unclear which content was sent.
      state.remote.set(path, { ...remote, sha256: null });
      this.#round.setBase(path, { ...local, mtimeMs: -1 }, remote, null);
    }
    this.#round.did('upload', path);
    // Counts as a failed attempt, which limits the repeated uploads: each one displaces an old version.
    if (!isSame) throw new ConflictError('The file was changed while it was sent.');
  }

  /** @param known the checksum of the file, if it was computed before */
  async #send(
    { path, entries }: Planned,
    local: LocalEntry,
    known: string | null,
  ): Promise<{ readonly remote: RemoteEntry; readonly sha256: string | null }> {
    const { local: tree, remoteActions, report, signal } = this.#round.parts;
    const onBytes = (bytes: number) => report.progress.addBytes(bytes);
    const content = await tree.open(path, local.size);
    try {
      const isCheap = entries.remote === undefined && local.size <= MAX_HASHED_BYTES;
      const isNeeded = isCheap || (entries.remote !== undefined && content.needsChecksum);
      const sha256 = known ?? (isNeeded ? await content.computeSha256(signal) : null);
      const sent = { local, file: tree.locate(path), content, sha256 };
      return { remote: await remoteActions.upload(path, sent, onBytes), sha256 };
    } finally {
      await content.close();
    }
  }

  async #download(planned: Planned): Promise<void> {
    const { holdall, local: tree, localActions, report, isDryRun, signal } = this.#round.parts;
    const { path, entries } = planned;
    const { remote } = entries;
    if (remote === undefined || !this.#isCurrent(planned)) return;
    this.#round.step('download');
    if (isDryRun) return this.#round.did('download', path);
    this.#directories.makeLocal(parentOf(path));
    const onBytes = (bytes: number) => report.progress.addBytes(bytes);
    const { sha256, isChanged } = await localActions.download(path, remote, { holdall, signal, onBytes });
    const local = tree.entries.get(path);
    if (local !== undefined) {
      // Someone saved the file just after the download. The next pass compares it.
      this.#round.setBase(
        path,
        isChanged ? { ...local, mtimeMs: -1 } : this.#round.toTrustedDownload(local),
        remote,
        sha256,
      );
    }
    this.#round.did('download', path);
  }

  /** Skips a directory that contains only junk: it is a leftover of one that was deleted elsewhere. */
  async #makeRemote(path: string): Promise<void> {
    const { local } = this.#round.parts;
    if (!hasOnlyJunk(local.locate(path), path, this.#round.rules)) await this.#directories.makeRemote(path);
  }

  async #deleteAll(sorted: readonly Planned[]): Promise<void> {
    const deepestFirst = sorted.toSorted((a, b) => depthOf(b.path) - depthOf(a.path));
    for (const each of deepestFirst.filter(({ decision }) => decision === 'delete-local')) {
      await this.#round.attempt(each.path, () => this.#deleteLocal(each));
    }
    const missing = sorted.filter(({ decision }) => decision === 'delete-remote');
    const unsent = missing.length === 0 || this.#round.parts.isDryRun ? undefined : this.#findUnsent();
    // A file that was renamed on disk stays in the drive until the drive has it under the new name.
    const isUnsent = ({ base }: Entries) => base !== undefined && unsent?.has(base) === true;
    await this.#deleteRemote(missing.filter(({ entries }) => !isUnsent(entries)));
  }

  /**
   * Returns the entries on disk that are not synced at their path, for example after a failed upload.
   */
  #findUnsent(): IdentitySet {
    const { state, local } = this.#round.parts;
    const unsent = new IdentitySet();
    for (const [path, entry] of local.entries) {
      const base = state.base.get(path);
      if (base === undefined || !isSameIdentity(base, entry)) unsent.add(entry);
    }
    return unsent;
  }

  async #deleteLocal(planned: Planned): Promise<void> {
    const { state, local: tree, localActions, report, isDryRun } = this.#round.parts;
    const { path, entries } = planned;
    const { local } = entries;
    if (local === undefined || !this.#isCurrent(planned)) return;
    this.#round.step('delete-local');
    if (!isDryRun && !(await localActions.delete(path, local, this.#round.rules))) {
      // Of nested directories, only the innermost one is reported, which is not empty.
      if (tree.entries.listBelow(path).length === 0) report.kept(path);
      return;
    }
    this.#round.step('delete-base');
    if (!isDryRun) state.deleteBase(path);
    this.#round.did('delete-local', path);
  }

  /** A directory goes to the bin as a whole if everything in it is deleted. */
  async #deleteRemote(plan: readonly Planned[]): Promise<void> {
    const { state, remoteActions, isDryRun } = this.#round.parts;
    const waiting = new Set(plan.map(({ path }) => path));
    for (const each of plan) {
      const { path } = each;
      const entry = state.remote.entries.get(path);
      if (entry === undefined || !waiting.has(path)) continue;
      if (!entry.isDirectory) {
        await this.#round.attempt(path, () => this.#deleteRemoteFile(each));
        continue;
      }
      const below = state.remote.entries.listBelow(path);
      // The directory stays if something below it stays or is unknown.
      if (!below.every((under) => waiting.has(under))) continue;
      for (const under of below) waiting.delete(under);
      await this.#round.attempt(path, async () => {
        this.#round.step('delete-remote');
        if (!isDryRun) await remoteActions.delete(path, entry);
        this.#round.step('delete-base');
        if (!isDryRun) state.transact(() => state.deleteBaseTree(path));
        this.#round.did('delete-remote', path);
      });
    }
  }

  async #deleteRemoteFile(planned: Planned): Promise<void> {
    const { state, remoteActions, isDryRun } = this.#round.parts;
    const { path, entries } = planned;
    const { remote } = entries;
    if (remote === undefined || !this.#isCurrent(planned)) return;
    this.#round.step('delete-remote');
    if (!isDryRun) await remoteActions.delete(path, remote);
    this.#round.step('delete-base');
    if (!isDryRun) state.deleteBase(path);
    this.#round.did('delete-remote', path);
  }

  #isTaken(path: string): boolean {
    const { base, local, remote } = this.#round.entriesOf(path);
    if (base !== undefined || local !== undefined || remote !== undefined) return true;
    const { local: tree } = this.#round.parts;
    return tree.isUnknown(path) || findDiskFacts(tree.locate(path)) !== undefined;
  }
}
