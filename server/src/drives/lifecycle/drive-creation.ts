import { type Accounts, foldUsername, lockActiveAccount } from '../../accounts/accounts.ts';
import type { Audit } from '../../audit/audit.ts';
import type { Clock } from '../../base/clock.ts';
import type { Role } from '../../base/domain/accounts.ts';
import { type DriveRole, noDrive } from '../../base/domain/drives.ts';
import { Failure } from '../../base/failure.ts';
import type { FileName } from '../../base/text/names/file-name.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { DriveUser } from '../members/member-check.ts';
import type { Members } from '../members/members.ts';
import type { People } from '../members/people.ts';
import { lockAccounts } from '../members/queries.ts';
import { countCreatedDrives, type DriveOfMember, findDriveOf, insertSharedDrive } from './queries.ts';

/** The maximum number of members that a drive is created with, besides its creator. */
export const MAX_FIRST_MEMBERS = 100;

/** Who may create shared drives. */
export type DriveCreators = 'all' | 'admins' | 'off';

interface NewDrive {
  readonly name: FileName;
  readonly members: readonly { readonly username: string; readonly role: DriveRole }[];
  /** A directory of the creator's personal drive, whose content the new drive gets. */
  readonly fromFileId?: number | undefined;
}

/** Who creates a drive. */
interface Creator {
  readonly accountId: number;
  readonly username: string;
  readonly role: Role;
  /** The personal drive. */
  readonly driveId: number;
  readonly clientId: string | null;
}

/** Moves directories of personal drives into new drives. */
interface DirectoryMoves {
  /** Whether the directory is so large that the transaction must run on a thread. */
  isLongMove(fileId: number): (tx: Tx) => Promise<boolean>;
  /**
   * Gives an empty drive the content of a directory, and moves the directory to the bin. The transaction has
   * locked the drive of the actor.
   * @throws Failure `not-found`; `rejected` for a file; `over-limit`
   */
  moveIntoNewDrive(
    tx: Tx,
    move: {
      readonly actor: DriveUser & { readonly clientId: string | null };
      readonly fileId: number;
      readonly driveId: number;
    },
  ): Promise<void>;
}

interface DriveCreationParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly audit: Audit;
  readonly members: Members;
  readonly people: People;
  /** Like `Drives.withDriveLock`, without a charge. */
  readonly withDriveLock: <T>(
    user: DriveUser,
    work: (tx: Tx) => Promise<T>,
    isLong: (tx: Tx) => Promise<boolean>,
  ) => Promise<T>;
  readonly creators: DriveCreators;
  /** How many shared drives one account may have created. Deleted ones count until they are purged. */
  readonly maxSharedDrives: number;
}

/** Creates shared drives: empty ones, and ones from a directory of a personal drive. */
export class DriveCreation {
  readonly #parts: DriveCreationParts;
  readonly #createdHooks: ((tx: Tx, driveId: number) => Promise<void>)[] = [];
  #moves: DirectoryMoves | undefined;

  constructor(parts: DriveCreationParts) {
    this.#parts = parts;
  }

  /** Calls the hook in every transaction that creates a shared drive. It creates the root of the drive. */
  onCreated(hook: (tx: Tx, driveId: number) => Promise<void>): void {
    this.#createdHooks.push(hook);
  }

  /** Decides what moves directories into new drives. Must be called once, at the start. */
  moveDirectoriesWith(moves: DirectoryMoves): void {
    this.#moves = moves;
  }

