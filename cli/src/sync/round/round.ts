import {
  ConflictError,
  ForbiddenError,
  type Holdall,
  HoldallError,
  NotFoundError,
  PreconditionError,
  UnauthenticatedError,
} from '../../../../client/src/client.ts';
import type { LocalActions } from '../local/local-actions.ts';
import type { LocalTree } from '../local/local-tree.ts';
import { LoweredRole, type PairDrive, VanishedDrive } from '../remote/pair-drive.ts';
import type { RemoteActions } from '../remote/remote-actions.ts';
import type { RemoteReader } from '../remote/remote-reader.ts';
import type { ActionName, SyncReport } from '../report.ts';
import type { Direction } from '../rules/decide.ts';
import { hasFineTimes, type LocalEntry, type RemoteEntry, toBase } from '../rules/entries.ts';
import { type Entries, isSettled } from '../rules/examine.ts';
import type { Move } from '../rules/find-moves.ts';
import type { IgnoreRules } from '../rules/ignore-rules.ts';
import { isWithin } from '../rules/path-map.ts';
import type { SyncState } from '../state/sync-state.ts';

/** The number of attempts in a round for an entry that changes meanwhile. */
const MAX_ATTEMPTS = 3;

/** The round ends once this many entries in a row have failed because the service cannot be reached. */
const MAX_PASSING_FAILURES = 20;

/** A file that was changed within this time may change again without a new modification time. */
const CLOCK_TICK_MS = 20;
/** The same for disks with coarse times: FAT stores only every second one, HFS+ and ext3 each second. */
const SLOW_CLOCK_TICK_MS = 2_000;

export interface SyncParts {
  readonly holdall: Holdall;
  /** The shared drive of the pair; undefined for the personal one. */
  readonly drive: PairDrive | undefined;
  readonly state: SyncState;
  readonly local: LocalTree;
  readonly reader: RemoteReader;
  readonly localActions: LocalActions;
  readonly remoteActions: RemoteActions;
  readonly direction: Direction;
  readonly report: SyncReport;
  /** The number of files that are transferred at a time. */
  readonly jobs: number;
  readonly isDryRun: boolean;
  readonly mayDeleteMany: boolean;
  /** Whether the first sync accepts the disks that are mounted now. */
  readonly acceptsMounts: boolean;
  readonly readRules: () => IgnoreRules;
  readonly now: () => Date;
  readonly signal: AbortSignal;
  /** Called before and after each step that changes something. Tests interrupt the sync there. */
  readonly onStep?: ((step: string) => void) | undefined;
}

/** The state that the steps of a round share: the entries of each path, and the failures. */
export class Round {
  readonly parts: SyncParts;
  readonly rules: IgnoreRules;
  /** Whether there was no sync before. */
  readonly isFirstSync: boolean;
  /** Whether the user may not change the drive. */
  readonly isReadOnly: boolean;
  #roleCheck: Promise<void> | undefined;
  /** The paths whose failure was reported. They are not tried again in this round. */
  readonly #failed = new Set<string>();
  /** The old and new paths of failed moves. */
  readonly #failedMoves: string[] = [];
  readonly #attempts = new Map<string, number>();
  /** Whether anything was changed since the last pass began. */
  hasActed = false;
  /** Whether one of these changes was a move, after which other paths may differ. */
  hasMoved = false;
  /** Whether something has failed for a temporary reason, such as an unreachable service. */
  mustRetry = false;
  #passingFailures = 0;
  /** Whether someone else has made changes meanwhile, so that both sides must be read again. */
  isOutdated = false;

  constructor(parts: SyncParts, rules: IgnoreRules) {
    this.parts = parts;
    this.rules = rules;
    this.isReadOnly = parts.drive?.isReadOnly ?? false;
    this.isFirstSync = parts.state.wasTwoWay === undefined && parts.state.base.size === 0;
  }

  entriesOf(path: string): Entries {
    const { state, local } = this.parts;
    return {
      base: state.base.get(path),
      local: local.entries.get(path),
      remote: state.remote.entries.get(path),
    };
  }

  /** Returns the paths whose two sides may differ, out of the given paths or of all. */
  findUnsettled(paths: ReadonlySet<string> | undefined): readonly string[] {
    const { state, local } = this.parts;
    const unsettled: string[] = [];
    if (paths !== undefined) {
      for (const path of paths) if (!isSettled(this.entriesOf(path))) unsettled.push(path);
      return unsettled;
    }
    for (const [path, base] of state.base) {
      const entries = { base, local: local.entries.get(path), remote: state.remote.entries.get(path) };
      if (!isSettled(entries)) unsettled.push(path);
    }
    for (const path of local.entries.keys()) if (!state.base.has(path)) unsettled.push(path);
    for (const path of state.remote.entries.keys()) {
      if (!state.base.has(path) && !local.entries.has(path)) unsettled.push(path);
    }
    return unsettled;
  }

