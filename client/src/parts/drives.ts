import type { ActivityRecord, DriveRecord } from '../generated/records.ts';
import { type ListOptions, PageList } from '../pages/page-list.ts';
import type { CallOptions } from '../requests/call-options.ts';
import type { DataOf, InputOf } from '../requests/operation-types.ts';
import type { Requester } from '../requests/requester.ts';
import { DriveMembers } from './drive-members.ts';

/** The user's drives: the personal one, and the shared ones. `Holdall.inDrive` works in one of them. */
export class Drives {
  readonly members: DriveMembers;
  readonly #requester: Requester;

  constructor(requester: Requester) {
    this.#requester = requester;
    this.members = new DriveMembers(requester);
  }

  /** The personal drive first, then the shared ones by name. @throws HoldallError */
  list(options: CallOptions = {}): Promise<readonly DriveRecord[]> {
    return this.#requester.ask('GET /api/v2/drives', {}, options);
  }

  /** The shared drives that were deleted and can still be restored. @throws HoldallError */
  listDeleted(options: CallOptions = {}): Promise<readonly DriveRecord[]> {
    return this.#requester.ask('GET /api/v2/drives', { query: { deleted: true } }, options);
  }

  /**
   * Creates a shared drive, with the user as its manager. With `fromFileId`, it gets the content of that
   * directory of the personal drive.
   * @throws HoldallError: `OverLimitError` if the user has made too many, `NotFoundError` for an unknown
   *   member, `ForbiddenError` if the user may not make drives
   */
  create(body: NewDrive, options: CallOptions = {}): Promise<DriveRecord> {
    return this.#requester.ask('POST /api/v2/drives', { body }, options);
  }

  /** Renames a shared drive, as its manager. @throws HoldallError */
  rename(id: number, name: string, options: CallOptions = {}): Promise<DriveRecord> {
    return this.#requester.ask('PATCH /api/v2/drives/{id}', { path: { id }, body: { name } }, options);
  }

  /**
   * Deletes a shared drive, as its manager. It can be restored for ten days.
   * @param name the name of the drive, as a check
   * @throws HoldallError
   */
  async delete(id: number, name: string, options: CallOptions = {}): Promise<void> {
    await this.#requester.ask('DELETE /api/v2/drives/{id}', { path: { id }, body: { name } }, options);
  }

  /** Restores a deleted drive, as its manager. @throws HoldallError */
  restore(id: number, options: CallOptions = {}): Promise<DriveRecord> {
    return this.#requester.ask('POST /api/v2/drives/{id}/restore', { path: { id } }, options);
  }

  /** Who has changed what in a shared drive, newest first. */
  activity(id: number, options: ListOptions = {}): PageList<ActivityRecord> {
    return new PageList(
      (query, call) => this.#requester.ask('GET /api/v2/drives/{id}/activity', { path: { id }, query }, call),
      options,
    );
  }

  /**
   * Finds people for a shared drive: those who share one with the user, and the account with exactly this
   * username or email address.
   * @throws HoldallError: `TooManyError`
   */
  people(query: string, options: CallOptions = {}): Promise<readonly FoundPerson[]> {
    return this.#requester.ask('GET /api/v2/people', { query: { query } }, options);
  }
}

export type NewDrive = InputOf<'POST /api/v2/drives'>['body'];

export type FoundPerson = DataOf<'GET /api/v2/people'>[number];
