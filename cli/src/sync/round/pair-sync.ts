import { NotFoundError } from '../../../../client/src/client.ts';
import { forEachConcurrently } from '../../files/for-each-concurrently.ts';
import { findMountPath } from '../local/disk-facts.ts';
import { hasOnlyJunk } from '../local/junk.ts';
import { LoweredRole, type PairDrive } from '../remote/pair-drive.ts';
import { checkMountPath, findChangedMounts } from '../rules/changed-mounts.ts';
import { type Decision, decide } from '../rules/decide.ts';
import { examine } from '../rules/examine.ts';
import { IGNORE_FILE, type IgnoreRules } from '../rules/ignore-rules.ts';
import { DeletionGuard } from '../rules/mass-deletion.ts';
import { isWithin } from '../rules/path-map.ts';
import { adoptDevices } from './adopt-devices.ts';
import { Directories } from './directories.ts';
import { Executor, type Planned } from './execute.ts';
import { MoveFollower } from './follow-moves.ts';
import { RecentRenames } from './recent-renames.ts';
import { Round, type SyncParts } from './round.ts';

// One pair of directories. A round reads the changes, and repeats passes until neither side changes any more.

/** How many passes a round makes at most, because either side keeps changing. */
const MAX_PASSES = 20;

/** How many times a sync starts over at most, because the role keeps changing. */
const MAX_ROLE_CHANGES = 3;

export class PairSync {
  readonly #parts: SyncParts;
  readonly #localGuard = new DeletionGuard();
  readonly #driveGuard = new DeletionGuard();
  readonly #renames = new RecentRenames();
  #acceptsMounts: boolean;
  #mustRetry = false;
  /** Whether the user could not change the drive at the last sync. */
  #isReadOnly = false;
  /** The paths of the changes on disk that the drive did not accept. */
  readonly #heldBack = new Set<string>();

  constructor(parts: SyncParts) {
    this.#parts = parts;
    this.#acceptsMounts = parts.acceptsMounts;
  }

  /** Whether the last sync has left something out for a temporary reason. */
  get mustRetry(): boolean {
    return this.#mustRetry;
  }

  /** A sentence about the changes on disk that are not uploaded; undefined if there are none. */
  describeHeldBack(): string | undefined {
    const { size } = this.#heldBack;
    if (size === 0) return undefined;
    const changes = size === 1 ? '1 change on this computer is' : `${size} changes on this computer are`;
    return `${changes} not uploaded. ${this.#parts.drive?.describeRole()}.`;
  }

  /**
   * Compares everything, and syncs what differs.
   * @throws HoldallError: `VanishedDrive`; MassDeletion; ReplacedRoot; ChangedDisk; the reason of the signal
   */
  async syncAll(): Promise<void> {
    await this.#syncInRole(() => this.#syncAll());
  }

  /**
   * Like {@link syncAll}, but only for changes since the last sync: at these paths on disk, and in the drive.
   */
  async syncChanges(localPaths: ReadonlySet<string>): Promise<void> {
    await this.#syncInRole(() => this.#syncChanges(localPaths));
  }

  /**
   * Syncs as far as the user's role allows it: a viewer's changes are held back. If the role has changed,
   * everything is compared.
   */
  async #syncInRole(sync: () => Promise<void>): Promise<void> {
    const { drive } = this.#parts;
    if (drive === undefined) return await sync();
    for (let attempt = 1; ; attempt += 1) {
      await drive.refresh();
      const hasChanged = drive.isReadOnly !== this.#isReadOnly;
      this.#isReadOnly = drive.isReadOnly;
      if (hasChanged) this.#noteRole(drive);
      try {
        await (hasChanged ? this.#syncAll() : sync());
        return;
      } catch (error) {
        if (error instanceof LoweredRole && attempt < MAX_ROLE_CHANGES) continue;
        // Everything is 404 in a drive that is gone.
        if (error instanceof NotFoundError) await drive.refresh();
        throw error;
      }
    }
  }

