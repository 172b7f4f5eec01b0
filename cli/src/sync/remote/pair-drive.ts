// The shared drive of a pair: whether it still exists, and what the user may do in it.
import { type Holdall, NotFoundError } from '../../../../client/src/client.ts';
import type { SharedDrive } from '../../drive-paths.ts';

/** The drive was deleted, or the user is no longer a member. So nothing in it counts as deleted. */
export class VanishedDrive extends NotFoundError {}

/** During a round, the user's role has become one that may not change anything. */
export class LoweredRole extends Error {
  override readonly name = 'LoweredRole';
}

interface PairDriveParts {
  /** Works in any drive of the user. */
  readonly holdall: Holdall;
  readonly drive: SharedDrive;
  readonly signal: AbortSignal;
}

export class PairDrive {
  readonly #parts: PairDriveParts;
  #drive: SharedDrive;

  constructor(parts: PairDriveParts) {
    this.#parts = parts;
    this.#drive = parts.drive;
  }

  /** Whether the user may only read, as of the last request. */
  get isReadOnly(): boolean {
    return this.#drive.role === 'VIEWER';
  }

  /** Such as `Your role in the drive "Team" is VIEWER`. */
  describeRole(): string {
    return `Your role in the drive "${this.#drive.name}" is ${this.#drive.role}`;
  }

  /**
   * Requests the current role. Call it before anything missing in the drive counts as deleted: the service
   * also answers with 404 if the whole drive is gone.
   * @throws VanishedDrive; HoldallError
   */
  async refresh(): Promise<void> {
    const { holdall, signal } = this.#parts;
    const drives = await holdall.drives.list({ signal });
    const found = drives.find(({ id }) => id === this.#drive.id);
    if (found === undefined) {
      throw new VanishedDrive(
        `The drive "${this.#drive.name}" was deleted, or you are no longer a member. The sync has stopped. ` +
          'Your files on this computer stay.',
      );
    }
    this.#drive = { ...found, name: found.name ?? this.#drive.name };
  }

  /** Calls back whenever the role may have changed. @throws HoldallError; the reason of the signal */
  async watchRole(onChange: () => void, signal: AbortSignal): Promise<never> {
    const { holdall } = this.#parts;
    for await (const { kind } of holdall.events.watch({ signal })) {
      if (kind === 'ready' || kind === 'drives') onChange();
    }
    throw new Error('The events of the personal drive have ended.');
  }
}
