import type { DriveRecord } from '../generated/records.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { DataOf, InputOf } from '../requests/operation-types.ts';
import type { Requester } from '../requests/requester.ts';

/** The members of shared drives. Only a manager of the drive can change them. */
export class DriveMembers {
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
  }

  /** The members, in the order in which they joined. @throws HoldallError */
  list(driveId: number, options: CallOptions = {}): Promise<readonly DriveMember[]> {
    return this.#requester.ask('GET /api/v2/drives/{id}/members', { path: { id: driveId } }, options);
  }

  /**
   * Adds an account by its username or email address.
   * @throws HoldallError: `NotFoundError` if there is no such account, `ConflictError` if it is a member
   */
  add(driveId: number, body: NewDriveMember, options: CallOptions = {}): Promise<DriveMember> {
    return this.#requester.ask('POST /api/v2/drives/{id}/members', { path: { id: driveId }, body }, options);
  }

  /**
   * Changes the role of a member. It counts at once.
   * @throws HoldallError: `ConflictError` for the last manager
   */
  setRole(
    driveId: number,
    accountId: number,
    role: DriveRole,
    options: CallOptions = {},
  ): Promise<DriveMember> {
    return this.#requester.ask(
      'PATCH /api/v2/drives/{id}/members/{accountId}',
      { path: { id: driveId, accountId }, body: { role } },
      options,
    );
  }

  /** Removes a member. It counts at once. @throws HoldallError: `ConflictError` for the last manager */
  async remove(driveId: number, accountId: number, options: CallOptions = {}): Promise<void> {
    const path = { id: driveId, accountId };
    await this.#requester.ask('DELETE /api/v2/drives/{id}/members/{accountId}', { path }, options);
  }

  /** Ends the user's own membership. @throws HoldallError: `ConflictError` for the last manager */
  async leave(driveId: number, options: CallOptions = {}): Promise<void> {
    const { id } = await this.#requester.ask('GET /api/user/profile', {}, options);
    await this.remove(driveId, id, options);
  }
}

export type DriveRole = DriveRecord['role'];

export type DriveMember = DataOf<'GET /api/v2/drives/{id}/members'>[number];

export type NewDriveMember = InputOf<'POST /api/v2/drives/{id}/members'>['body'];