  /** Whether the path must not be changed on either side. */
  isExcluded(path: string): boolean {
    const { base, local, remote } = this.entriesOf(path);
    const isDirectory = (local ?? remote ?? base)?.isDirectory ?? false;
    return this.parts.local.isUnknown(path) || this.rules.ignoresAny(path, isDirectory);
  }

  hasFailed(path: string): boolean {
    return this.#failed.has(path) || this.#failedMoves.some((moved) => isWithin(path, moved));
  }

  /**
   * Like {@link attempt}, for a move. If it fails, both places are left alone, with everything below them: a
   * file missing at one of them was not deleted.
   */
  async attemptMove({ from, to }: Move, work: () => void | Promise<void>): Promise<void> {
    // A move below a failed move is part of it.
    if (this.hasFailed(from) || this.hasFailed(to)) return;
    await this.attempt(to, work);
    if (this.#failed.has(to)) this.#failedMoves.push(from, to);
  }

  /**
   * Runs the work for a path. An error is only reported, so that the work for other paths continues.
   * @throws the reason of the signal; LoweredRole; HoldallError, or Error with a sentence for the user, if
   *   other paths would fail for the same reason
   */
  async attempt(path: string, work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.parts.signal.throwIfAborted();
      if (isEnd(error)) throw error;
      if (error instanceof ForbiddenError) await this.#checkRole();
      // If the state cannot be stored, the next sync would mistake our own changes for changes by others.
      if (isStateError(error))
        throw new Error(`The state cannot be written: ${error.message}.`, { cause: error });
      const attempts = (this.#attempts.get(path) ?? 0) + 1;
      this.#attempts.set(path, attempts);
      if (isOutdatedError(error) && attempts < MAX_ATTEMPTS) {
        this.isOutdated = true;
        return;
      }
      this.#failed.add(path);
      this.parts.report.failed(path, error);
      if (!(error instanceof HoldallError) || !error.isPassing) return;
      this.mustRetry = true;
      this.#passingFailures += 1;
      if (this.#passingFailures >= MAX_PASSING_FAILURES) throw error;
    }
  }

  /** @throws LoweredRole if the user may no longer change the drive; VanishedDrive; HoldallError */
  async #checkRole(): Promise<void> {
    const { drive } = this.parts;
    if (drive === undefined) return;
    // Changes that are rejected during a check share its result.
    this.#roleCheck ??= drive.refresh().finally(() => {
      this.#roleCheck = undefined;
    });
    await this.#roleCheck;
    if (drive.isReadOnly && !this.isReadOnly) throw new LoweredRole(drive.describeRole());
  }

  /** Call it before a change. */
  step(name: string): void {
    this.parts.signal.throwIfAborted();
    this.parts.onStep?.(name);
  }

  /** Call it after a change, when the state contains it. */
  did(action: ActionName, path: string, to?: string): void {
    this.hasActed = true;
    this.#passingFailures = 0;
    this.hasMoved ||= to !== undefined;
    this.parts.report.did(action, path, to);
  }

  /** Records in the state that both sides are equal now. */
  setBase(path: string, local: LocalEntry, remote: RemoteEntry, sha256: string | null): void {
    this.parts.onStep?.('set-base');
    this.parts.state.setBase(path, toBase(local, remote, sha256));
  }

  /**
   * A file that was changed just now may change again without a visible change of its time. Its base is
   * marked, so that the next sync compares its checksum.
   */
  toTrusted(local: LocalEntry): LocalEntry {
    return this.#trustSince(local.ctimeMs, local);
  }

  /**
   * Like {@link toTrusted}, for a downloaded file, which has just got its modification time from the drive.
   */
  toTrustedDownload(local: LocalEntry): LocalEntry {
    return this.#trustSince(local.mtimeMs, local);
  }

  #trustSince(timeMs: number, local: LocalEntry): LocalEntry {
    const ageMs = this.parts.now().getTime() - timeMs;
    return ageMs < tickOf(local) ? { ...local, mtimeMs: -1 } : local;
  }
}

/** For how long after a change another one may leave the times unchanged. */
function tickOf(local: LocalEntry): number {
  return hasFineTimes(local) ? CLOCK_TICK_MS : SLOW_CLOCK_TICK_MS;
}

/** Ends a sync immediately, as if the process was killed. For tests. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Whether nothing further can be done in this round. */
function isEnd(error: unknown): boolean {
  return [Interrupted, UnauthenticatedError, LoweredRole, VanishedDrive].some(
    (kind) => error instanceof kind,
  );
}

function isStateError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}

/** Whether the sync worked with an outdated state, so that reading it again may help. */
function isOutdatedError(error: unknown): boolean {
  if (error instanceof ConflictError || error instanceof PreconditionError) return true;
  if (error instanceof NotFoundError) return true;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // The file has changed or is gone. Sending a changed file fails with `NotReadableError`.
  return code === 'ENOENT' || (error instanceof Error && error.name === 'NotReadableError');
}
