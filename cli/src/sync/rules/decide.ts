// The rules of the sync for one path, as a pure function.

export type Kind = 'file' | 'directory';

/**
 * The kinds of a path's entries: on disk, in the drive, and when both were last equal. Undefined if there is
 * none.
 */
export interface Situation {
  readonly base: Kind | undefined;
  readonly local: Kind | undefined;
  readonly remote: Kind | undefined;
  /** Whether the content of the file differs from the base. False for directories. */
  readonly isLocalChanged: boolean;
  readonly isRemoteChanged: boolean;
  /** Whether the files of both sides have the same content. */
  readonly isEqual: boolean;
}

export interface Direction {
  readonly isTwoWay: boolean;
  /**
   * Whether entries that vanished on disk are deleted in the drive. Always true for two-way syncs.
   */
  readonly mayDelete: boolean;
  /** Whether the user may not change the drive. What would change it is held back. */
  readonly isReadOnly?: boolean;
}

export type Decision =
  | 'nothing'
  /** Neither side has it any more. */
  | 'delete-base'
  /** Both sides are equal. */
  | 'record-equal'
  /** A new file, or a directory. */
  | 'upload'
  | 'download'
  | 'replace-remote'
  | 'replace-local'
  | 'delete-remote'
  | 'delete-local'
  /** A conflict: the entry on disk gets another name, and both are kept. */
  | 'rename-local'
  /** A conflict: the entry of the drive gets another name, and both are kept. */
  | 'rename-remote'
  /** A change on disk that the drive does not accept at present. It stays as it is, on both sides. */
  | 'hold-back';

const CHANGES_OF_DRIVE = new Set<Decision>(['upload', 'replace-remote', 'delete-remote', 'rename-remote']);

export function decide(situation: Situation, direction: Direction): Decision {
  const decision = decideFreely(situation, direction);
  return direction.isReadOnly === true && CHANGES_OF_DRIVE.has(decision) ? 'hold-back' : decision;
}

function decideFreely(situation: Situation, direction: Direction): Decision {
  const { base, local, remote } = situation;
  if (local === undefined && remote === undefined) return base === undefined ? 'nothing' : 'delete-base';
  if (local === undefined) return decideRemoteOnly(situation, direction);
  if (remote === undefined) return decideLocalOnly(situation, direction);
  if (local !== remote) return decideKinds(situation, direction);
  if (local === 'directory' || situation.isEqual) return 'record-equal';
  if (!direction.isTwoWay) {
    return base === 'file' && !situation.isRemoteChanged ? 'replace-remote' : 'rename-remote';
  }
  if (base !== 'file') return 'rename-local';
  if (!situation.isLocalChanged) return 'replace-local';
  return situation.isRemoteChanged ? 'rename-local' : 'replace-remote';
}

function decideRemoteOnly(
  { base, remote, isRemoteChanged }: Situation,
  { isTwoWay, mayDelete }: Direction,
): Decision {
  // A change wins over a deletion.
  const isUnchanged = base === remote && !isRemoteChanged;
  if (isUnchanged && (isTwoWay || mayDelete)) return 'delete-remote';
  return isTwoWay ? 'download' : 'nothing';
}

function decideLocalOnly({ base, local, isLocalChanged }: Situation, { isTwoWay }: Direction): Decision {
  return isTwoWay && base === local && !isLocalChanged ? 'delete-local' : 'upload';
}

/**
 * One side has a file, the other a directory. A directory is never deleted for a file: it may have new
 * content.
 */
function decideKinds(
  { base, local, remote, isLocalChanged, isRemoteChanged }: Situation,
  { isTwoWay, mayDelete }: Direction,
): Decision {
  const isRemoteUnchangedFile = remote === 'file' && base === 'file' && !isRemoteChanged;
  if (isRemoteUnchangedFile && (isTwoWay || mayDelete)) return 'delete-remote';
  if (!isTwoWay) return 'rename-remote';
  return local === 'file' && base === 'file' && !isLocalChanged ? 'delete-local' : 'rename-local';
}
