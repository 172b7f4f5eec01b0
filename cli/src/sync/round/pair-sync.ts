import { forEachConcurrently } from '../../files/for-each-concurrently.ts';
import { findMountPath } from '../local/disk-facts.ts';
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

export class PairSync {
  readonly #parts: SyncParts;
  readonly #localGuard = new DeletionGuard();
  readonly #driveGuard = new DeletionGuard();
  readonly #renames = new RecentRenames();
  #acceptsMounts: boolean;
  #mustRetry = false;

  constructor(parts: SyncParts) {
    this.#parts = parts;
    this.#acceptsMounts = parts.acceptsMounts;
  }

  /** Whether the last sync has left something out for a temporary reason. */
  get mustRetry(): boolean {
    return this.#mustRetry;
  }

  /**
   * Compares everything, and syncs what differs.
   * @throws HoldallError; MassDeletion; ReplacedRoot; ChangedDisk; the reason of the signal
   */
  async syncAll(): Promise<void> {
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

  /**
   * Like {@link syncAll}, but only for changes since the last sync: at these paths on disk, and in the drive.
   */
  async syncChanges(localPaths: ReadonlySet<string>): Promise<void> {
    const { state, local, reader, signal, readRules } = this.#parts;
    if (localPaths.has(IGNORE_FILE)) return await this.syncAll();
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
      const decision = decide(situation, direction);
      planned.push({ path, decision, entries: round.entriesOf(path), sha256 });
    };
    await forEachConcurrently(open, jobs, (path) => round.attempt(path, () => examineOne(path)));
    return planned.filter(({ decision }) => decision !== 'nothing');
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