  #noteRole(drive: PairDrive): void {
    const { report, direction } = this.#parts;
    if (!drive.isReadOnly) report.note(`${drive.describeRole()} now. Changes on this computer are uploaded.`);
    else {
      const down = direction.isTwoWay ? ' Changes in the drive still arrive here.' : '';
      report.note(
        `${drive.describeRole()}: changes on this computer are not uploaded until you have a higher role.${down}`,
      );
    }
  }

  async #syncAll(): Promise<void> {
    const { state, local, reader, signal, readRules } = this.#parts;
    const rules = readRules();
    const mountPath = findMountPath(local.root);
    if (!this.#acceptsMounts) checkMountPath(state, mountPath);
    await local.scan(rules, signal, this.#acceptsMounts);
    await reader.update();
    const round = new Round(this.#parts, rules);
    local.checkDisks();
    adoptDevices(this.#parts);
    local.protectCopiesOfUnstorable();
    if (this.#acceptsMounts) acceptMounts(this.#parts, mountPath);
    this.#acceptsMounts = false;
    state.setMountPath(mountPath);
    deleteOutdatedBases(this.#parts, rules);
    await this.#repeatPasses(round, undefined);
  }

  async #syncChanges(localPaths: ReadonlySet<string>): Promise<void> {
    const { state, local, reader, signal, readRules } = this.#parts;
    if (localPaths.has(IGNORE_FILE)) return await this.#syncAll();
    const rules = readRules();
    const paths = new Set<string>([...localPaths, ...(await local.rescan(localPaths, signal))]);
    const changed = await reader.update();
    for (const path of changed ?? []) paths.add(path);
    // When a directory has vanished, everything below it has vanished too.
    for (const path of [...paths]) {
      if (state.base.get(path)?.isDirectory !== true || local.entries.has(path)) continue;
      for (const below of state.base.listBelow(path)) paths.add(below);
    }
    await this.#repeatPasses(new Round(this.#parts, rules), changed === undefined ? undefined : paths);
  }

  async #repeatPasses(round: Round, paths: ReadonlySet<string> | undefined): Promise<void> {
    const { reader, local, isDryRun, signal } = this.#parts;
    let candidates = paths;
    for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
      round.hasActed = false;
      round.isOutdated = false;
      round.hasMoved = false;
      await this.#pass(round, candidates);
      this.#mustRetry = round.mustRetry;
      if (isDryRun || (!round.hasActed && !round.isOutdated)) return;
      if (round.isOutdated) await local.scan(round.rules, signal);
      const changed = await reader.update();
      const isAll = candidates === undefined || changed === undefined || round.isOutdated || round.hasMoved;
      candidates = isAll ? undefined : new Set([...(candidates ?? []), ...(changed ?? [])]);
    }
    this.#parts.report.note('The directories change faster than the sync. The next sync continues.');
  }

  async #pass(round: Round, paths: ReadonlySet<string> | undefined): Promise<void> {
    // Checked after reading the disk. If another directory was read, the files missing there were not
    // deleted.
    this.#parts.local.checkDisks();
    this.#parts.local.protectCopiesOfUnstorable();
    if (paths === undefined) this.#heldBack.clear();
    else for (const path of paths) this.#heldBack.delete(path);
    const directories = new Directories(round);
    const executor = new Executor(round, directories);
    const unsettled = round.findUnsettled(paths);
    await new MoveFollower(round, directories, this.#renames).follow(unsettled);
    const planned = await this.#plan(round, round.hasActed ? round.findUnsettled(paths) : unsettled);
    this.#checkDeletions(planned);
    const conflicts = planned.filter((each) => executor.isConflict(each));
    for (const each of conflicts) await round.attempt(each.path, () => executor.resolveConflict(each));
    // The renames have freed these paths, and the next pass handles them. With --dry-run nothing was freed.
    if ((round.hasActed || round.isOutdated) && conflicts.length > 0 && !this.#parts.isDryRun) return;
    await executor.execute(planned.filter((each) => !conflicts.includes(each)));
  }

  async #plan(round: Round, unsettled: readonly string[]): Promise<readonly Planned[]> {
    const { local, remoteActions, direction, jobs, signal } = this.#parts;
    const open = unsettled.filter((path) => !round.hasFailed(path) && !round.isExcluded(path));
    const planned: Planned[] = [];
    const examineOne = async (path: string) => {
      const entries = round.entriesOf(path);
      let sha256: string | null = null;
      const situation = await examine(entries, {
        isFirstSync: round.isFirstSync,
        ofLocal: async () => {
          sha256 ??= await local.hash(path, signal);
          return sha256;
        },
        ofRemote: async () =>
          entries.remote === undefined ? null : await remoteActions.findSha256(path, entries.remote),
      });
      // The base is read again, because it may contain a new checksum.
      const decision = decide(situation, { ...direction, isReadOnly: round.isReadOnly });
      planned.push({ path, decision, entries: round.entriesOf(path), sha256 });
    };
    await forEachConcurrently(open, jobs, (path) => round.attempt(path, () => examineOne(path)));
    for (const { path, decision } of planned) {
      if (decision === 'hold-back') await round.attempt(path, () => this.#holdBack(round, path));
    }
    return planned.filter(({ decision }) => decision !== 'nothing' && decision !== 'hold-back');
  }

  #holdBack(round: Round, path: string): void {
    const { local, report } = this.#parts;
    // Such a directory is never created in the drive.
    const isDirectory = local.entries.get(path)?.isDirectory === true;
    if (isDirectory && hasOnlyJunk(local.locate(path), path, round.rules)) return;
    this.#heldBack.add(path);
    report.heldBack(path);
  }

  /** @throws MassDeletion */
  #checkDeletions(planned: readonly Planned[]): void {
    const { state, local, reader, mayDeleteMany, now } = this.#parts;
    if (mayDeleteMany) return;
    const nowMs = now().getTime();
    const pathsOf = (decision: Decision) =>
      new Set(planned.filter((each) => each.decision === decision).map(({ path }) => path));
    const { base } = state;
    const missing = { paths: pathsOf('delete-remote'), base, present: local.entries };
    this.#localGuard.check(local.root, missing, nowMs);
    const recycled = { paths: pathsOf('delete-local'), base, present: state.remote.entries };
    this.#driveGuard.check(`${reader.paths.toAbsolute('')} of the drive`, recycled, nowMs);
  }
}