  /**
   * Creates a shared drive. The creator becomes its manager. Everything happens in one transaction.
   * @throws Failure `forbidden` if the creator may not create drives; `not-found` if a member or the directory
   *   does not exist; `too-many` after too many unknown names; `conflict` if a member is named twice, or is the
   *   creator; `over-limit` if the creator has too many drives, or the directory exceeds the limits of new
   *   drives; `rejected` if `fromFileId` is a file
   */
  async create(creator: Creator, { name, members, fromFileId }: NewDrive): Promise<DriveOfMember> {
    this.#checkMayCreate(creator.role);
    checkDifferent(creator, members);
    const found = await this.#parts.people.getAll(
      creator.accountId,
      members.map(({ username }) => username),
    );
    const first = found.map(({ accountId }, at) => ({ accountId, role: members[at]?.role ?? 'VIEWER' }));
    if (fromFileId === undefined) {
      return this.#parts.database.transact((tx) => this.#createIn(tx, creator, name, first));
    }
    const moves = this.#moves;
    if (moves === undefined) throw new Error('Nothing moves directories into new drives.');
    const { accountId, driveId: fromDriveId, clientId } = creator;
    const actor = { driveId: fromDriveId, accountId, clientId };
    return this.#parts.withDriveLock(
      actor,
      (tx) =>
        this.#createIn(tx, creator, name, first, (driveId) =>
          moves.moveIntoNewDrive(tx, { actor, fileId: fromFileId, driveId }),
        ),
      moves.isLongMove(fromFileId),
    );
  }

  /** @param fill puts content into the new drive, of which no one else knows yet */
  async #createIn(
    tx: Tx,
    { accountId: creatorId, username }: Creator,
    name: FileName,
    members: readonly { readonly accountId: number; readonly role: DriveRole }[],
    fill: (driveId: number) => Promise<void> = async () => {},
  ): Promise<DriveOfMember> {
    const { clock, accounts, maxSharedDrives } = this.#parts;
    // Not exact yet, but spares most creators with too many drives a long copy that fails.
    if ((await countCreatedDrives(tx, creatorId)) >= maxSharedDrives) throw overDrives(maxSharedDrives);
    const limits = await accounts.defaults.find(tx);
    const driveId = await insertSharedDrive(tx, { name, creatorId, limits }, clock.now());
    for (const hook of this.#createdHooks) await hook(tx, driveId);
    await fill(driveId);
    // The accounts are locked last, because their logins have to wait, and filling a drive may take seconds.
    await lockAccounts(tx, [creatorId, ...members.map(({ accountId }) => accountId)]);
    this.#checkMayCreate((await lockActiveAccount(tx, creatorId)).role);
    // The lock makes concurrent creations of an account wait, so they cannot exceed the limit together.
    if ((await countCreatedDrives(tx, creatorId)) > maxSharedDrives) throw overDrives(maxSharedDrives);
    await this.#parts.members.insert(tx, { driveId, accountId: creatorId, role: 'MANAGER', addedBy: null });
    const others = members.map((member) => ({ driveId, ...member, addedBy: creatorId }));
    for (const member of others) await this.#parts.members.insert(tx, member);
    await this.#parts.members.tellAdded(tx, others);
    await this.#parts.audit.record(
      tx,
      { accountId: creatorId, username },
      {
        ...{ action: 'CREATE_DRIVE', targetType: 'DRIVE', targetId: driveId, target: name },
        summary: `Created the drive ${name}.`,
        details: { memberCount: members.length + 1 },
      },
    );
    const drive = await findDriveOf(tx, creatorId, driveId);
    if (drive === undefined) throw noDrive();
    return drive;
  }

  /** Whether accounts with this role may create shared drives on this server. */
  mayCreate(role: Role): boolean {
    const { creators } = this.#parts;
    return creators === 'all' || (creators === 'admins' && role !== 'USER');
  }

  /** @throws Failure `forbidden` */
  #checkMayCreate(role: Role): void {
    if (this.mayCreate(role)) return;
    throw new Failure('forbidden', 'You may not create shared drives here.');
  }
}

/**
 * Comes before the usernames are looked up, so that it tells nothing about accounts.
 * @throws Failure `conflict` if a member is named twice, or is the creator
 */
function checkDifferent({ username: creator }: Creator, members: NewDrive['members']): void {
  const named = new Set([foldUsername(creator)]);
  for (const { username } of members) {
    const folded = foldUsername(username.trim());
    if (named.has(folded)) {
      throw new Failure('conflict', `"${username}" is a member already.`, { field: 'members' });
    }
    named.add(folded);
  }
}

function overDrives(limit: number): Failure {
  return new Failure('over-limit', `You can create at most ${limit} shared drives.`);
}
