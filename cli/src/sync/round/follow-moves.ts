import { isSameButRenamed, isSameRecord } from '../rules/entries.ts';
import { findLocalMoves, type Move, withoutNested } from '../rules/find-moves.ts';
import { depthOf, parentOf } from '../rules/path-map.ts';
import type { Directories } from './directories.ts';
import type { RecentRenames } from './recent-renames.ts';
import type { Round } from './round.ts';

/** Repeats moves from one side on the other, so that no bytes are sent again. */
export class MoveFollower {
  readonly #round: Round;
  readonly #directories: Directories;
  readonly #renames: RecentRenames;

  constructor(round: Round, directories: Directories, renames: RecentRenames) {
    this.#round = round;
    this.#directories = directories;
    this.#renames = renames;
  }

  /**
   * Applies moves of one side to the other, the outermost first.
   * @param unsettled the paths where the sides may differ
   */
  async follow(unsettled: readonly string[]): Promise<void> {
    if (this.#round.parts.direction.isTwoWay) {
      for (const move of this.#findRemoteMoves(unsettled)) {
        await this.#round.attemptMove(move, async () => this.#moveLocal(move));
      }
    }
    if (this.#round.isReadOnly) return;
    for (const move of this.#findSlowSaves(unsettled)) {
      await this.#round.attemptMove(move, () => this.#moveRemote(move));
    }
    for (const move of await this.#findLocalMoves(unsettled)) {
      await this.#round.attemptMove(move, async () => {
        await this.#moveRemote(move);
        this.#noteRename(move);
      });
    }
  }

  /**
   * To save a file, some programs rename the old one and write a new one under its name. If the rename was
   * already followed when the new file appears, it is undone in the drive. So the name keeps its id, links
   * and versions, as if both steps had been seen together, and the renamed old file counts as a new file.
   */
  #findSlowSaves(unsettled: readonly string[]): readonly Move[] {
    const { state, now } = this.#round.parts;
    const moves: Move[] = [];
    for (const to of unsettled) {
      const { base, local: found, remote } = this.#round.entriesOf(to);
      if (base !== undefined || remote !== undefined || found?.isDirectory !== false) continue;
      const id = this.#renames.find(to, now().getTime());
      const from = id === undefined ? undefined : state.remote.pathOf(id);
      const before = from === undefined ? undefined : state.base.get(from);
      // The file itself may have been renamed back.
      if (from === undefined || before === undefined || isSameButRenamed(before, found)) continue;
      const current = state.remote.entries.get(from);
      if (parentOf(from) !== parentOf(to) || current === undefined || !isSameRecord(before, current))
        continue;
      if (!this.#round.isExcluded(to) && !this.#round.isExcluded(from)) moves.push({ from, to });
    }
    return moves;
  }

  #noteRename({ from, to }: Move): void {
    const { state, now } = this.#round.parts;
    const moved = state.base.get(to);
    if (moved?.isDirectory !== false || parentOf(from) !== parentOf(to)) return;
    this.#renames.add(from, moved.id, now().getTime());
  }

  #findRemoteMoves(unsettled: readonly string[]): readonly Move[] {
    const { state, local } = this.#round.parts;
    const moves: Move[] = [];
    for (const from of unsettled) {
      const base = state.base.get(from);
      if (base === undefined || state.remote.entries.get(from)?.id === base.id) continue;
      const to = state.remote.pathOf(base.id);
      const found = local.entries.get(from);
      if (to === undefined || found?.isDirectory !== base.isDirectory) continue;
      if (local.entries.has(to) || state.base.has(to)) continue;
      // An entry cannot be moved to another disk. It is copied there, and the original is deleted.
      if (local.deviceAbove(from) !== local.deviceAbove(to)) continue;
      if (this.#round.isExcluded(to) || this.#round.isExcluded(from)) continue;
      moves.push({ from, to });
    }
    return withoutNested(moves.toSorted((a, b) => depthOf(a.from) - depthOf(b.from)));
  }

  #moveLocal({ from, to }: Move): void {
    const { state, local, localActions } = this.#round.parts;
    // An earlier move may have moved it already.
    if (!state.base.has(from) || !local.entries.has(from)) return;
    this.#directories.makeLocal(parentOf(to));
    this.#round.step('move-local');
    if (this.#round.parts.isDryRun) local.noteMove(from, to);
    else localActions.move(from, to);
    state.transact(() => state.moveBase(from, to));
    this.#trustMoved(to);
    this.#round.did('move-local', from, to);
  }

  async #findLocalMoves(unsettled: readonly string[]): Promise<readonly Move[]> {
    const { state, local } = this.#round.parts;
    const missing: string[] = [];
    const created: string[] = [];
    for (const path of unsettled) {
      const { base, local: found, remote } = this.#round.entriesOf(path);
      if (base !== undefined && found === undefined) {
        const at = state.remote.pathOf(base.id);
        if (at === undefined || (at !== path && local.entries.has(at))) continue;
        if (!this.#round.isExcluded(path)) missing.push(path);
      } else if (base === undefined && found !== undefined && remote === undefined) {
        if (!this.#round.hasFailed(path)) created.push(path);
      }
    }
    if (missing.length === 0 || created.length === 0) return [];
    const moves = withoutNested(findLocalMoves(state.base, local.entries, { missing, created }));
    const from = new Set(moves.map((move) => move.from));
    const to = new Set(moves.map((move) => move.to));
    const rest = {
      missing: missing.filter((path) => !from.has(path)),
      created: created.filter((path) => !to.has(path)),
    };
    return [...moves, ...(await this.#findEqualContent(rest))];
  }

  /** Files whose inode changed when they were moved, for example to another disk and back. */
  async #findEqualContent(paths: {
    readonly missing: readonly string[];
    readonly created: readonly string[];
  }): Promise<readonly Move[]> {
    const { state, local, remoteActions, signal } = this.#round.parts;
    const moves: Move[] = [];
    const bySize = Map.groupBy(paths.missing, (path) => state.base.get(path)?.size ?? 0);
    for (const to of paths.created) {
      const found = local.entries.get(to);
      if (found === undefined || found.isDirectory || found.size === 0) continue;
      const candidates = bySize.get(found.size) ?? [];
      if (candidates.length === 0) continue;
      await this.#round.attempt(to, async () => {
        const sha256 = await local.hash(to, signal);
        for (const from of candidates) {
          const base = state.base.get(from);
          const at = base && state.remote.pathOf(base.id);
          const remote = at === undefined ? undefined : state.remote.entries.get(at);
          if (base === undefined || at === undefined || remote === undefined || base.isDirectory) continue;
          if ((base.sha256 ?? (await remoteActions.findSha256(at, remote))) !== sha256) continue;
          moves.push({ from, to });
          candidates.splice(candidates.indexOf(from), 1);
          return;
        }
      });
    }
    return moves;
  }

  async #moveRemote({ from, to }: Move): Promise<void> {
    const { state, remoteActions } = this.#round.parts;
    const base = state.base.get(from);
    const at = base && state.remote.pathOf(base.id);
    const remote = at === undefined ? undefined : state.remote.entries.get(at);
    if (base === undefined || at === undefined || remote === undefined) return;
    if (state.remote.entries.has(to) || state.base.has(to)) return;
    await this.#directories.makeRemote(parentOf(to));
    this.#round.step('move-remote');
    if (this.#round.parts.isDryRun) state.remote.moveTree(at, to);
    else await remoteActions.move(at, to, remote);
    // The ctime differs from that of the base, so the next pass compares the content. This matters because a
    // new file may have got the inode number of a deleted one.
    state.transact(() => state.moveBase(from, to));
    this.#round.did('move-remote', from, to);
  }

  /** Our own rename has changed only the ctime, so the content needs no comparison. */
  #trustMoved(path: string): void {
    const { state, local, isDryRun } = this.#round.parts;
    const base = state.base.get(path);
    const before = local.entries.get(path);
    if (base === undefined || before === undefined || isDryRun) return;
    const found = local.refresh(path, before.localPath);
    if (found === undefined || found.isDirectory !== base.isDirectory) return;
    if (isSameButRenamed(base, found)) state.setBase(path, { ...base, ctimeMs: found.ctimeMs });
  }
}