// A base records that a path was equal on both sides. Bases that can no longer be trusted are deleted before
// a full sync. A path without a base that only one side has counts as new there, so it is not deleted.

type Parts = Pick<SyncParts, 'state' | 'local' | 'direction'>;

/** Call it after the disk and the drive have been read. */
function deleteOutdatedBases(parts: Parts, rules: IgnoreRules): void {
  const { state, direction } = parts;
  state.transact(() => {
    deleteBasesOfIgnored(parts, rules);
    if (direction.isTwoWay && state.wasTwoWay !== true) deleteBasesOfMissing(parts);
    state.setDirection(direction.isTwoWay);
  });
}

/**
 * Records that the user accepts the disks mounted now: files missing on one of them were not deleted. Call it
 * after the disk was read with all mounts accepted.
 * @param mountPath where the disk of the root is mounted
 */
function acceptMounts({ state, local }: Pick<Parts, 'state' | 'local'>, mountPath: string): void {
  const { base, mountPoints } = state;
  const isRootChanged = state.mountPath !== undefined && state.mountPath !== mountPath;
  const candidates = [...mountPoints, ...local.mountPoints];
  const changed = isRootChanged ? [''] : [...findChangedMounts(state, local.entries, candidates).keys()];
  state.transact(() => {
    for (const [path, entry] of [...base]) {
      if (!changed.some((mountPoint) => isWithin(path, mountPoint))) continue;
      const found = local.entries.get(path);
      if (found === undefined) state.deleteBase(path);
      else state.setBase(path, { ...entry, isMountPoint: found.isMountPoint });
    }
  });
}

/**
 * Deletes the bases of ignored paths. The sync does not see their changes, so their bases would be wrong once
 * the user stops ignoring them.
 */
function deleteBasesOfIgnored({ state, local }: Parts, rules: IgnoreRules): void {
  for (const [path, base] of state.base) {
    // Entries read from disk are not ignored.
    if (local.entries.has(path)) continue;
    const { isDirectory } = state.remote.entries.get(path) ?? base;
    if (rules.ignoresAny(path, isDirectory)) state.deleteBase(path);
  }
}

/**
 * Deletes the bases of paths that one side lacks. A one-way sync leaves such differences, so they are not
 * deletions.
 */
function deleteBasesOfMissing({ state, local }: Parts): void {
  for (const path of state.base.keys()) {
    const isMissing = !local.entries.has(path) || !state.remote.entries.has(path);
    if (isMissing && !local.isUnknown(path)) state.deleteBase(path);
  }
}
